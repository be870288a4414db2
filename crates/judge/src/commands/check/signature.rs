//! `judge check signature`: hashes of the engine's decisions, compared with the committed ones.
//!
//! [`fixtures::signature`] defines what is hashed. Items are decided in parallel, each with
//! an engine of its thread, and combined in order, so that the result does not depend on `--jobs`.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use comfy_table::Table;
use fixtures::signature::{Item, Row, SignaturePart, Suite, combine, read_rows};
use output::{Kind, Output};
use rayon::prelude::*;
use sapper::{Effort, Engine};
use serde::Serialize;

use crate::cli::{ForceOption, JobOptions, Outcome, effort_parser, outln, print_json};
use crate::report::progress;
use crate::report::table::{empty, right_align};
use crate::runner::files::read_text;
use crate::runner::messages::errln;

/// Hash the engine's decisions, to see whether play has changed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge check signature
  judge check signature --expect samples/signature/expected.txt
  judge check signature --effort fast --expect samples/signature/expected.txt
  judge check signature -o samples/signature/expected.txt

Exit code: 0 success, 1 a hash differs from --expect, 2 bad input.")]
pub struct Arguments {
    /// A file with the output of an earlier run, to compare with
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Hash only these efforts, and leave out the hash over all parts
    #[arg(long, value_parser = effort_parser(), value_delimiter = ',', value_name = "EFFORT,...")]
    effort: Vec<Effort>,
    #[command(flatten)]
    jobs: JobOptions,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Write the table to this file instead
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
}

/// The file of a signature, as it begins.
const TABLE: Kind = Kind { name: "signature", beginnings: &["| part "] };

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    parts: Vec<PartReport<'a>>,
}

/// A part of the signature.
#[derive(Serialize)]
struct PartReport<'a> {
    name: &'a str,
    decisions: u64,
    hash: String,
}

impl<'a> Report<'a> {
    fn of(rows: &'a [(String, Item)]) -> Report<'a> {
        let part = |(name, item): &'a (String, Item)| PartReport {
            name,
            decisions: item.decisions,
            hash: item.hash.to_string(),
        };
        Report { parts: rows.iter().map(part).collect() }
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let inputs = arguments.expect.as_deref();
    let output = |path| Output::new(path, TABLE, inputs, arguments.over.force());
    let output = arguments.output.as_deref().map(output).transpose()?;
    let expected = arguments.expect.as_deref().map(read_expected).transpose()?;
    let suite = Suite::from_samples();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.count(None));
    let threads = threads.build()?;
    let efforts = &arguments.effort;
    let is_selected = |part: &&SignaturePart| efforts.is_empty() || efforts.contains(&part.effort);
    let parts: Vec<SignaturePart> =
        SignaturePart::ALL.iter().filter(is_selected).copied().collect();
    let items = parts.iter().map(|&part| suite.len(part) as u64).sum();
    let bar = progress::bar(items, "items");
    let decide = |part: SignaturePart| {
        let items: Vec<Item> = threads.install(|| {
            let new_engine = || Engine::new(part.objective, part.effort);
            let decide_item = |engine: &mut Engine, index| {
                bar.inc(1);
                suite.run(index, engine)
            };
            (0..suite.len(part)).into_par_iter().map_init(new_engine, decide_item).collect()
        });
        (part.name().to_owned(), combine(items))
    };
    let mut rows: Vec<(String, Item)> = parts.into_iter().map(decide).collect();
    bar.finish_and_clear();
    if efforts.is_empty() {
        rows.push(("all".to_owned(), combine(rows.iter().map(|(_, item)| *item))));
    }
    if arguments.json {
        print_json(&Report::of(&rows));
    } else if let Some(output) = output {
        output.write(format!("{}\n", table(&rows)).as_bytes())?;
    } else {
        outln!("{}", table(&rows));
    }
    let Some(known) = expected else { return Ok(Outcome::Good) };
    rows.retain(|(name, item)| !known.contains(&Row::new(name, *item)));
    if rows.is_empty() {
        return Ok(Outcome::Good);
    }
    errln!("play has changed; not in the expected signature:\n{}", table(&rows));
    Ok(Outcome::Failed)
}

fn read_expected(file: &Path) -> Result<Vec<Row>> {
    let rows = read_rows(&read_text(file)?);
    let name = file.display();
    ensure!(
        !rows.is_empty(),
        "{name} is no signature: give a file with the output of this command"
    );
    Ok(rows)
}

fn table(rows: &[(String, Item)]) -> Table {
    let mut table = empty(["part", "decisions", "hash"]);
    for (name, item) in rows {
        table.add_row([name, &item.decisions.to_string(), &item.hash.to_string()]);
    }
    right_align(&mut table, 1..2);
    table
}

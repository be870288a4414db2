//! The keys of `--json` and the columns of `--csv` that REFERENCE.md lists are those that the
//! commands print.
//!
//! A section of the reference has tables whose first column lists keys or columns. A key that
//! begins with a dot follows the parent of the key before it. `[]` is each element of a list, `.*`
//! any key of a map, and `<name>` the shared keys of this name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bots::{Files, ROOT, judge, recorded};
use crate::commands::helps;
use crate::local::Fake;

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/REFERENCE.md");

/// What a section lists.
#[derive(Default)]
struct Section {
    keys: Vec<String>,
    columns: BTreeSet<String>,
}

/// The sections of the reference, by their titles.
fn sections() -> BTreeMap<String, Section> {
    let text = fs::read_to_string(REFERENCE).unwrap();
    let mut sections: BTreeMap<String, Section> = BTreeMap::new();
    let (mut title, mut kind) = (String::new(), String::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            title = heading.trim_start_matches('#').trim().replace('`', "");
            sections.entry(title.clone()).or_default();
        }
        let Some(row) = line.strip_prefix("| ") else { continue };
        let mut cells = row.split('|').map(str::trim);
        let mut first = cells.next().unwrap();
        if !first.starts_with('`') {
            first.clone_into(&mut kind);
            continue;
        }
        let shared = first.replace('`', "");
        let is_shared = kind == "of";
        let section = sections.entry(if is_shared { shared } else { title.clone() }).or_default();
        if is_shared {
            first = cells.next().unwrap();
        }
        let mut parent = String::new();
        for name in first.split('`').skip(1).step_by(2) {
            let name = if name.starts_with('.') { parent.clone() + name } else { name.to_owned() };
            parent = name.rsplit_once('.').map_or("", |(parent, _)| parent).to_owned();
            match kind.as_str() {
                "key" | "of" => section.keys.push(name),
                "column" => assert!(section.columns.insert(name)),
                _ => {}
            }
        }
    }
    sections
}

/// A key that is listed: its path, and the place where it is listed, which is shared by all paths
/// of a section such as `<fault>`.
fn expand(sections: &BTreeMap<String, Section>, title: &str) -> Vec<(String, String)> {
    let mut listed = Vec::new();
    for key in &sections[title].keys {
        match key.find('<') {
            Some(start) => {
                let shared = expand(sections, &key[start..]);
                let path = |path: String| key[..start].to_owned() + &path;
                listed.extend(shared.into_iter().map(|(inner, place)| (path(inner), place)));
            }
            None => listed.push((key.clone(), format!("{title}: {key}"))),
        }
    }
    assert!(!listed.is_empty(), "REFERENCE.md lists no keys of {title}");
    listed
}

/// Collects the paths of the keys of a value. Those of an empty list or map and of null are
/// `bare`: what they would hold is not seen.
fn collect(value: &Value, path: &str, paths: &mut BTreeSet<String>, bare: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let separator = if path.is_empty() { "" } else { "." };
                collect(value, &format!("{path}{separator}{key}"), paths, bare);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().for_each(|item| collect(item, &format!("{path}[]"), paths, bare));
        }
        Value::Object(_) | Value::Null => drop(bare.insert(path.to_owned())),
        Value::Array(items) if items.is_empty() => drop(bare.insert(path.to_owned())),
        _ => drop(paths.insert(path.to_owned())),
    }
}

/// Whether a listed path is this one: `.*` is any last key.
fn is_listed_as(path: &str, listed: &str) -> bool {
    let is_entry = |map: &str| {
        let entry = path.strip_prefix(map).and_then(|rest| rest.strip_prefix('.'));
        // The name of a file has dots.
        entry.is_some_and(|entry| !entry.is_empty())
    };
    path == listed || listed.strip_suffix(".*").is_some_and(is_entry)
}

/// The differences between the keys of these values and those that a section lists.
fn key_faults(sections: &BTreeMap<String, Section>, title: &str, values: &[Value]) -> Vec<String> {
    let listed = expand(sections, title);
    let (mut paths, mut bare) = (BTreeSet::new(), BTreeSet::new());
    values.iter().for_each(|value| collect(value, "", &mut paths, &mut bare));
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for path in &paths {
        let places: Vec<_> = listed.iter().filter(|(key, _)| is_listed_as(path, key)).collect();
        seen.extend(places.iter().map(|(_, place)| place));
        if places.is_empty() {
            faults.push(format!("{title}: `{path}` is not listed"));
        }
    }
    for path in &bare {
        seen.extend(listed.iter().filter(|(key, _)| key == path).map(|(_, place)| place));
        let holds = |key: &str| {
            let rest = key.strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !listed.iter().any(|(key, _)| holds(key)) {
            faults.push(format!("{title}: `{path}` is not listed"));
        }
    }
    let places: BTreeSet<&String> = listed.iter().map(|(_, place)| place).collect();
    faults.extend(places.difference(&seen).map(|place| format!("{place} was not printed")));
    faults
}

/// The differences between the columns of these tables and those that a section lists.
fn column_faults(
    sections: &BTreeMap<String, Section>,
    title: &str,
    tables: &[String],
) -> Vec<String> {
    let header = |table: &String| {
        let text = fs::read_to_string(table).unwrap();
        text.lines().next().unwrap().split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let printed: BTreeSet<String> = tables.iter().flat_map(header).collect();
    let columns = &sections[title].columns;
    let unlisted = printed.difference(columns).map(|name| format!("`{name}` is not listed"));
    let unseen = columns.difference(&printed).map(|name| format!("`{name}` was not written"));
    unlisted.chain(unseen).map(|fault| format!("{title}, columns: {fault}")).collect()
}

/// What a command prints with `--json`.
fn printed(line: &str) -> Value {
    let mut words = shell_words::split(line).unwrap();
    words.push("--json".to_owned());
    let run = judge(&words);
    let value = serde_json::from_str(&run.stdout);
    value.unwrap_or_else(|error| panic!("{line}: {error}: {}{}", run.stdout, run.stderr))
}

fn lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Files that commands read and write.
struct Folder(Files);

impl Folder {
    fn name(&self, name: &str) -> String {
        self.0.name(name)
    }

    /// Writes a file, and returns its name.
    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.path(name), text).unwrap();
        self.name(name)
    }

    /// A file that is no game.
    fn no_game(&self) -> String {
        self.write("no-game.json", "{}")
    }
}

/// A bot that plays fast, and one that has a fault in every game.
const FAST: &str = "--bot 'sapper --keep-running --effort fast'";
const FALSE: &str = r#"--bot 'sh -c "echo no >&2; exit 3"'"#;
/// Small boards.
const SMALL: &str = "--level 6x5/7 --seeds 1..2";

/// What runs of a command print, which together have all its keys and columns: the values of
/// `--json`, and the tables of `--csv`.
fn runs(command: &str, folder: &Folder) -> (Vec<Value>, Vec<String>) {
    let name = |file: &str| folder.name(file);
    let sample = |file: &str| format!("{ROOT}/samples/{file}");
    let (game, no_game) = (recorded("small-11x11-11.json"), folder.no_game());
    let game = game.display();
    let mut tables = Vec::new();
    let values = match command {
        "verify" => {
            let text = fs::read_to_string(recorded("small-11x11-11.json")).unwrap();
            let mut record: Value = serde_json::from_str(&text).unwrap();
            record["score"] = json!(3);
            let other = folder.write("other.json", &record.to_string());
            let pack = sample("formats/pack.jsonl");
            vec![printed(&format!("verify {game} {other} {no_game} {pack}"))]
        }
        "samples" => {
            let samples = name("samples");
            fs::create_dir(&samples).unwrap();
            for file in ["first-turn.json", "first-turn.expected.json"] {
                let from = sample(&format!("requests/{file}"));
                fs::copy(from, Path::new(&samples).join(file)).unwrap();
            }
            vec![printed(&format!("samples {samples}"))]
        }
        "play" => {
            tables = vec![name("play.csv")];
            vec![
                printed(&format!("play {FAST} {SMALL} --csv {}", tables[0])),
                printed(&format!("play {FALSE} {SMALL}")),
            ]
        }
        "local" => {
            let fake = Fake::start(&["--open", "1", "--faults", "duplicate"]);
            let address = json!({"address": fake.address});
            let bot = ["--matches", "1", "--bot", "false"];
            let (_, client, stderr) = fake.play(&folder.0.path("state"), &bot);
            assert!(client["matches"][0]["why"].is_string(), "{client} {stderr}");
            vec![address, client, fake.end().1]
        }
        "pit" => {
            tables = vec![name("pit.csv")];
            let sprt = format!("pit --bot a=false --bot b=false {SMALL} --sprt");
            vec![
                printed(&format!("pit {FAST} {FAST} {FALSE} {SMALL} --csv {}", tables[0])),
                printed(&sprt),
            ]
        }
        "coach" => {
            tables = vec![name("coach.csv")];
            let game = recorded("null-answer.json");
            let options = "--playouts 2";
            vec![
                printed(&format!("coach {} {no_game} {options} --list 1", game.display())),
                printed(&format!("coach {FALSE} {SMALL} {options}")),
                printed(&format!(
                    "coach {FAST} --against false {SMALL} {options} --csv {}",
                    tables[0]
                )),
            ]
        }
        "coach, of people" => {
            tables = vec![name("people.csv")];
            let person = sample("formats/person.rawvf");
            // The opening, a proven mine, and a chord in a game of its own.
            let lost = fs::read_to_string(&person).unwrap();
            let (board, _) = lost.split_once("Events:").unwrap();
            let opening = "0.00 lc (8 8)\n0.05 lr (8 8)\n";
            let mine = "0.50 lc (88 8)\n0.55 lr (88 8)\n";
            let lost = folder.write("lost.rawvf", &format!("{board}Events:\n{opening}{mine}"));
            // Without a free first click it is a guess.
            let board = board.replace("Mode: Classic", "Mode: UPK");
            let upk = folder.write("upk.rawvf", &format!("{board}Events:\n{opening}"));
            let files = format!("{person} {lost} {upk} {no_game}");
            vec![printed(&format!("coach {files} --pages {} --csv {}", name("pages"), tables[0]))]
        }
        "odds" | "explain" => {
            let field = folder.write("field.txt", "3 2\n1..\n1..\n");
            let impossible = folder.write("impossible.txt", "3 1 1\n3..\n");
            let emoji = sample("formats/emoji.txt");
            if command == "odds" {
                let odds = folder.write("odds.txt", "0 1 0.9\n");
                vec![
                    printed(&format!("odds {field}")),
                    printed(&format!("odds {emoji}")),
                    printed(&format!("odds {field} --expect {odds}")),
                    printed(&format!("odds {impossible}")),
                ]
            } else {
                let of = |file: &str| {
                    printed(&format!("explain {} --effort fast", sample(&format!("fields/{file}"))))
                };
                let asked = "forced-guess.txt --cell 0,7";
                vec![
                    printed(&format!("explain {field} --effort fast")),
                    printed(&format!("explain {emoji} --effort fast")),
                    printed(&format!("explain {impossible}")),
                    of("corner-one.txt"),
                    of("safe-by-overlap.txt"),
                    of(asked),
                ]
            }
        }
        "replay" => {
            let logs = name("logs");
            let play = format!("play {FAST} --level 4x3/3 --seeds 1 --log {logs}");
            printed(&play);
            let dense = recorded("dense-11x11-80.json");
            vec![
                printed(&format!("replay {logs}/4x3-3-1.json --effort fast")),
                printed(&format!("replay {} --effort fast --playouts 0", dense.display())),
                printed(&format!("replay {}", sample("formats/person.rawvf"))),
            ]
        }
        "bench" => {
            tables = vec![name("bench.csv"), name("file.csv")];
            let [seeds, file] = bench_lines();
            vec![
                printed(&format!("{seeds} --csv {}", tables[0])),
                printed(&format!("{file} --csv {}", tables[1])),
            ]
        }
        "report" => {
            let shards = [name("seeds.jsonl"), name("file.jsonl")];
            let lines = bench_lines().into_iter().zip(&shards);
            lines.for_each(|(line, shard)| drop(printed(&format!("{line} --resume {shard}"))));
            shards.iter().map(|shard| printed(&format!("report {shard}"))).collect()
        }
        "results run" => vec![printed(&results(folder, "run"))],
        "results show" | "results join" => {
            printed(&results(folder, "run --size day"));
            let figures = name("figures.jsonl");
            let join = command == "results join";
            let line = if join { format!("join {figures}") } else { "show".to_owned() };
            vec![printed(&results(folder, &line))]
        }
        "results fill" => {
            printed(&results(folder, "run"));
            let page = folder.write("page.md", "<!-- result a won --><!-- end -->\n");
            vec![printed(&results(folder, &format!("fill {page}")))]
        }
        "compare" => {
            let table = |name: &str, columns: &str, row: &str| {
                let table = folder.write(name, &format!("index,won,{columns}\n1,1,{row}\n"));
                printed(&format!("compare {table} {table}"))
            };
            vec![
                table("a.csv", "hits,adjusted_hits,outcome", "0,0.5,done\n2,0,,,crash"),
                table("b.csv", "hits,adjusted_won,cost", "0,0.5,0.25"),
            ]
        }
        "calibrate" => {
            tables = vec![name("bins.csv")];
            let boards = "--level 6x6/9 --seeds 1..20 --effort fast";
            let file = sample("boards/expert-safe-first.txt");
            vec![
                printed(&format!("calibrate {boards} --csv {}", tables[0])),
                printed(&format!("calibrate {boards} --rule open-first")),
                printed(&format!("calibrate --boards {file} --games 3 --effort fast")),
                printed(
                    "calibrate --chance 20 --level 6x6/9 --rule safe-first --seeds 1..20 --cells 2",
                ),
            ]
        }
        "ceiling" => {
            let fast = "--effort fast --policy fast --playouts 20";
            let file = sample("boards/expert-safe-first.txt");
            vec![
                printed(&format!("ceiling --level 6x6/9 --rule open-first --seeds 1..3 {fast}")),
                printed(&format!("ceiling --boards {file} --games 1 --open 95..100 {fast}")),
            ]
        }
        "plot" => {
            let [seeds, _] = bench_lines();
            let report = folder.write("report.json", &printed(&seeds).to_string());
            vec![printed(&format!("plot {report} -o {}", name("picture.svg")))]
        }
        "convert" => {
            let [game, layout] =
                ["lite.json", "small.mbf"].map(|name| sample(&format!("formats/{name}")));
            vec![
                printed(&format!("convert {} --to text", sample("formats/flags.txt"))),
                printed(&format!("convert {layout} --to mbf")),
                printed(&format!("convert {game} --to board -o {}", name("boards.txt"))),
            ]
        }
        "check bot" => vec![printed("check bot --bot false")],
        "check signature" => vec![printed("check signature --effort fast")],
        "check worst" => {
            let positions = folder.write("positions.txt", "9 9 20% 1 lattice\n");
            vec![printed(&format!("check worst {positions} --load 0 --tries 1"))]
        }
        "check evolve" => vec![printed("check evolve 4x4/5 --turns 2 --effort fast")],
        "check soak" => {
            vec![printed("check soak --seeds 1 --effort fast --processes 1 --bot false")]
        }
        _ => panic!("{command}: add runs that print all its keys, here and in REFERENCE.md"),
    };
    (values, tables)
}

/// A command of `results` on a list in this folder.
fn results(folder: &Folder, command: &str) -> String {
    let list = "a --level 6x6/6 --effort fast --try 2 --day 4\n\
                b --level 6x6/6 --effort fast --less a --try 2 --day 4\n\
                c --odds mid-game --try 2 --day 4\n\
                d --level 6x6/6 --effort fast --ceiling fast --playouts 4 --try 2 --day 4\n";
    folder.write("list.txt", list);
    format!("results {command} --folder {}", folder.name(""))
}

/// Runs of `bench` on the boards of seeds and of a file.
fn bench_lines() -> [String; 2] {
    let seeds = "--level 6x6/6 --rule open-first --seeds 1..3";
    let file = format!("--boards {ROOT}/samples/boards/botzone-default.txt --games 1");
    [seeds, &file].map(|boards| format!("bench {boards} --effort fast --adjusted"))
}

#[cfg(unix)]
#[test]
fn the_reference_lists_what_commands_print() {
    let sections = sections();
    let mut faults = Vec::new();
    let helps = helps();
    for command in helps.keys().map(String::as_str).chain(["coach, of people"]) {
        let title = format!("judge {command}");
        assert!(sections.contains_key(&title), "REFERENCE.md has no section `{title}`");
        let folder = Folder(Files::new());
        let (values, tables) = runs(command, &folder);
        // These refer to the section of another command.
        let keys = match command {
            "report" => "judge bench",
            "results run" | "results join" => "judge results show",
            _ => &title,
        };
        let columns = if command == "pit" { "judge play" } else { &title };
        faults.extend(key_faults(&sections, keys, &values));
        faults.extend(column_faults(&sections, columns, &tables));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[cfg(unix)]
#[test]
fn the_reference_lists_the_keys_of_files() {
    let sections = sections();
    let folder = Folder(Files::new());
    let names = ["seeds.jsonl", "file.jsonl", "pit.jsonl", "rule.jsonl"];
    let [seeds, file, pit, rule] = names.map(|name| folder.name(name));
    for (line, shard) in bench_lines().into_iter().zip([&seeds, &file]) {
        printed(&format!("{line} --resume {shard}"));
    }
    let shards = [lines(&seeds), lines(&file)].concat();
    for (options, journal) in [("", &pit), ("--rule safe-first", &rule)] {
        printed(&format!("pit {FAST} {FALSE} {SMALL} {options} --resume {journal}"));
    }
    let journals = [lines(&pit), lines(&rule)].concat();
    printed(&results(&folder, "run"));
    let figures = lines(&folder.name("figures.jsonl"));
    let files = [("Shard", &shards), ("Figures", &figures), ("Journal", &journals)];
    let faults = files.map(|(title, lines)| key_faults(&sections, title, lines));
    assert!(faults.concat().is_empty(), "{faults:#?}");
}

/// A key that is added, removed or renamed is found, on either side.
#[test]
fn a_key_that_differs_is_found() {
    let section = |keys: &[&str]| {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        Section { keys, columns: BTreeSet::new() }
    };
    let sections = BTreeMap::from([
        ("a".to_owned(), section(&["games[].score", "games[].<fault>", "faults.*", "cell"])),
        ("<fault>".to_owned(), section(&["turn", "why"])),
    ]);
    let value = json!({
        "games": [{"score": 1, "turn": 1}, {"score": 1, "why": null}],
        "faults": {"crash": 1},
        "cell": [[1, 2], null],
    });
    let faults = |value: &Value| key_faults(&sections, "a", std::slice::from_ref(value));
    assert_eq!(faults(&value), [""; 0]);
    for (pointer, new, expected) in [
        ("/games/0", json!({"score": 1, "turn": 1, "x": 1}), vec!["a: `games[].x` is not listed"]),
        ("/games/1", json!({"score": 1}), vec!["<fault>: why was not printed"]),
        ("/faults", json!({}), vec!["a: faults.* was not printed"]),
        (
            "/faults",
            json!([{"crash": 1}]),
            vec!["a: `faults[].crash` is not listed", "a: faults.* was not printed"],
        ),
        (
            "/cell",
            json!({"row": 1}),
            vec!["a: `cell.row` is not listed", "a: cell was not printed"],
        ),
        (
            "/games",
            json!([]),
            vec![
                "<fault>: turn was not printed",
                "<fault>: why was not printed",
                "a: games[].score was not printed",
            ],
        ),
    ] {
        let mut changed = value.clone();
        *changed.pointer_mut(pointer).unwrap() = new;
        assert_eq!(faults(&changed), expected, "{pointer}");
    }
}

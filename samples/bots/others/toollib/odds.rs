//! The odds of ms_toollib: `mark_board`, then `cal_probability_onboard`, both timed.
//!
//! odds FILE [--passes N]

use std::io::Write as _;

use cpu_time::ProcessTime;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (file, passes) = match &words[..] {
        [file] => (file, 3),
        [file, option, passes] if option == "--passes" => (file, passes.parse()?),
        _ => return Err("usage: odds FILE [--passes N]".into()),
    };
    let text = std::fs::read_to_string(file)?;
    let mut tokens = text.split_whitespace();
    let mut positions = Vec::new();
    while let Some(_columns) = tokens.next() {
        let rows: usize = tokens.next().ok_or("no rows")?.parse()?;
        let mines: f64 = tokens.next().ok_or("no mines")?.parse()?;
        let value = |cell: char| match cell {
            '.' => 10,
            '*' => 11,
            digit => digit as i32 - '0' as i32,
        };
        let board = tokens.by_ref().take(rows).map(|row| row.chars().map(value).collect());
        positions.push((mines, board.collect::<Vec<Vec<i32>>>()));
    }
    let mut out = std::io::stdout();
    for _ in 0..passes {
        for (index, (mines, shown)) in positions.iter().enumerate() {
            let mut board = shown.clone();
            let started = ProcessTime::now();
            let odds = ms_toollib::mark_board(&mut board, false)
                .and_then(|_| ms_toollib::cal_probability_onboard(&board, *mines));
            let micros = 1e6 * started.elapsed().as_secs_f64();
            let mut line = match &odds {
                Ok(_) => format!("{index} {micros:.1}"),
                Err(_) => format!("{index} -"),
            };
            for (odds, shown) in odds.iter().flat_map(|(odds, _)| odds.iter().zip(shown)) {
                for (odds, _) in odds.iter().zip(shown).filter(|(_, shown)| **shown == 10) {
                    line += &format!(" {odds}");
                }
            }
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

//! The bot as a function: the answer to a request of Botzone.
//!
//! ```text
//! cargo run --example answer < samples/requests/first-turn.json
//! ```

use std::error::Error;
use std::io::read_to_string;

use sapper::settings::budget::WallClock;

fn main() -> Result<(), Box<dyn Error>> {
    let request = read_to_string(std::io::stdin())?;
    let answer = sapper::respond(&request, &WallClock::start())?;
    answer.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    println!("{}", answer.line());
    Ok(())
}

//! The odds of a position, the move, and how it was found.
//!
//! ```text
//! cargo run -p analysis --example explain < samples/fields/forced-guess.txt
//! ```

use std::error::Error;
use std::io::read_to_string;

fn main() -> Result<(), Box<dyn Error>> {
    let evaluation = analysis::evaluation::evaluate(&read_to_string(std::io::stdin())?)?;
    for row in 0..evaluation.rows {
        for column in 0..evaluation.columns {
            match evaluation.odds(row, column) {
                Some(odds) => print!("{odds:6.3}"),
                None => print!("     -"),
            }
        }
        println!();
    }
    if let Some(best) = evaluation.best {
        println!("open {}, by {}", best.decision.place(), best.decision.by.name());
        println!("{}", best.reasons.join("\n"));
    }
    Ok(())
}

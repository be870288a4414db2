//! The odds of a position, the move, and how it was found.
//!
//! ```text
//! cargo run -p analysis --example explain < samples/fields/forced-guess.txt
//! ```

use std::error::Error;
use std::io::read_to_string;

fn main() -> Result<(), Box<dyn Error>> {
    let text = read_to_string(std::io::stdin())?;
    let position = analysis::explained_position::explain_position(&text)?;
    for row in 0..position.rows {
        for column in 0..position.columns {
            match position.odds(row, column) {
                Some(odds) => print!("{odds:6.3}"),
                None => print!("     -"),
            }
        }
        println!();
    }
    if let Some(best) = position.best {
        println!("open {}, by {}", best.decision.place(), best.decision.by.name());
        println!("{}", best.reasons.join("\n"));
    }
    Ok(())
}

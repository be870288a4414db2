//! The odds of a position, the move, and how it was found.
//!
//! ```text
//! cargo run -p analysis --example explain samples/fields/forced-guess.txt
//! ```

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("give the file of a position")?;
    let text = std::fs::read_to_string(file)?;
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

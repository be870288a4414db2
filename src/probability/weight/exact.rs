//! A 128-bit integer that remembers an overflow.

use std::ops::{Add, Mul};

/// A whole number of layouts, or `None` where an operation passed 2^128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactCount(pub Option<u128>);

impl Add for ExactCount {
    type Output = ExactCount;

    fn add(self, other: ExactCount) -> ExactCount {
        ExactCount(self.0.zip(other.0).and_then(|(a, b)| a.checked_add(b)))
    }
}

impl Mul for ExactCount {
    type Output = ExactCount;

    /// The product. A zero factor gives zero, even beside an overflow.
    fn mul(self, other: ExactCount) -> ExactCount {
        if self.0 == Some(0) || other.0 == Some(0) {
            return ExactCount(Some(0));
        }
        ExactCount(self.0.zip(other.0).and_then(|(a, b)| a.checked_mul(b)))
    }
}

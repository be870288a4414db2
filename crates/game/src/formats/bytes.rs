//! Bytes that are read from the front. An end that comes too soon is a fault with its place.

/// The bytes of a file, and how many of them are read.
pub(super) struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    /// The bytes from the byte `at` on.
    pub(super) fn from(bytes: &'b [u8], at: usize) -> Bytes<'b> {
        Bytes { bytes, at }
    }

    /// The number of bytes that are read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize) -> Result<&'b [u8], String> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| {
            let missing = len - (self.bytes.len().saturating_sub(self.at)).min(len);
            format!("byte {}: the file is cut off: {missing} more are expected", self.bytes.len())
        })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// The next `N` bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let taken = self.take(N)?;
        Ok(std::array::from_fn(|index| taken[index]))
    }

    pub(super) fn u8(&mut self) -> Result<u8, String> {
        Ok(self.array::<1>()?[0])
    }

    /// Two bytes, the high one first, as in all of these formats.
    pub(super) fn u16(&mut self) -> Result<u16, String> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(super) fn i16(&mut self) -> Result<i16, String> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    /// Three bytes, the highest first.
    pub(super) fn u24(&mut self) -> Result<u32, String> {
        let [high, middle, low] = self.array()?;
        Ok(u32::from_be_bytes([0, high, middle, low]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// The text up to a null byte, which is read too.
    pub(super) fn text(&mut self) -> Result<String, String> {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let len = rest.iter().position(|&byte| byte == 0);
        let len = len.ok_or_else(|| format!("byte {}: a text has no end", self.at))?;
        let text = String::from_utf8_lossy(self.take(len)?).into_owned();
        self.take(1)?;
        Ok(text)
    }
}

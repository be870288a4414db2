//! The address of the user's Local AI, which is a secret.
//!
//! Whoever has the address can play in the user's name. Invariant: no text that leaves this module
//! has the address or a part of it, except the address itself for the HTTP client. Errors name the
//! source and the rule that the address breaks, and the type has no `Display` and an empty `Debug`.

use std::fmt;
use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use ureq::http::Uri;

use crate::bots::command::LOCAL_AI_VAR;

/// The last word of every address.
const LAST_WORD: &str = "/localai";
const FORM: &str = "https://www.botzone.org.cn/api/<user id>/<secret>/localai";

/// A checked address.
#[derive(Clone)]
pub struct Address(String);

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address(..)")
    }
}

impl Address {
    /// The address from the file, else from the environment, else from the terminal without echo.
    ///
    /// # Errors
    /// Fails if there is none, or if it is not an address of a Local AI.
    pub fn find(file: Option<&Path>) -> Result<Address> {
        if let Some(file) = file {
            return Address::from_file(file);
        }
        if let Some(value) = std::env::var_os(LOCAL_AI_VAR) {
            let value = value.into_string().unwrap_or_default();
            return Address::parse(&value).context(LOCAL_AI_VAR);
        }
        ensure!(
            std::io::stdin().is_terminal(),
            "no address: set {LOCAL_AI_VAR}, or give --url-file"
        );
        let typed = rpassword::prompt_password("Address of your Local AI (not shown): ");
        Address::parse(&typed.context("cannot read the address")?).context("the address")
    }

    fn from_file(file: &Path) -> Result<Address> {
        // An address in place of the file's name must not be printed as a name.
        let name = file.to_string_lossy();
        ensure!(!name.contains("://"), "--url-file takes the name of a file that has the address");
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        Address::parse(&text).with_context(|| name.into_owned())
    }

    /// Checks an address.
    fn parse(text: &str) -> Result<Address> {
        let text = text.trim();
        ensure!(!text.is_empty(), "it is empty; expected {FORM}");
        let Ok(uri) = text.parse::<Uri>() else { bail!("it is not an address; expected {FORM}") };
        let host = uri.host().unwrap_or_default();
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        // A port that is no number would be replaced by the default one.
        ensure!(
            uri.port().is_some() || authority.ends_with(host),
            "its port is no number from 0 to 65535"
        );
        let is_own_machine = ["127.0.0.1", "localhost", "[::1]"].contains(&host);
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if is_own_machine => {}
            Some("http") => bail!("it begins with http://, which would show it to the network"),
            _ => bail!("it does not begin with https://; expected {FORM}"),
        }
        ensure!(uri.path().ends_with(LAST_WORD), "it does not end in {LAST_WORD}; expected {FORM}");
        ensure!(uri.query().is_none(), "it has a `?`; expected {FORM}");
        Ok(Address(text.to_owned()))
    }

    /// The address to poll.
    pub fn poll(&self) -> &str {
        &self.0
    }

    /// The address that opens a match.
    pub fn run_match(&self) -> String {
        format!("{}/runmatch", self.0.strip_suffix(LAST_WORD).unwrap_or(&self.0))
    }

    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        self.0.starts_with("http://")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_and_never_shown() {
        let good = "https://www.botzone.org.cn/api/5f0/s3cret/localai";
        let address = Address::parse(&format!(" {good}\n")).unwrap();
        assert_eq!(address.poll(), good);
        assert_eq!(address.run_match(), "https://www.botzone.org.cn/api/5f0/s3cret/runmatch");
        assert!(!format!("{address:?}").contains("s3cret") && !address.is_local());
        assert!(Address::parse("http://127.0.0.1:80/api/1/s3cret/localai").unwrap().is_local());
        for bad in [
            "",
            "s3cret",
            "/api/1/s3cret/localai",
            "http://www.botzone.org.cn/api/1/s3cret/localai",
            "ftp://127.0.0.1/s3cret/localai",
            "https://www.botzone.org.cn/api/1/s3cret",
            "https://www.botzone.org.cn/api/1/s3cret/localai?x",
            "https://www.botzone.org.cn/s3cret two/localai",
            "http://127.0.0.1:84999/api/1/s3cret/localai",
        ] {
            let error = format!("{:#}", Address::parse(bad).unwrap_err());
            assert!(!error.contains("s3cret"), "{bad}: {error}");
        }
        let error = Address::find(Some(Path::new("https://a/s3cret/localai"))).unwrap_err();
        assert!(!format!("{error:#}").contains("s3cret"), "{error:#}");
    }
}

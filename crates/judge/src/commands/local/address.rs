//! The address of the user's Local AI, which is a secret.
//!
//! Whoever has the address can play in the user's name. Invariant: no text that leaves this module
//! has the address or a part of it, except the address itself for the HTTP client. Errors name the
//! source and the rule that the address breaks, the type has no `Display` and an empty `Debug`, and
//! a command line with an address is refused before any parser may quote it.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use game::formats::is_code;
use ureq::http::Uri;

use crate::runner::bots::LOCAL_AI_VAR;
use crate::runner::files::cannot_read;
use crate::runner::messages::errln;

/// The last word of every address.
const LAST_WORD: &str = "/localai";
/// Why a command line with an address is refused.
const ON_COMMAND_LINE: &str = "the address is a secret, and a command line is kept and shown: \
    give it by --url-file or BOTZONE_LOCALAI_URL, or type it when asked";
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
            let address = Address::from_file(file)?;
            if std::env::var_os(LOCAL_AI_VAR).is_some() {
                errln!("the address is that of --url-file, and not that of {LOCAL_AI_VAR}");
            }
            return Ok(address);
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
        let name = file.to_string_lossy();
        let text = fs::read_to_string(file).map_err(|error| cannot_read(file, &error))?;
        Address::parse(&text).with_context(|| name.into_owned())
    }

    /// Checks an address, which may stand in quotes and between empty lines.
    fn parse(text: &str) -> Result<Address> {
        let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
        let Some(text) = words.next() else { bail!("it is empty; expected {FORM}") };
        ensure!(words.next().is_none(), "it has more than one word; give one address alone");
        let text = ['"', '\'']
            .iter()
            .find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote))
            .unwrap_or(text);
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
        ensure!(uri.query().is_none(), "it has a `?`; expected {FORM}");
        let parts: Vec<&str> = uri.path().split('/').collect();
        let is_whole = matches!(parts[..], ["", "api", user, secret, "localai"]
            if !user.is_empty() && !secret.is_empty());
        ensure!(is_whole, "it is not of the form {FORM}");
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

/// Refuses a command line that has an address anywhere in it.
///
/// # Errors
/// One line, which does not quote it.
pub fn refuse_addresses(mut arguments: impl Iterator<Item = OsString>) -> Result<()> {
    ensure!(
        !arguments.any(|argument| has_address(&argument.to_string_lossy())),
        "{ON_COMMAND_LINE}"
    );
    Ok(())
}

/// Refuses a command line that the parser of `judge local` refused for a word that is no option: it
/// may be a part of an address.
///
/// # Errors
/// One line, which does not quote it.
pub fn refuse_words(error: &clap::Error) -> Result<()> {
    let word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument => word,
        _ => return Ok(()),
    };
    ensure!(word.starts_with('-'), "{ON_COMMAND_LINE}");
    Ok(())
}

/// Whether an argument is an address of the web, or has that of a Local AI within it.
fn has_address(given: &str) -> bool {
    let argument = given.to_ascii_lowercase();
    let value = match argument.split_once('=') {
        Some((option, value)) if option.starts_with("--") => value,
        _ => &argument,
    };
    let value = value.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'');
    let is_of_web = value.starts_with("https://") || value.starts_with("http://");
    // A link to a position or a layout is given in place of a file.
    (is_of_web && !is_code(given)) || (has_form(&argument) && !Path::new(given).exists())
}

/// Whether a text has `HOST/api/USER/SECRET` of the site, or of any host with the last word. A path
/// has a directory before `/api/`, which is no host: no word begins with it, and no `//` precedes.
fn has_form(text: &str) -> bool {
    text.match_indices("/api/").any(|(start, api)| {
        let (before, after) = (&text[..start], &text[start + api.len()..]);
        let ends_host = |c: char| c.is_whitespace() || "/=,\"'(".contains(c);
        let host = before.rsplit(ends_host).next().unwrap_or_default();
        let outside = &before[..before.len() - host.len()];
        let is_host = if outside.ends_with('/') {
            outside.ends_with("//")
        } else {
            host.is_empty() || host.contains(['.', ':']) || host == "localhost"
        };
        let parts: Vec<&str> = after.splitn(3, '/').collect();
        let has_secret = parts.len() > 1 && parts[..2].iter().all(|part| !part.is_empty());
        let has_last_word = parts.get(2).is_some_and(|rest| rest.starts_with(&LAST_WORD[1..]));
        is_host && has_secret && (has_last_word || host.contains("botzone.org"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_and_never_shown() {
        let good = "https://www.botzone.org.cn/api/5f0/s3cret/localai";
        let address = Address::parse(&format!(" {good}\n")).unwrap();
        assert_eq!(address.poll(), good);
        for text in [format!("\n\n{good}\r\n\n"), format!("'{good}'"), format!("\"{good}\"\n")] {
            assert_eq!(Address::parse(&text).unwrap().poll(), good, "{text}");
        }
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
            "https://www.botzone.org.cn/s3cret/localai",
            "https://www.botzone.org.cn/api//s3cret/localai",
            "https://a/api/1/s3cret/localai\nhttps://b/api/1/s3cret/localai",
            "'https://a/api/1/s3cret/localai",
            "http://127.0.0.1:84999/api/1/s3cret/localai",
        ] {
            let error = format!("{:#}", Address::parse(bad).unwrap_err());
            assert!(!error.contains("s3cret"), "{bad}: {error}");
        }
    }

    #[test]
    fn an_address_in_a_command_line_is_found() {
        for bad in [
            "https://www.botzone.org.cn/api/1/s3cret/localai",
            "www.botzone.org.cn/api/1/s3cret",
            "--url=HTTPS://host/api/1/s3cret",
            " 'http://127.0.0.1/x",
            "BOTZONE_LOCALAI_URL=http://127.0.0.1:1/api/1/s3cret/localai",
            "{\"a\":\"https://host/api/1/s3cret/localai\"}",
            "--url=localhost:80/api/1/s3cret/localai",
            "/api/1/s3cret/localai",
        ] {
            let line = ["judge", "local", bad].map(OsString::from);
            let error = refuse_addresses(line.into_iter()).unwrap_err();
            assert!(!format!("{error:#}").contains("s3cret"), "{error:#}");
        }
        for good in [
            "local",
            "~/localai.txt",
            "/home/api/bot",
            "mybot --host http://127.0.0.1",
            "/tmp/x/api/botzone.org/g.json",
            "/tmp/botzone.org/api/1/g.json",
            "games/api/1/2/localai",
            "--log=/srv/api/1/2/localai",
        ] {
            assert!(!has_address(good), "{good}");
        }
    }
}

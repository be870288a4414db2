//! The rules of `.config/deny.toml`, and which packages break them.
//!
//! A value or a key of the file whose meaning is not written here cannot be read, except for the
//! advisories.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};
use toml::de::{DeTable, DeValue};

use super::metadata::{Dependency, Package};

/// How cargo names the registry crates.io in `cargo metadata`.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    #[serde(rename = "sources")]
    _sources: Sources,
    #[serde(rename = "advisories")]
    _advisories: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Graph {
    all_features: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
    unused_license_exception: Level,
    /// How much the text of a licence may differ from the published one: only `cargo deny` reads
    /// the texts.
    #[serde(rename = "confidence-threshold")]
    _confidence_threshold: f64,
}

/// The licences that one package may have, besides those that all may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    allow: Vec<String>,
    #[serde(rename = "crate")]
    package: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    #[serde(rename = "multiple-versions")]
    _multiple_versions: Allowed,
    #[serde(rename = "wildcards")]
    _wildcards: Denied,
    allow_wildcard_paths: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    #[serde(rename = "unknown-registry")]
    _unknown_registry: Denied,
    #[serde(rename = "unknown-git")]
    _unknown_git: Denied,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Level {
    Allow,
    Warn,
    Deny,
}

/// A level that cannot be changed without changing what is checked here.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Allowed {
    Allow,
}

/// As [`Allowed`].
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Denied {
    Deny,
}

impl Rules {
    /// Reads the text of the file.
    pub fn parse(text: &str) -> Result<Rules, String> {
        let rules = DeTable::parse(text).map_err(|error| error.to_string())?;
        let rules = table_to_json(rules.get_ref());
        let rules: Rules = serde_json::from_value(rules).map_err(|error| error.to_string())?;
        let licenses = &rules.licenses;
        let of_exceptions = licenses.exceptions.iter().flat_map(|exception| &exception.allow);
        for licence in licenses.allow.iter().chain(of_exceptions) {
            Licensee::parse(licence).map_err(|error| format!("{licence}: {error}"))?;
        }
        Ok(rules)
    }

    /// Whether the dependencies of every feature count.
    pub fn all_features(&self) -> bool {
        self.graph.all_features
    }

    /// How these packages break the rules, in sentences. Packages with a path belong into the
    /// folder `root`.
    pub fn faults(&self, packages: &[Package], root: &Path) -> Vec<String> {
        let mut faults = Vec::new();
        for package in packages {
            let found = [self.licence_fault(package), source_fault(package, root)];
            let wildcards = package.dependencies.iter().filter(|to| self.is_wildcard(package, to));
            let wildcards = wildcards.map(|to| format!("any version of {} would do", to.name));
            let of_package = found.into_iter().flatten().chain(wildcards);
            let Package { name, version, .. } = package;
            faults.extend(of_package.map(|fault| format!("{name} {version}: {fault}")));
        }
        if self.licenses.unused_license_exception == Level::Deny {
            let exceptions = self.licenses.exceptions.iter();
            let unused = exceptions.filter(|exception| !self.is_used(exception, packages));
            faults.extend(unused.map(|exception| {
                format!("{}: the exception for its licence is not needed", exception.package)
            }));
        }
        faults
    }

    fn licence_fault(&self, package: &Package) -> Option<String> {
        let Some(licence) = &package.license else { return Some("no licence".to_owned()) };
        let expression = match expression(licence) {
            Ok(expression) => expression,
            Err(error) => return Some(format!("the licence {licence} is unknown: {error}")),
        };
        let exceptions = self.licenses.exceptions.iter();
        let own = exceptions.filter(|exception| exception.package == package.name);
        let own = own.flat_map(|exception| &exception.allow);
        let is_allowed = is_satisfied(&expression, self.licenses.allow.iter().chain(own));
        (!is_allowed).then(|| format!("the licence {licence} is not allowed"))
    }

    /// Whether a package would be refused without the exception.
    fn is_used(&self, exception: &Exception, packages: &[Package]) -> bool {
        packages.iter().filter(|package| package.name == exception.package).any(|package| {
            let expression = package.license.as_deref().map(expression);
            expression.is_some_and(|expression| {
                expression.is_ok_and(|expression| !is_satisfied(&expression, &self.licenses.allow))
            })
        })
    }

    /// Whether a dependency states no version. The project's own packages find each other by their
    /// paths; a published package may do so only in its tests.
    fn is_wildcard(&self, package: &Package, to: &Dependency) -> bool {
        let is_private = package.publish.as_ref().is_some_and(Vec::is_empty);
        let is_of_tests = to.kind.as_deref() == Some("dev");
        let is_allowed =
            self.bans.allow_wildcard_paths && to.path.is_some() && (is_private || is_of_tests);
        to.req == "*" && !is_allowed
    }
}

/// The same values as JSON. The crate `toml` could hand them to serde itself, but only with a
/// feature of serde that the bot does not use, so that tests of the whole workspace would compile
/// the bot once more.
fn table_to_json(table: &DeTable) -> Value {
    let entries = table.iter();
    entries.map(|(key, value)| (key.get_ref().to_string(), to_json(value.get_ref()))).collect()
}

/// As [`table_to_json`].
fn to_json(value: &DeValue) -> Value {
    match value {
        DeValue::Boolean(is_true) => Value::Bool(*is_true),
        DeValue::Array(values) => values.iter().map(|value| to_json(value.get_ref())).collect(),
        DeValue::Table(table) => table_to_json(table),
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Integer(number) => number.as_str().parse::<i64>().map_or(Value::Null, Value::from),
        DeValue::String(text) => Value::from(&**text),
        DeValue::Datetime(time) => Value::from(time.to_string()),
    }
}

/// Reads a licence as crates.io does: `MIT/Apache-2.0` is a choice.
fn expression(licence: &str) -> Result<Expression, String> {
    Expression::parse_mode(licence, ParseMode::LAX).map_err(|error| error.reason.to_string())
}

fn is_satisfied<'a>(
    expression: &Expression,
    allowed: impl IntoIterator<Item = &'a String>,
) -> bool {
    let allowed: Vec<Licensee> =
        allowed.into_iter().filter_map(|licence| Licensee::parse(licence).ok()).collect();
    expression.evaluate(|required| allowed.iter().any(|licence| licence.satisfies(required)))
}

fn source_fault(package: &Package, root: &Path) -> Option<String> {
    match &package.source {
        Some(source) => {
            (source != CRATES_IO).then(|| format!("its source is not crates.io: {source}"))
        }
        None => (!package.manifest_path.starts_with(root)).then(|| {
            format!("it lies outside of the project: {}", package.manifest_path.display())
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RULES: &str = r#"
        [graph]
        all-features = true
        [licenses]
        allow = ["MIT", "Apache-2.0 WITH LLVM-exception"]
        confidence-threshold = 0.9
        exceptions = [{ allow = ["ISC"], crate = "ring" }]
        unused-license-exception = "allow"
        [bans]
        multiple-versions = "allow"
        wildcards = "deny"
        allow-wildcard-paths = true
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
        [advisories]
        yanked = "deny"
    "#;

    /// The faults of a package whose metadata has these changes.
    fn faults(rules: &str, changes: &Value) -> Vec<String> {
        let mut package = json!({
            "name": "a",
            "version": "1.0.0",
            "license": "MIT",
            "source": CRATES_IO,
            "manifest_path": "/registry/a/Cargo.toml",
            "publish": null,
            "dependencies": [{"name": "b", "req": "^1", "kind": null, "path": null}],
        });
        for (key, value) in changes.as_object().unwrap() {
            package[key] = value.clone();
        }
        let package = serde_json::from_value(package).unwrap();
        Rules::parse(rules).unwrap().faults(&[package], Path::new("/project"))
    }

    #[test]
    fn allowed_licences_suffice() {
        for (name, licence, fault) in [
            ("a", "MIT", None),
            ("a", "MIT OR GPL-3.0-only", None),
            ("a", "GPL-3.0-only/MIT", None),
            ("a", "(MIT OR Zlib) AND MIT", None),
            ("a", "Apache-2.0 WITH LLVM-exception", None),
            ("ring", "MIT AND ISC", None),
            ("a", "Apache-2.0", Some("the licence Apache-2.0 is not allowed")),
            ("a", "MIT AND Zlib", Some("the licence MIT AND Zlib is not allowed")),
            ("a", "ISC", Some("the licence ISC is not allowed")),
            ("ring", "Zlib", Some("the licence Zlib is not allowed")),
            ("a", "My-Own", Some("the licence My-Own is unknown: unknown term")),
            ("a", "", Some("the licence  is unknown: empty expression")),
        ] {
            let expected: Vec<_> =
                fault.iter().map(|fault| format!("{name} 1.0.0: {fault}")).collect();
            assert_eq!(faults(RULES, &json!({"name": name, "license": licence})), expected);
        }
        assert_eq!(faults(RULES, &json!({"license": null})), ["a 1.0.0: no licence"]);
    }

    #[test]
    fn an_exception_that_is_not_needed_is_as_the_rule_says() {
        let denied = RULES.replace(
            r#"unused-license-exception = "allow""#,
            r#"unused-license-exception = "deny""#,
        );
        let unused = ["ring: the exception for its licence is not needed"];
        let isc = json!({"name": "ring", "license": "ISC"});
        let mit = json!({"name": "ring"});
        for (rules, changes, expected) in [
            (RULES, &mit, &[][..]),
            (&denied, &isc, &[]),
            (&denied, &mit, &unused),
            (&denied, &json!({}), &unused),
        ] {
            assert_eq!(faults(rules, changes), expected, "{changes}");
        }
    }

    #[test]
    fn packages_come_from_crates_io_or_the_project() {
        let git = "git+https://example.org/a?rev=1#1";
        let registry = "registry+https://example.org/index";
        for source in [git, registry] {
            let expected = format!("a 1.0.0: its source is not crates.io: {source}");
            assert_eq!(faults(RULES, &json!({"source": source})), [expected]);
        }
        for (path, expected) in [
            ("/project/crates/a/Cargo.toml", &[][..]),
            ("/project-2/a/Cargo.toml", &["/project-2/a/Cargo.toml"]),
            ("/registry/a/Cargo.toml", &["/registry/a/Cargo.toml"]),
        ] {
            let found = faults(RULES, &json!({"source": null, "manifest_path": path}));
            let outside = |path| format!("a 1.0.0: it lies outside of the project: {path}");
            assert_eq!(found, expected.iter().map(outside).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_dependency_states_its_versions() {
        let wildcard = ["a 1.0.0: any version of b would do"];
        let (path, none) = (json!("/project/b"), Value::Null);
        let (private, public) = (json!([]), Value::Null);
        let denied = RULES.replace("allow-wildcard-paths = true", "allow-wildcard-paths = false");
        for (rules, publish, path, kind, expected) in [
            (RULES, &private, &path, None, &[][..]),
            (RULES, &public, &path, Some("dev"), &[]),
            (RULES, &public, &path, None, &wildcard),
            (RULES, &private, &none, None, &wildcard),
            (RULES, &public, &none, Some("dev"), &wildcard),
            (&denied, &private, &path, None, &wildcard),
        ] {
            let dependency = json!({"name": "b", "req": "*", "kind": kind, "path": path});
            let changes = json!({"publish": publish, "dependencies": [dependency]});
            assert_eq!(faults(rules, &changes), expected, "{changes}");
        }
    }

    #[test]
    fn a_rule_that_is_not_checked_is_refused() {
        for (old, new, error) in [
            ("yanked = \"deny\"", "unmaintained = \"all\"", None),
            ("wildcards = \"deny\"", "wildcards = \"warn\"", Some("unknown variant `warn`")),
            ("multiple-versions = \"allow\"", "multiple-versions = \"deny\"", Some("`deny`")),
            ("unknown-git = \"deny\"", "unknown-git = \"allow\"", Some("`allow`")),
            ("[bans]", "[bans]\ndeny = [\"b\"]", Some("unknown field `deny`")),
            ("[sources]", "[sources]\nallow-git = []", Some("unknown field `allow-git`")),
            ("[\"ISC\"]", "[\"ISO\"]", Some("ISO")),
            ("[\"MIT\"", "[\"My-Own\"", Some("My-Own")),
        ] {
            let changed = RULES.replace(old, new);
            assert_ne!(changed, RULES);
            let found = Rules::parse(&changed).err();
            match (&found, error) {
                (None, None) => {}
                (Some(found), Some(error)) => assert!(found.contains(error), "{found}"),
                _ => panic!("{new}: {found:?}"),
            }
        }
    }
}

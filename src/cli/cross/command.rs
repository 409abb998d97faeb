//! A translator that is a command of somebody else.

use crate::cli::process::{self, End, Ended};
use crate::cli::request::cross::quoted;
use lwaa::baseline::Nba;
use lwaa::baseline::formats::{self, Size};
use lwaa::ltl::Formula;
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::{Budget, Exhausted};
use lwaa::testbench::translator::{Fault, Translator};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The places in a command where the formula goes, as such or as the name of a
/// file, and how it is written there.
pub(in crate::cli) const PLACES: [(&str, &str, Dialect); 3] =
    [("%f", "%F", Dialect::Spot), ("%s", "%S", Dialect::Spin), ("%l", "%L", Dialect::Lbt)];

/// The place of the name of the file in which the automaton is written.
pub(in crate::cli) const OUTPUT: &str = "%o";

/// What stands for a percent sign.
pub(in crate::cli) const PERCENT: &str = "%%";

/// Messages are cut off after so many characters.
const MAX_MESSAGE: usize = 300;

/// A command template, run by the shell.
#[derive(Debug)]
pub(super) struct External {
    pub(super) name: String,
    pub(super) template: String,
    pub(super) timeout: Duration,
    /// For files of formulas and automata.
    pub(super) folder: TempDir,
}

impl Translator for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn translate(&self, formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Fault> {
        Ok(self.translate_and_measure(formula, budget)?.0)
    }

    fn translate_and_measure(
        &self,
        formula: &Formula,
        budget: &mut Budget<'_>,
    ) -> Result<(Nba, Size), Fault> {
        let crash = |error: std::io::Error| Fault::Crash(error.to_string());
        let output = self.folder.path().join("automaton");
        let script = script(&self.template, formula, self.folder.path(), &output).map_err(crash)?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        let limits = process::Limits { time: Some(self.timeout), memory: None };
        let ended = process::run(&mut command, &[], limits, budget.monitor().switch());
        let ended = ended.map_err(crash)?.ok_or(Exhausted::Interrupted)?;
        match ended.end {
            End::OverTime => return Err(Fault::Time(self.timeout)),
            End::OverMemory => return Err(Fault::Crash("out of memory".to_owned())),
            End::ByItself(_) => (),
        }
        let text = if self.template.contains(OUTPUT) {
            // A command that has written nothing is told by how it ended.
            let bytes = std::fs::read(&output).unwrap_or_default();
            let _ = std::fs::remove_file(&output);
            bytes
        } else {
            ended.stdout.clone()
        };
        read(&String::from_utf8_lossy(&text), &ended)
    }
}

/// The automaton that a command has written. A command that fails may have
/// written something all the same, but nobody should rely on that.
fn read(text: &str, ended: &Ended) -> Result<(Nba, Size), Fault> {
    if let End::ByItself(status) = ended.end
        && !status.success()
    {
        let stderr = String::from_utf8_lossy(&ended.stderr);
        return Err(Fault::Crash(short(&format!("{status}: {}", stderr.trim()))));
    }
    match formats::read_with_size(text) {
        Ok(automaton) => Ok(automaton),
        Err(error) => match ended.end {
            _ if text.trim().is_empty() => {
                let stderr = String::from_utf8_lossy(&ended.stderr);
                Err(Fault::Unreadable(short(&format!("no automaton: {}", stderr.trim()))))
            }
            _ => {
                let place = error.position(text);
                let place = place.map(|(line, column)| format!("{line}:{column}: "));
                Err(Fault::Unreadable(format!("{}{error}", place.unwrap_or_default())))
            }
        },
    }
}

fn short(message: &str) -> String {
    let mut line = message.trim_end_matches([':', ' ']).replace('\n', " ");
    if let Some((end, _)) = line.char_indices().nth(MAX_MESSAGE) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// What the shell is given.
fn script(
    template: &str,
    formula: &Formula,
    folder: &Path,
    output: &Path,
) -> std::io::Result<String> {
    let mut script = String::new();
    let mut rest = template;
    while let Some(place) = rest.find('%') {
        script.push_str(&rest[..place]);
        rest = &rest[place..];
        let text = |dialect| print(formula, dialect);
        let mut known = None;
        for (as_such, in_file, dialect) in PLACES {
            if rest.starts_with(as_such) {
                known = Some(quoted(&text(dialect)));
            } else if rest.starts_with(in_file) {
                let path = folder.join("formula");
                std::fs::write(&path, text(dialect) + "\n")?;
                known = Some(quoted(&path.to_string_lossy()));
            }
        }
        if rest.starts_with(OUTPUT) {
            known = Some(quoted(&output.to_string_lossy()));
        }
        if rest.starts_with(PERCENT) {
            known = Some("%".to_owned());
        }
        let n_bytes = if known.is_some() { 2 } else { 1 };
        script.push_str(known.as_deref().unwrap_or("%"));
        rest = &rest[n_bytes..];
    }
    script.push_str(rest);
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_single_words_of_the_shell() {
        let formula = Formula::parse("p U X q").unwrap();
        let script = |template: &str| {
            script(template, &formula, Path::new("/tmp"), Path::new("/tmp/o")).unwrap()
        };
        assert_eq!(script("a %f -b %s"), "a 'p U X q' -b 'p U X q'");
        let quoted = r#"lbt 'U "p" X "q"' > /tmp/o; echo 100%"#;
        assert_eq!(script("lbt %l > %o; echo 100%%"), quoted);
    }
}

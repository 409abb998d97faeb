//! A translator that is an external command.

use crate::cli::process::{self, End, Ended};
use crate::cli::template::{Piece, Template, quoted};
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

/// What the placeholders of a command stand for: the formula, as such or as the name of a file,
/// and the name of the file in which the automaton is written.
pub(in crate::cli) fn placeholder(letter: char) -> Option<Piece> {
    Some(match letter {
        'f' => Piece::Formula(Dialect::Spot),
        's' => Piece::Formula(Dialect::Spin),
        'l' => Piece::Formula(Dialect::Lbt),
        'F' => Piece::FormulaFile(Dialect::Spot),
        'S' => Piece::FormulaFile(Dialect::Spin),
        'L' => Piece::FormulaFile(Dialect::Lbt),
        'o' => Piece::Output,
        _ => return None,
    })
}

/// Messages are cut off after so many characters.
const MAX_MESSAGE: usize = 300;

/// A command for the shell.
#[derive(Debug)]
pub(super) struct External {
    pub(super) name: String,
    pub(super) template: Template,
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
        let text = if self.template.has_output() {
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
/// written something all the same, which is not read.
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
    template: &Template,
    formula: &Formula,
    folder: &Path,
    output: &Path,
) -> std::io::Result<String> {
    template.script(|piece| {
        Ok(match piece {
            Piece::Formula(dialect) => quoted(&print(formula, *dialect)),
            Piece::FormulaFile(dialect) => {
                let path = folder.join("formula");
                std::fs::write(&path, print(formula, *dialect) + "\n")?;
                quoted(&path.to_string_lossy())
            }
            // There is only one other placeholder.
            _ => quoted(&output.to_string_lossy()),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_single_words_of_the_shell() {
        let formula = Formula::parse("p U X q").unwrap();
        let script = |template: &str| {
            let template = Template::parse(template, placeholder).unwrap();
            script(&template, &formula, Path::new("/tmp"), Path::new("/tmp/o")).unwrap()
        };
        assert_eq!(script("a %f -b %s"), "a 'p U X q' -b 'p U X q'");
        let quoted = r#"lbt 'U "p" X "q"' > /tmp/o; echo 100%"#;
        assert_eq!(script("lbt %l > %o; echo 100%%"), quoted);
    }
}

//! What is left of an internal error: a file by which we can repeat it.
//!
//! The file can be read by `lwaa sat -F`: the lasso is in its comments.

use lwaa::Formula;
use lwaa::ltl::print::{self, Dialect};
use lwaa::report::text::write_lasso;
use lwaa::word::{Lasso, Letter};
use std::hash::BuildHasher;
use std::io::{BufWriter, Result, Write};
use std::path::{Path, PathBuf};

/// Writes a reproducer for a lasso that does not satisfy the formula for which
/// it was found. Returns the message for the user.
pub(super) fn report(formula: &Formula, lasso: &Lasso<Letter>) -> String {
    // The working directory first, because the user will look there.
    let folders = [PathBuf::new(), std::env::temp_dir()];
    let saved = folders.iter().find_map(|folder| save(folder, formula, lasso).ok());
    let place = match saved {
        Some(path) => format!("The formula and the lasso are in {}.", path.display()),
        None => "The formula and the lasso could not be written to a file.".to_owned(),
    };
    format!(
        "internal error: the lasso that was found does not satisfy the formula\n{place}\n\
         This is a bug of lwaa {}. Please report it together with that file.\n",
        env!("CARGO_PKG_VERSION"),
    )
}

fn save(folder: &Path, formula: &Formula, lasso: &Lasso<Letter>) -> Result<PathBuf> {
    let text = print::print(formula, Dialect::Lwaa);
    let hash = rustc_hash::FxBuildHasher.hash_one(&text);
    let path = folder.join(format!("lwaa-refuted-{hash:016x}.ltl"));
    let mut out = BufWriter::new(std::fs::File::create(&path)?);
    writeln!(out, "# lwaa {}: this lasso does not satisfy", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "# the formula below, for which it was found.")?;
    let mut lines = Vec::new();
    write_lasso(&mut lines, formula.atoms(), lasso, "")?;
    for line in String::from_utf8_lossy(&lines).lines() {
        writeln!(out, "# {line}")?;
    }
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_lasso_and_the_formula() {
        let formula = Formula::parse("a U b").unwrap();
        let lasso = Lasso::new(vec![], vec![Letter::new()]).unwrap();
        let path = save(&std::env::temp_dir(), &formula, &lasso).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(text.contains("#   0  (all false)\n"), "{text}");
        assert!(text.ends_with("\na U b\n"), "{text}");
    }
}

//! Writes seeds for all fuzz targets to `fuzz/corpus`: what the project has in `models/` and
//! `formulas/`, and automata of these formulas in every format.

use lwaa::Lwaa;
use lwaa::baseline::translation::{self, Translation};
use lwaa::baseline::{lbt, never};
use lwaa::lang::{self, LANGUAGES, Language};
use lwaa::ltl::print::{Dialect, print};
use lwaa::ltl::{Formula, nnf};
use lwaa::search::limits::{Budget, Limits, Monitor};
use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for path in files(&root.join("formulas"))? {
        let text = fs::read_to_string(path)?;
        let is_formula = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let lines: Vec<&str> = text.lines().filter(is_formula).collect();
        let formulas: Vec<&str> =
            lines.iter().filter_map(|line| Some(line.split_once(' ')?.1.trim())).collect();
        for typed in &formulas {
            of_formula(typed)?;
        }
        for some in formulas.chunks(8) {
            let named = some.iter().enumerate().map(|(n, typed)| format!("r{n}: {typed}\n"));
            write("requirements", named.collect::<String>().as_bytes())?;
        }
    }
    for language in LANGUAGES {
        of_language(language, &root.join("models").join(language.name))?;
    }
    let step = r#"{"state": {"turn": 0}, "process": null, "action": null}"#;
    write("trace", format!(r#"{{"schema": 1, "trace": [{step}]}}"#).as_bytes())?;
    let cycle = format!(r#"{{"schema": 1, "lasso": {{"prefix": [], "cycle": [{step}]}}}}"#);
    write("trace", cycle.as_bytes())
}

/// The formula in every syntax, its automata in every format, and a question about a random model.
fn of_formula(typed: &str) -> Result<()> {
    let Ok(formula) = Formula::parse(typed) else { return Ok(()) };
    write("formula_lwaa", typed.as_bytes())?;
    write("formula_spot", print(&formula, Dialect::Spot).as_bytes())?;
    write("formula_lbt", print(&formula, Dialect::Lbt).as_bytes())?;
    let about_model = typed.replace('q', "p1").replace('r', "p2").replace("p ", "p0 ");
    write("verdict", &[&[0; 8], about_model.as_bytes()].concat())?;
    if let Ok(document) = Lwaa::from_formula(&formula).to_hoa(100) {
        write("automaton_hoa", document.to_string().as_bytes())?;
    }
    let (limits, monitor) = (Limits { states: Some(50), ..Limits::default() }, Monitor::default());
    let mut budget = Budget::new(limits, &monitor);
    let normal_form = nnf::from_formula(&formula);
    let Ok(automaton) = translation::buchi(&normal_form, Translation::Gpvw, true, &mut budget)
    else {
        return Ok(());
    };
    write("automaton_hoa", automaton.to_hoa().to_string().as_bytes())?;
    write("automaton_lbt", lbt::write(&automaton).as_bytes())?;
    match never::write(&automaton, "") {
        Ok(claim) => write("automaton_never", claim.as_bytes()),
        Err(_) => Ok(()),
    }
}

/// The models of a language, each alone and with its first property behind it.
fn of_language(language: &Language, folder: &Path) -> Result<()> {
    let target = format!("model_{}", language.name);
    for path in files(folder)? {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !language.extensions.contains(&extension.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        write(&target, text.as_bytes())?;
        let model = lang::read(language.name, &text, &[]);
        let model = model.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for property in model.properties.iter().take(1) {
            let asked = print(&property.formula, Dialect::Lwaa);
            write(&target, format!("{text}\0{asked}").as_bytes())?;
        }
    }
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// A seed is called by its number; the same seeds get the same names again.
fn write(target: &str, seed: &[u8]) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    let sum = seed.iter().fold(0_u64, |sum, &byte| {
        sum.wrapping_mul(0x0100_0000_01b3).wrapping_add(u64::from(byte) + 1)
    });
    fs::write(folder.join(format!("seed-{sum:016x}")), seed)
}

//! `formula` and `random`: formulas and structures to try things with.

use super::request::{FamilyRequest, RandomFormulas, RandomKripke};
use super::{Exit, Failure, output};
use lwaa::Formula;
use lwaa::ltl::family::FAMILIES;
use lwaa::ltl::print::{self, Dialect};
use lwaa::search::limits::Monitor;
use lwaa::testbench::Random;
use lwaa::testbench::random_formula::random_formula;
use lwaa::testbench::random_kripke;
use std::io::Write;

/// Prints what families there are.
pub(super) fn list_families() -> Result<Exit, Failure> {
    output::verbatim(|out| {
        for family in FAMILIES {
            let kind = if family.satisfiable { "sat" } else { "unsat" };
            let (name, minimum, text) = (family.name, family.minimum, family.description);
            writeln!(out, "{name}\t{kind}\t{minimum}\t{text}")?;
        }
        Ok(())
    })?;
    Ok(Exit::Yes)
}

/// Prints a formula of a family.
pub(super) fn family(request: &FamilyRequest) -> Result<Exit, Failure> {
    let formula = request.family.formula(request.number).map_err(Failure::plain)?;
    output::verbatim(|out| write_formula(out, &formula, request.dialect))?;
    Ok(Exit::Yes)
}

/// Prints random formulas.
pub(super) fn random_formulas(
    request: &RandomFormulas,
    monitor: &Monitor,
) -> Result<Exit, Failure> {
    let mut random = Random::new(request.seed);
    output::verbatim(|out| {
        for _ in 0..request.count {
            if monitor.is_stopped() {
                break;
            }
            write_formula(out, &random_formula(&request.options, &mut random), request.dialect)?;
        }
        Ok(())
    })?;
    Ok(if monitor.is_stopped() { Exit::Unknown } else { Exit::Yes })
}

/// Prints a random Kripke structure, and in a comment how it was made.
pub(super) fn random_kripke(request: &RandomKripke) -> Result<Exit, Failure> {
    let RandomKripke { options, seed, .. } = request;
    let kripke = random_kripke::random_kripke(options, &mut Random::new(*seed));
    let structure = random_kripke::structure(&kripke, options.n_atoms);
    let random_kripke::Options { n_states, density, truth, .. } = options;
    output::verbatim(|out| {
        writeln!(
            out,
            "# random, seed {seed}: {n_states} states, density {density}, truth {truth}"
        )?;
        write!(out, "{structure}")
    })?;
    Ok(Exit::Yes)
}

/// Writes a formula and a line break. The text is never held in memory: it can
/// be much longer than the formula.
fn write_formula(out: &mut dyn Write, formula: &Formula, dialect: Dialect) -> std::io::Result<()> {
    writeln!(out, "{}", std::fmt::from_fn(|f| print::write(f, formula, dialect)))
}

//! The automata of LBT and of the testbench LBTT.
//!
//! A file begins with the number of states and the number of acceptance sets,
//! behind which `s`, `t` or both say whether states or edges are in them; `s` is
//! meant without either. Then come the states: a number, whether the state is
//! initial, the sets it is in up to a `-1`, and its edges up to another `-1`. An
//! edge is a target, the sets it is in up to a `-1`, and a condition in prefix
//! form. What [`write()`] writes has exactly one initial state, since LBTT asks
//! for it; [`read`] takes any number.
//!
//! LBT knows no atoms but `p0`, `p1` and so on. Other ones are written in
//! quotation marks, as Spot does.

mod read;
#[cfg(test)]
mod tests;

pub use read::read;

use super::guard::bundles;
use super::initial;
use super::nba::{Nba, StateId};
use crate::hoa::{Label, Proposition};
use crate::id::Id;
use crate::ltl::print::{Dialect, atom_text};
use crate::search::MarksId;
use crate::word::Atoms;
use std::fmt::Write;

/// An automaton in the format of LBTT, with acceptance on states if it is so.
///
/// ```
/// let text = "never { T0: do :: (p0) -> goto accept_1 od; accept_1: skip }";
/// let automaton = lwaa::baseline::never::read(text)?;
/// assert_eq!(lwaa::baseline::lbt::write(&automaton), "\
/// 2 1
/// 0 1 -1
/// 1 p0
/// -1
/// 1 0 0 -1
/// 1 t
/// -1
/// ");
/// # Ok::<(), lwaa::baseline::formats::FormatError>(())
/// ```
#[must_use]
pub fn write(automaton: &Nba) -> String {
    let automaton = initial::single(automaton);
    let on_states = automaton.is_state_based();
    let mut out = String::new();
    let placement = if on_states { "" } else { "t" };
    write_line(
        &mut out,
        format_args!("{} {}{placement}", automaton.n_states(), automaton.n_sets()),
    );
    let sets = |sets: MarksId| {
        let numbers = automaton.sets(sets).iter().map(|set| format!("{} ", set.index()));
        numbers.collect::<String>() + "-1"
    };
    for state in automaton.states() {
        let is_initial = u8::from(automaton.initial() == [state]);
        write!(out, "{} {is_initial}", state.index()).expect(TAKES_ANY_TEXT);
        if on_states {
            let of_state = automaton
                .edges(state)
                .first()
                .map_or_else(|| "-1".to_owned(), |edge| sets(edge.sets));
            write!(out, " {of_state}").expect(TAKES_ANY_TEXT);
        }
        out.push('\n');
        write_edges(&mut out, &automaton, state, |marks| {
            if on_states { String::new() } else { sets(marks) + " " }
        });
    }
    out
}

const TAKES_ANY_TEXT: &str = "a string takes any text";

fn write_line(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect(TAKES_ANY_TEXT);
}

fn write_edges(
    out: &mut String,
    automaton: &Nba,
    state: StateId,
    sets: impl Fn(MarksId) -> String,
) {
    for bundle in bundles(automaton, state) {
        let target = bundle.edge.target.index();
        let condition = prefix(&bundle.label, automaton.atoms());
        write_line(out, format_args!("{target} {}{condition}", sets(bundle.edge.sets)));
    }
    out.push_str("-1\n");
}

/// A label in prefix form.
fn prefix(label: &Label, atoms: &Atoms) -> String {
    label.evaluate(
        |proposition| match *proposition {
            Proposition::Constant(value) => (if value { "t" } else { "f" }).to_owned(),
            Proposition::Atom(atom) => atom_text(atoms.name(atom), Dialect::Lbt),
            Proposition::Alias(_) => unreachable!("cubes have no aliases"),
        },
        |operand| format!("! {operand}"),
        |left, right| format!("& {left} {right}"),
        |left, right| format!("| {left} {right}"),
    )
}

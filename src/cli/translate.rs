//! `translate`: the automaton of a formula.

use super::args::AutomatonFormat;
use super::progress::Progress;
use super::request::{AlternatingFormat, Goal, Translate};
use super::supervise::{self, explain};
use super::{Exit, Failure, input, output, picture};
use lwaa::baseline::{Nba, configurations, dot, lbt, listing, never, translation};
use lwaa::drawing::Drawing;
use lwaa::ltl::simplify::simplify;
use lwaa::ltl::{Formula, nnf};
use lwaa::lwaa::hoa::DEFAULT_LIMIT;
use lwaa::lwaa::{build, edges};
use lwaa::search::limits::{Budget, Exhausted, Monitor};
use lwaa::{Lwaa, hoa};

/// The length in bytes at which the name of an automaton is cut off.
const NAME_LIMIT: usize = 1000;

/// Prints the automaton.
pub(super) fn run(translate: Translate) -> Result<Exit, Failure> {
    let (limits, svg) = (translate.limits, translate.svg.clone());
    let work = move |monitor: &Monitor| text(&translate, monitor);
    let outcome = supervise::run(limits, Progress::visible(), work)?;
    let Printed { text, warnings, drawing } = match outcome.result? {
        Err(Failure::Exhausted(mut reason)) => {
            explain(&mut reason, outcome.stopped);
            return Err(reason.into());
        }
        printed => printed?,
    };
    output::message(&warnings);
    output::verbatim(|out| out.write_all(text.as_bytes()))?;
    if let (Some(path), Some(drawing)) = (svg, drawing) {
        picture::graph(&path, &drawing, "automaton")?;
    }
    Ok(Exit::Yes)
}

/// What goes to standard output and to standard error.
#[derive(Debug)]
struct Printed {
    text: String,
    warnings: String,
    /// The automaton as a graph, if it is to be drawn.
    drawing: Option<Drawing>,
}

fn text(translate: &Translate, monitor: &Monitor) -> Result<Printed, Failure> {
    let mut warnings = String::new();
    let mut drawing = None;
    let is_drawn = translate.svg.is_some();
    let mut budget = Budget::new(translate.limits, monitor);
    let formula = input::formula(&translate.text, translate.syntax)?.formula;
    let text = match translate.goal {
        Goal::Alternating(format) => {
            let automaton = alternating(&formula, translate.raw);
            budget.check(automaton.n_locations(), 0)?;
            if is_drawn {
                drawing = Some(automaton.drawing(DEFAULT_LIMIT).map_err(too_large)?);
            }
            match format {
                AlternatingFormat::Text => automaton.to_text(),
                AlternatingFormat::Dot => automaton.to_dot(DEFAULT_LIMIT).map_err(too_large)?,
                AlternatingFormat::Hoa => {
                    let document = automaton.to_hoa(DEFAULT_LIMIT).map_err(too_large)?;
                    named(document, &formula)
                }
            }
        }
        Goal::Explicit { method, buchi, format } => {
            let automaton = explicit(&formula, method, buchi, translate.raw, &mut budget)?;
            tracing::info!(states = automaton.n_states(), edges = automaton.n_edges(), "automaton");
            drawing = is_drawn.then(|| dot::drawing(&automaton));
            match format {
                AutomatonFormat::Text => listing::write(&automaton),
                AutomatonFormat::Dot => dot::write(&automaton),
                AutomatonFormat::Hoa => named(automaton.to_hoa(), &formula),
                AutomatonFormat::Lbt => lbt::write(&automaton),
                AutomatonFormat::Never => {
                    for name in never::doubtful(automaton.atoms()) {
                        warnings.push_str("warning: `");
                        warnings.push_str(name);
                        warnings.push_str("` does not seem to be a Promela expression\n");
                    }
                    never::write(&automaton, &format!("{formula:.NAME_LIMIT$}"))
                        .map_err(Failure::plain)?
                }
            }
        }
    };
    Ok(Printed { text, warnings, drawing })
}

fn alternating(formula: &Formula, raw: bool) -> Lwaa {
    if raw { build::raw_from_nnf(nnf::from_formula(formula)) } else { Lwaa::from_formula(formula) }
}

fn explicit(
    formula: &Formula,
    method: Option<translation::Translation>,
    buchi: bool,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let Some(method) = method else {
        let automaton = alternating(formula, raw);
        return if buchi {
            configurations::buchi(&automaton, budget)
        } else {
            configurations::generalized(&automaton, budget)
        };
    };
    let nnf = nnf::from_formula(formula);
    let nnf = if raw { nnf } else { simplify(&nnf) };
    if buchi {
        translation::buchi(&nnf, method, raw, budget)
    } else {
        translation::generalized(&nnf, method, raw, budget)
    }
}

/// The text of a document that is called as the formula is.
fn named(mut document: hoa::Automaton, formula: &Formula) -> String {
    document.name = Some(format!("{formula:.NAME_LIMIT$}"));
    document.to_string()
}

fn too_large(error: edges::TooLarge) -> Failure {
    Failure::TooLarge(format!("error: {error}\nThe format `text` has no such limit.\n"))
}

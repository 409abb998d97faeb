//! What the script of a page about runs gets: runs and properties as one JSON object.

use super::columns::{self, Column};
use super::formula::{self, bits};
use crate::explain::Explanation;
use crate::lang::program::Program;
use crate::ltl::Formula;
use crate::printable::on_one_line;
use crate::report::chart::Chart;
use crate::report::sentence::Sentence;
use crate::report::state::States;
use crate::report::trace::{self, DEFAULT_WIDTH};
use crate::report::waiting::waiting;
use crate::run::{Ending, Run};
use crate::system::Describe;
use crate::word::{Atoms, Letter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;

/// A run on a page.
#[derive(Clone, Copy, Debug)]
pub enum PageRun<'a> {
    /// A run of a model.
    Model {
        /// The run.
        run: &'a Run,
        /// The program whose states it has.
        program: &'a Program,
    },
    /// A word.
    Word {
        /// The names of its atoms.
        atoms: &'a Atoms,
        /// Its letters.
        letters: &'a [Letter],
        /// Where its cycle begins, if it is infinite.
        cycle: Option<usize>,
    },
}

/// When a process could move, and when it did.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// Its name.
    pub name: String,
    /// In which states of the run it can move.
    pub enabled: Vec<bool>,
    /// In which states of the run it moves.
    pub taken: Vec<bool>,
}

/// An atom of a claim along a run.
#[derive(Clone, Debug)]
pub struct ClaimAtom {
    /// Its name.
    pub name: String,
    /// In which states it is true.
    pub values: Vec<bool>,
    /// In which states the claim asks for its value.
    pub decides: Vec<bool>,
}

/// A claim along a run that it accepts.
#[derive(Clone, Debug)]
pub struct ClaimRun {
    /// Its name.
    pub name: String,
    /// Its atoms.
    pub atoms: Vec<ClaimAtom>,
    /// In which states of the run it accepts.
    pub accepting: Vec<bool>,
}

/// What a page shows of one property, or of whatever a run was made for.
#[derive(Debug)]
pub struct Shown<'a> {
    /// What it is called.
    pub name: String,
    /// The verdict, as the first line of an answer has it.
    pub verdict: String,
    /// Whether it is as asked for, if that is known.
    pub is_fine: Option<bool>,
    /// The verdict in a sentence.
    pub sentence: Sentence,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// The run that shows it.
    pub run: Option<PageRun<'a>>,
    /// What the obligations are parts of that the rest of the run has to satisfy.
    pub pending_of: &'static str,
    /// The state of the run in which it is violated for good.
    pub violated_at: Option<usize>,
    /// The formula.
    pub formula: Option<&'a Formula>,
    /// What there is to say about the formula on the run.
    pub explanation: Option<&'a Explanation>,
    /// The claim along the run, if the property is one.
    pub claim: Option<ClaimRun>,
    /// Who could move, for runs of models.
    pub activity: Vec<Activity>,
    /// The run as text, if it is short, for readers without a script.
    pub text: Option<String>,
}

impl<'a> Shown<'a> {
    /// A run of a model of which nothing was asked.
    #[must_use]
    pub fn of_run(name: &str, run: &'a Run, program: &'a Program) -> Self {
        let states = &States::new(program);
        let write = |out: &mut dyn Write| trace::write(out, run, None, states, DEFAULT_WIDTH);
        Self {
            name: name.to_owned(),
            verdict: String::new(),
            is_fine: None,
            sentence: Sentence::default(),
            notes: Vec::new(),
            run: (!run.moments.is_empty()).then_some(PageRun::Model { run, program }),
            pending_of: "the formula",
            violated_at: None,
            formula: None,
            explanation: None,
            claim: None,
            activity: Vec::new(),
            text: short_text(run.moments.len(), write),
        }
    }
}

/// Everything as JSON, safe to be written into a page.
pub(super) fn text(shown: &[Shown<'_>]) -> String {
    let mut runs: Vec<Value> = Vec::new();
    let mut properties = Vec::new();
    let formulas = shown.iter().filter_map(|one| one.formula);
    let named: Vec<&str> =
        formulas.flat_map(|formula| formula.atoms().iter().map(|(_, name)| name)).collect();
    for one in shown {
        let run = one.run.map(|run| {
            let run = self::run(run, &named);
            runs.iter().position(|known| *known == run).unwrap_or_else(|| {
                runs.push(run);
                runs.len() - 1
            })
        });
        properties.push(property(one, run));
    }
    let text = json!({ "runs": runs, "properties": properties }).to_string();
    // The text stands in a script element, which ends at the first `</`.
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn property(shown: &Shown<'_>, run: Option<usize>) -> Value {
    let notes: Vec<_> = shown.notes.iter().map(|note| on_one_line(note)).collect();
    let activity = |one: &Activity| {
        let row = |of: &[bool]| bits(of.len(), |at| of[at]);
        let name = on_one_line(&one.name);
        json!({ "name": name, "enabled": row(&one.enabled), "taken": row(&one.taken) })
    };
    let claim = shown.claim.as_ref().map(formula::claim);
    json!({
        "name": on_one_line(&shown.name),
        "verdict": on_one_line(&shown.verdict),
        "fine": shown.is_fine,
        "sentence": shown.sentence.to_string(),
        "notes": notes,
        "run": run,
        "pending": shown.pending_of,
        "violated": shown.violated_at,
        "formula": claim.or_else(|| {
            shown.formula.and_then(|formula| formula::json(formula, shown.explanation))
        }),
        "activity": shown.activity.iter().map(activity).collect::<Vec<_>>(),
    })
}

/// `named` are the names of all atoms of formulas about the run.
fn run(run: PageRun<'_>, named: &[&str]) -> Value {
    match run {
        PageRun::Model { run, program } => of_model(run, &States::new(program), named),
        PageRun::Word { atoms, letters, cycle } => {
            let columns: Vec<Value> = atoms
                .iter()
                .map(|(atom, name)| {
                    let mut column = Column::new(name);
                    for (position, letter) in letters.iter().enumerate() {
                        column.set(position, if letter.contains(atom) { "true" } else { "false" });
                    }
                    column.json()
                })
                .collect();
            json!({
                "noun": "letter", "n": letters.len(), "cycle": cycle, "columns": columns,
                "ending": if cycle.is_none() { "the word ends here" } else { "" },
            })
        }
    }
}

fn of_model(run: &Run, states: &States<'_>, named: &[&str]) -> Value {
    let chart = Chart::of(run, states);
    let mut texts = Texts::default();
    let lane = |lane: Option<usize>| lane.map_or(json!(-1), |lane| json!(lane));
    let of_steps = |of: &mut dyn FnMut(&crate::report::chart::Step) -> Value| {
        chart.steps.iter().map(of).collect::<Vec<Value>>()
    };
    let lanes = of_steps(&mut |step| lane(step.lane));
    let partners = of_steps(&mut |step| lane(step.partner));
    let labels = of_steps(&mut |step| json!(texts.number(&step.label)));
    let replies = of_steps(&mut |step| match &*step.reply {
        "" => json!(-1),
        reply => json!(texts.number(reply)),
    });
    let messages = chart.messages.iter().map(|one| (one.sent, one.received, &one.label));
    let messages: Vec<Value> = messages
        .map(|(sent, received, label)| json!([sent, received, texts.number(label)]))
        .collect();
    let pending = pending(run, &mut texts);
    let lane_names: Vec<_> = chart.lanes.iter().map(|name| on_one_line(name)).collect();
    let others = chart.steps.iter().enumerate().filter(|(_, step)| !step.others.is_empty());
    let others: serde_json::Map<String, Value> = others
        .map(|(number, step)| {
            let parts = step.others.iter().map(|(lane, text)| json!([lane, texts.number(text)]));
            (number.to_string(), parts.collect::<Value>())
        })
        .collect();
    let (columns, mut notes) = columns::of_run(run, states, named);
    let columns: Vec<Value> = columns.iter().map(Column::json).collect();
    notes.extend(unread(run, states));
    if states.program().source.resets {
        let note = "Variables of processes are set to 0 where they are not read any more.";
        notes.push(note.to_owned());
    }
    let notes: Vec<_> = notes.iter().map(|note| on_one_line(note)).collect();
    json!({
        "noun": "state",
        "n": run.moments.len(),
        "cycle": chart.cycle,
        "lanes": lane_names,
        "by": lanes,
        "with": partners,
        "label": labels,
        "replies": replies,
        "wrong": chart.steps.last().is_some_and(|step| step.is_wrong),
        "messages": messages,
        "pending": pending,
        "texts": texts.list,
        "columns": columns,
        "others": others,
        "notes": notes,
        "stop": stop(run, states),
        "ending": ending(run, states),
    })
}

/// The obligations, where they change.
fn pending(run: &Run, texts: &mut Texts) -> Vec<Value> {
    let mut last: Option<Vec<usize>> = None;
    let mut changes = Vec::new();
    for (position, moment) in run.moments.iter().enumerate() {
        let numbers: Vec<usize> = moment.pending.iter().map(|text| texts.number(text)).collect();
        if last.as_ref() != Some(&numbers) {
            changes.push(json!([position, numbers]));
            last = Some(numbers);
        }
    }
    changes
}

/// Which variables of the text have no values on the page, since no statement reads them.
fn unread(run: &Run, states: &States<'_>) -> Option<String> {
    let taken: BTreeSet<_> = run.moments.iter().filter_map(|moment| moment.taken).collect();
    let steps = taken.iter().flat_map(|&taken| &states.program().transitions[taken].steps);
    let names: BTreeSet<&str> =
        steps.flat_map(|step| step.unread.iter().map(String::as_str)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty())
        .then(|| format!("{} {verb} never read, so no part of states.", names.join(", ")))
}

/// Whether the run comes to a state in which no process can move.
fn stop(run: &Run, states: &States<'_>) -> &'static str {
    let Some(last) = run.moments.last() else { return "" };
    match run.ending {
        Ending::Cycle { .. } if last.taken.is_some() => "",
        Ending::Open | Ending::Fault(_) => "",
        _ if states.may_end(&last.state) => "end",
        _ => "deadlock",
    }
}

/// How a run goes on behind its last state.
fn ending(run: &Run, states: &States<'_>) -> String {
    let stop = |state: &[u64], behind: &str| {
        if states.may_end(state) {
            return format!("the end: every process is where it may stop{behind}");
        }
        let waiting = waiting(states, state);
        let waiting =
            if waiting.is_empty() { String::new() } else { format!(" ({})", waiting.join("; ")) };
        format!("a deadlock: no transition is enabled{behind}{waiting}")
    };
    let Some(last) = run.moments.last() else { return String::new() };
    let text = match &run.ending {
        Ending::Cycle { .. } if last.taken.is_none() => {
            stop(&last.state, ", so the run stays here for ever")
        }
        Ending::Cycle { .. } | Ending::Open => String::new(),
        Ending::Deadlock => stop(&last.state, ""),
        Ending::Fault(fault) => format!("goes wrong: {fault}"),
    };
    on_one_line(&text).into_owned()
}

/// Texts that occur often, by number.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    by_text: HashMap<String, usize, FxBuildHasher>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        self.list.push(on_one_line(text).into_owned());
        self.by_text.insert(text.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// The text of a run, if it is short.
#[must_use]
pub fn short_text(
    n_moments: usize,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Option<String> {
    /// Longer runs are not read as text.
    const MAX_MOMENTS: usize = 200;
    if MAX_MOMENTS < n_moments {
        return None;
    }
    let mut text = Vec::new();
    write(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

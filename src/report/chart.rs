//! A run as a sequence chart: a lane for each process, its steps, and the messages between them.
//!
//! Who moves is what the language says: where steps are made of statements, the actor of the first
//! one, else the process. A rendezvous has a partner. Messages through channels are found by
//! comparing what channels hold: what leaves a channel was put there by an earlier step, or has
//! been there from the beginning. Messages that are on the way when a cycle ends are followed until
//! they are received, through as many rounds as that takes.

mod diagram;
mod svg;

use super::channels;
use super::state::States;
use crate::lang::execute::Ran;
use crate::lang::program::Values;
use crate::lang::source::{Channel, Place};
use crate::run::{Ending, Moment, Run};
use crate::system::{Describe, ProcessId, Told};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{Result, Write};

/// A run as a sequence chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// The names of the processes that move, in the order in which they first do, and then of those
    /// that never do.
    pub lanes: Vec<String>,
    /// The steps; number *i* leaves state *i*.
    pub steps: Vec<Step>,
    /// Messages through channels, in the order in which they are received.
    pub messages: Vec<Message>,
    /// The state in which the cycle begins, if there is one.
    pub cycle: Option<usize>,
    /// The state in which a property is violated for good, if it is marked.
    pub violated: Option<usize>,
}

/// A step of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Who moves; nothing if the run stays where it is.
    pub lane: Option<usize>,
    /// Who moves with it.
    pub partner: Option<usize>,
    /// What is done.
    pub label: String,
    /// What the partner does, where that has words of its own.
    pub reply: String,
    /// What others do at the same time, where all processes move together.
    pub others: Vec<(usize, String)>,
    /// Whether the step goes wrong.
    pub is_wrong: bool,
}

/// A message from a step to a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The step that sends it.
    pub sent: usize,
    /// The step that receives it. Behind the last one, the cycle is counted through again.
    pub received: usize,
    /// What it says.
    pub label: String,
}

impl Chart {
    /// The chart of a run.
    #[must_use]
    pub fn of(run: &Run, states: &States<'_>) -> Self {
        let mut lanes = Lanes::default();
        let mut steps: Vec<Step> = Vec::new();
        for (position, moment) in run.moments.iter().enumerate() {
            let next = run.at(position + 1).map(|next| &*next.state);
            steps.push(lanes.step(moment, next, states));
        }
        if let (Ending::Fault(_), Some(last)) = (&run.ending, steps.last_mut()) {
            last.is_wrong = last.lane.is_some();
        }
        if run.cycle().is_empty() && steps.last().is_some_and(|last| last.lane.is_none()) {
            steps.pop();
        }
        lanes.idle(run, states);
        let messages = messages(run, states, &steps);
        let cycle = run.is_infinite().then(|| run.cycle_start());
        Self { lanes: lanes.names, steps, messages, cycle, ..Self::default() }
    }

    /// The number of the step that a position of the whole run is.
    fn place(&self, position: usize) -> Option<usize> {
        let n_steps = self.steps.len();
        match (position.checked_sub(n_steps), self.cycle) {
            (None, _) => Some(position),
            (Some(beyond), Some(start)) if start < n_steps => {
                Some(start + beyond % (n_steps - start))
            }
            _ => None,
        }
    }

    /// The step that a position of the whole run is.
    #[must_use]
    pub fn step(&self, position: usize) -> Option<&Step> {
        self.steps.get(self.place(position)?)
    }
}

/// Lanes are added for processes that never move until there are so many.
const MAX_IDLE: usize = 64;

/// The lanes that are known, by name.
#[derive(Default)]
struct Lanes {
    names: Vec<String>,
    by_name: HashMap<String, usize, FxBuildHasher>,
}

impl Lanes {
    fn lane(&mut self, name: &str) -> usize {
        let name = if name.is_empty() { "model" } else { name };
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn step(&mut self, moment: &Moment, next: Option<&[u64]>, states: &States<'_>) -> Step {
        let Some(taken) = moment.taken else { return Step::default() };
        let transition = &states.program().transitions[taken];
        let source = &states.program().source;
        let ran = states.statements(&moment.state, taken, next);
        let Some(first) = ran.first() else {
            if let Some(parts) = source.together.get(&taken) {
                return self.together(parts, states);
            }
            let lane = Some(self.lane(states.process(transition)));
            let partner = states.partner(transition).map(|name| self.lane(name));
            return Step { lane, partner, label: transition.action.clone(), ..Step::default() };
        };
        let actor = |one: &Ran| source.actors[one.actor].as_str();
        let lane = self.lane(actor(first));
        let is_rendezvous = states.partner(transition).is_some();
        let other = ran.iter().map(actor).find(|&name| name != actor(first));
        let partner = other.filter(|_| is_rendezvous).map(|name| self.lane(name));
        let text = |of: &dyn Fn(&Ran) -> bool| {
            let ran = ran.iter().filter(|one| of(one));
            ran.map(|one| source.statements[one.statement].to_string())
                .collect::<Vec<_>>()
                .join("; ")
        };
        let is_reply = |one: &Ran| partner.is_some() && actor(one) != actor(first);
        let (label, reply) = (text(&|one| !is_reply(one)), text(&is_reply));
        Step { lane: Some(lane), partner, label, reply, ..Step::default() }
    }

    /// A step of all processes at the same time.
    fn together(&mut self, parts: &[(ProcessId, String)], states: &States<'_>) -> Step {
        let mut parts = parts.iter().map(|(process, action)| {
            let name = &states.program().processes[*process].name;
            (self.lane(name), action.clone())
        });
        let first = parts.next();
        let others = parts.collect();
        match first {
            Some((lane, label)) => Step { lane: Some(lane), label, others, ..Step::default() },
            None => Step::default(),
        }
    }

    /// Adds the processes that exist on the run and never move.
    fn idle(&mut self, run: &Run, states: &States<'_>) {
        let program = states.program();
        let source = &program.source;
        if source.places.is_empty() {
            let named = program.processes.iter().filter(|process| !process.name.is_empty());
            for process in named.take(MAX_IDLE) {
                self.lane(&process.name);
            }
            return;
        }
        let mut places: Vec<&Place> = source.places.iter().collect();
        for moment in &run.moments {
            places.retain(|place| !self.by_name.contains_key(&source.actors[place.actor]));
            if places.is_empty() || MAX_IDLE <= self.names.len() {
                return;
            }
            let values = states.values(&moment.state);
            let is_here = |place: &&&Place| values.value(place.counter, 0) == place.value;
            let found: Vec<&Place> = places.iter().filter(is_here).copied().collect();
            for place in found {
                self.lane(&source.actors[place.actor]);
            }
        }
    }
}

/// What a channel holds, and the steps that have put it there.
type Held = VecDeque<(Value, Option<usize>)>;

/// The messages that are sent and received.
fn messages(run: &Run, states: &States<'_>, steps: &[Step]) -> Vec<Message> {
    let all = &states.program().source.channels;
    let mut found = Vec::new();
    if all.is_empty() || run.moments.is_empty() {
        return found;
    }
    let period = run.cycle().len();
    let mut before: Values = states.values(&run.moments[0].state);
    let mut held: Vec<Held> = all
        .iter()
        .map(|channel| contents(channel, &before).map(|one| (one, None)).collect())
        .collect();
    let mut has_moved = true;
    for position in 0_usize.. {
        // Of later rounds only what has been sent before is new. If a whole round takes none of
        // that out of its channel, no later one does.
        if let Some(beyond) = position.checked_sub(steps.len()) {
            let is_sent =
                |&(_, sent): &(Value, Option<usize>)| sent.is_some_and(|at| at < steps.len());
            let is_begin = period != 0 && beyond % period == 0;
            let is_open = held.iter().flatten().any(is_sent);
            if period == 0 || (is_begin && !(is_open && has_moved)) {
                break;
            }
            has_moved &= !is_begin;
        }
        let Some(next) = run.at(position + 1) else { break };
        let after = states.values(&next.state);
        for (channel, held) in all.iter().zip(&mut held) {
            if !channels::differs(channel, &before, &after) {
                continue;
            }
            let now: Vec<Value> = contents(channel, &after).collect();
            for (label, sent) in change(held, now, position) {
                let Some(sent) = sent.filter(|&sent| sent < steps.len()) else { continue };
                has_moved = true;
                found.push(Message {
                    sent,
                    received: position,
                    label: text(&channel.name, &label),
                });
            }
        }
        before = after;
    }
    found
}

/// The messages that a channel holds; none if it does not exist.
fn contents(channel: &Channel, values: &Values) -> impl Iterator<Item = Value> + use<> {
    match channels::messages(channel, values) {
        Value::Array(list) if channels::exists(channel, values) => list.into_iter(),
        _ => Vec::new().into_iter(),
    }
}

/// Brings what is held to what it is now, and says what has left and who had put it there.
fn change(held: &mut Held, now: Vec<Value>, position: usize) -> Vec<(Value, Option<usize>)> {
    // Most channels are queues: some messages leave at the front, others come at the end.
    let is_queued = |gone: &usize| {
        let mut left = held.iter().skip(*gone).map(|(known, _)| known);
        held.len() - gone <= now.len() && now.iter().zip(&mut left).all(|(one, known)| one == known)
    };
    if let Some(n_gone) = (0..=held.len()).find(is_queued) {
        let gone = held.drain(..n_gone).collect();
        let new = now.into_iter().skip(held.len());
        held.extend(new.map(|message| (message, Some(position))));
        return gone;
    }
    let mut old = std::mem::take(held);
    // Messages keep their order, so what is left is found from the front; a message that does not
    // come in its turn is new or has been taken out before.
    let mut gone = Vec::new();
    for message in now {
        match old.iter().position(|(known, _)| *known == message) {
            Some(at) => {
                gone.extend(old.drain(..at));
                held.extend(old.pop_front());
            }
            None => held.push_back((message, Some(position))),
        }
    }
    gone.extend(old);
    gone
}

/// A message through a channel: `q: ping, 1`.
fn text(channel: &str, message: &Value) -> String {
    let field = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let fields: Vec<String> = message.as_array().into_iter().flatten().map(field).collect();
    format!("{channel}: {}", fields.join(", "))
}

/// A step in one line, for those who have no lanes.
#[must_use]
pub fn mover(told: &[Told]) -> String {
    let mut texts = Vec::new();
    let mut before = "";
    for one in told {
        // Who has moved is said once.
        let (actor, what) = one.mover.split_once(": ").unwrap_or(("", &one.mover));
        let is_same = !actor.is_empty() && actor == before;
        texts.push(if is_same { what } else { one.mover.as_str() });
        before = actor;
    }
    texts.join("; ")
}

/// Who moves into each state, for sentences: `Bob: finish`.
#[must_use]
pub fn mover_into(run: &Run, position: usize, states: &dyn Describe) -> Option<String> {
    let before = run.at(position.checked_sub(1)?)?;
    let next = run.at(position).map(|next| &*next.state);
    Some(mover(&states.told(&before.state, before.taken?, next)))
}

/// How a chart is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartForm {
    /// A picture.
    Svg,
    /// Text that Mermaid draws.
    Mermaid,
    /// Text that `PlantUML` draws.
    PlantUml,
}

impl ChartForm {
    /// Writes a chart.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(self, out: &mut dyn Write, chart: &Chart, title: &str) -> Result<()> {
        match self {
            Self::Svg => svg::write(out, chart, title),
            Self::Mermaid => diagram::mermaid(out, chart),
            Self::PlantUml => diagram::plant_uml(out, chart),
        }
    }
}

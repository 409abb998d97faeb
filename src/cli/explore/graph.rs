//! The states and steps of a small model as a graph.

use super::super::model::Loaded;
use super::super::request::model::Graph;
use super::super::{Failure, input, output, picture};
use lwaa::check::model::Question;
use lwaa::check::room::{Stop, with_room};
use lwaa::check::survey::{Goes, Met, survey};
use lwaa::drawing::svg::MAX_NODES;
use lwaa::drawing::{Drawing, Edge, Node, Role, Shape};
use lwaa::lang::{Demand, OpenedProgram};
use lwaa::ltl::{Formula, Term, Terms};
use lwaa::product::Errors;
use lwaa::report::json::trace;
use lwaa::report::state::States;
use lwaa::run::Run;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::store::StateId;
use lwaa::system::{Describe, Opened, PropositionId, TransitionSystem};
use lwaa::word::AtomId;
use std::collections::{BTreeMap, BTreeSet};

/// A graph in the DOT language may have more states than a picture.
const MAX_STATES: usize = 5000;
/// How many lines of a state are shown, and how many characters of each.
const MAX_LINES: usize = 8;
const MAX_LINE: usize = 40;
/// How many characters the label of an edge has.
const MAX_LABEL: usize = 48;

/// Makes the graph.
pub(super) fn draw(
    loaded: &mut Loaded,
    graph: &Graph,
    errors: Errors,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Drawing, Failure> {
    let labels = labels(&graph.labels);
    let trace = graph.trace.as_ref().map(input::raw_text).transpose()?;
    if let Some((_, text)) = &trace {
        loaded.remake(Demand::Purpose(&trace::purpose(text)))?;
    }
    let loaded = &*loaded;
    let asserts = errors != Errors::Ignore;
    let refuse = |error| loaded.failure(&error);
    with_room(&loaded.model, &[Question::Formula(&labels)], asserts, refuse, |system| {
        let run = match &trace {
            Some((name, text)) => Some(marked(system, name, text)?),
            None => None,
        };
        let mut budget = Budget::new(limits, monitor);
        let most = if graph.svg.is_some() { MAX_NODES } else { MAX_STATES };
        let mut made = Made::new(system, &labels, most);
        match survey(&**system, &mut budget, &mut |met| made.see(met)) {
            Err(Stop::Room(room)) => Err(Stop::Room(room)),
            Err(Stop::Error(reason)) => Err(Stop::Error(reason.into())),
            Ok(()) if made.is_full => Err(Stop::Error(too_large(most))),
            Ok(()) => made.drawing(run.as_ref()).map_err(Stop::Error),
        }
    })
}

fn too_large(most: usize) -> Failure {
    let other = if most == MAX_NODES {
        format!("--dot takes up to {MAX_STATES}, and ")
    } else {
        String::new()
    };
    Failure::TooLarge(format!(
        "error: the model has more than {most} states, too many to be drawn: {other}`lwaa check` \
         draws single runs with --chart and --html\n"
    ))
}

/// Writes the graph into the files that are asked for.
pub(super) fn write(graph: &Graph, drawing: &Drawing) -> Result<(), Failure> {
    if let Some(path) = &graph.dot {
        output::file(path, output::Style::Text, |out| out.write_all(drawing.dot().as_bytes()))?;
    }
    match &graph.svg {
        Some(path) => picture::graph(path, drawing, "states and steps"),
        None => Ok(()),
    }
}

/// A formula with these atoms, so that the model is opened for them.
fn labels(expressions: &[String]) -> Formula {
    let mut terms = Terms::default();
    let mut root = terms.constant(true);
    for expression in expressions {
        let atom = terms.atom(expression);
        root = terms.intern(Term::And(root, atom));
    }
    Formula::new(terms, root)
}

/// The run of a trace file.
fn marked(system: &OpenedProgram, name: &str, text: &str) -> Result<Run, Failure> {
    let states = States::new(system.program());
    match trace::read(text, &states) {
        Ok(read) => Ok(read.run),
        Err(error) => Err(Failure::plain(format_args!("{name}: {error}"))),
    }
}

/// The graph on its way.
struct Made<'a> {
    states: States<'a>,
    judge: <OpenedProgram as Opened>::Judge<'a>,
    /// The names of what is shown of states; if there are none, all of a state is shown.
    names: Vec<&'a str>,
    most: usize,
    is_full: bool,
    labels: Vec<String>,
    by_state: BTreeMap<Box<[u64]>, usize>,
    n_initial: usize,
    /// What leads from one state to another.
    steps: BTreeMap<(usize, usize), Vec<String>>,
}

impl<'a> Made<'a> {
    fn new(system: &'a OpenedProgram, labels: &'a Formula, most: usize) -> Self {
        let names: Vec<&str> = labels.atoms().iter().map(|(_, name)| name).collect();
        let known = names.iter().filter_map(|name| system.proposition(name));
        let atoms: Vec<PropositionId> = known.collect();
        let judge = system.judge(&atoms);
        Self {
            states: States::new(system.program()),
            n_initial: judge.initial_states().len(),
            judge,
            names,
            most,
            is_full: false,
            labels: Vec::new(),
            by_state: BTreeMap::new(),
            steps: BTreeMap::new(),
        }
    }

    fn see(&mut self, met: Met<'_>) -> Goes {
        use lwaa::id::Id;
        let number = |id: StateId| id.index();
        match met {
            Met::State(id, state) => {
                if self.most <= number(id) {
                    self.is_full = true;
                    return Goes::Break(());
                }
                let label = self.label(state);
                self.labels.push(label);
                self.by_state.insert(state.into(), number(id));
            }
            Met::Step { from, taken, to } => {
                let told = self.states.told(from.1, taken, Some(to.1));
                let movers: Vec<String> = told.into_iter().map(|one| one.mover).collect();
                let movers = movers.join("; ");
                let steps = self.steps.entry((number(from.0), number(to.0))).or_default();
                if !steps.contains(&movers) {
                    steps.push(movers);
                }
            }
            Met::Fault(..) => (),
        }
        Goes::Continue(())
    }

    /// What is shown of a state.
    fn label(&mut self, state: &[u64]) -> String {
        use lwaa::id::Id;
        let mut lines = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            if self.judge.observe_atom(state, AtomId::new(number)).unwrap_or(false) {
                lines.push((*name).to_owned());
            }
        }
        if self.names.is_empty() {
            lines = self.states.full(state);
        }
        let more = lines.len().saturating_sub(MAX_LINES);
        let mut lines: Vec<String> =
            lines.iter().take(MAX_LINES).map(|line| cut(line, MAX_LINE)).collect();
        if 0 < more {
            lines.push(format!("… {more} more"));
        }
        if lines.is_empty() { "–".to_owned() } else { lines.join("\n") }
    }

    /// The graph, with a run that stands out.
    fn drawing(self, run: Option<&Run>) -> Result<Drawing, Failure> {
        let marked = match run {
            Some(run) => self.positions(run)?,
            None => Vec::new(),
        };
        let nodes: BTreeSet<usize> = marked.iter().copied().collect();
        let edges: BTreeSet<(usize, usize)> =
            marked.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let mut drawing = Drawing::new("states", Shape::Box);
        for number in 0..self.n_initial {
            let id = format!("start{number}");
            drawing.add(Node { id, role: Role::Nowhere, ..Node::default() });
        }
        for (number, label) in self.labels.into_iter().enumerate() {
            let is_marked = nodes.contains(&number);
            let (id, label) = (number.to_string(), Some(label));
            drawing.add(Node { id, label, is_marked, ..Node::default() });
        }
        for number in 0..self.n_initial {
            let target = self.n_initial + number;
            drawing.join(Edge { source: number, target, ..Edge::default() });
        }
        for ((from, to), movers) in self.steps {
            let [source, target] = [from, to].map(|number| self.n_initial + number);
            let label = Some(cut(&movers.join(", "), MAX_LABEL));
            let is_marked = edges.contains(&(from, to));
            drawing.join(Edge { source, target, label, is_marked, ..Edge::default() });
        }
        Ok(drawing)
    }

    /// The states of a run by number; behind the last one comes the first of the cycle again.
    fn positions(&self, run: &Run) -> Result<Vec<usize>, Failure> {
        let n_moments = run.moments.len() + usize::from(run.is_infinite());
        let states = (0..n_moments).filter_map(|position| run.at(position));
        let number = |(position, moment): (usize, &lwaa::run::Moment)| {
            self.by_state.get(&moment.state).copied().ok_or_else(|| {
                Failure::plain(format_args!(
                    "the trace is no run of the model: its state {position} is not reachable"
                ))
            })
        };
        states.enumerate().map(number).collect()
    }
}

/// The beginning of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

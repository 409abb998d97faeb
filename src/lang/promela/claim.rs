//! Never claims: the control flow of a claim as an automaton that reads states.
//!
//! A claim moves in each state, before the model does. It only looks, so what an
//! edge asks is one condition, made of those of the statements that it passes: inside
//! of `atomic` and `d_step` a claim goes on in the same state. Where a claim ends,
//! or where an assertion of it fails, it accepts whatever follows.

use super::super::claim::{Claim, ClaimEdge, ClaimState};
use super::super::program::{Program, Proposition, Span};
use super::ast::{Expression, ExpressionId, Module, Process, Statement};
use super::claim_words;
use super::graph::{self, Action, Edge, Graph, Hold, LocationId};
use super::lowering::{Lowering, Speaker};
use super::names::{Map, SlotNames};
use super::turns::is_else;
use super::{SourceError, error};
use crate::id::Id;

/// The name of the atom that some process is at a label that begins with `accept`. No
/// expression looks like that.
pub(super) const ACCEPTING: &str = "@accept";

/// The name of the atom that some process can move.
pub(super) const MOVING: &str = "@moves";

/// What stands behind the name of a condition that is evaluated where no process can move:
/// there `np_` is false.
pub(super) const AT_REST: &str = " at rest";

/// So many edges a state of a claim may have.
const MAX_EDGES: usize = 4096;

/// The claims of a model, and the expressions of their conditions by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    pub(super) list: Vec<Claim>,
    pub(super) conditions: Map<String, ExpressionId>,
}

/// Reads all claims of a model. `is_labelled` says whether processes have labels that
/// begin with `accept`: they count, too.
pub(super) fn claims(module: &mut Module, is_labelled: bool) -> Result<Claims, SourceError> {
    let mut claims = Claims::default();
    for process in module.claims.clone() {
        let graph = graph::graph(module, &graph::Facts::default(), &process)?;
        if let Some(local) = graph.own_variables().next() {
            let message = "a never claim has no variables of its own: it only looks at the model";
            return error(local.declaration.name.place, message);
        }
        let name = process.name.text.clone();
        if let Some(same) = claims.list.iter().find(|claim| claim.name == name) {
            return error(process.name.place, format!("there are two claims `{}`", same.name));
        }
        let claim = Claim { name, span: process.place, ..Claim::default() };
        let conditions = &mut claims.conditions;
        let mut builder = Builder { module, graph: &graph, claim, conditions };
        builder.build(&process, is_labelled)?;
        let claim = builder.claim;
        let title = |name: &String| match claims.conditions.get(name) {
            Some(&id) => {
                let end = if name.ends_with(AT_REST) { AT_REST } else { "" };
                format!("{}{end}", claim_words::text(&module.expressions, id))
            }
            None if name == MOVING => "some process can move".to_owned(),
            None => "some process is at a label that begins with `accept`".to_owned(),
        };
        let titles = claim.atoms.iter().map(title).collect();
        claims.list.push(Claim { titles, ..claim });
    }
    Ok(claims)
}

struct Builder<'a> {
    module: &'a mut Module,
    graph: &'a Graph,
    claim: Claim,
    conditions: &'a mut Map<String, ExpressionId>,
}

/// A claim on its way through statements that it passes in one state.
struct Passing {
    /// What is true there; nothing if nothing was asked.
    condition: Option<ExpressionId>,
    at: LocationId,
    passed: Vec<LocationId>,
}

/// A condition, or that there is none, or that it is never true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    Always,
    Never,
    If(ExpressionId),
}

impl Builder<'_> {
    fn build(&mut self, process: &Process, is_labelled: bool) -> Result<(), SourceError> {
        let failed = self.graph.locations.len();
        // The automaton begins with its first state.
        self.claim.states = vec![ClaimState::default(); failed + 2];
        for at in self.graph.locations.ids() {
            let state = at.index() + 1;
            let location = &self.graph.locations[at];
            if self.is_end(at) {
                self.accept_all(state);
                continue;
            }
            let is_accepting = location.labels.iter().any(|label| label.starts_with("accept"));
            self.claim.states[state].is_accepting = is_accepting;
            self.edges(at, failed + 1)?;
            if MAX_EDGES < self.claim.states[state].edges.len() {
                let message = format!("a state of this claim has more than {MAX_EDGES} edges");
                return error(process.name.place, message);
            }
        }
        self.accept_all(failed + 1);
        let start = self.graph.start.index() + 1;
        self.claim.states[0] = self.claim.states[start].clone();
        self.tell_rest();
        if is_labelled {
            self.claim.accepting = Some(self.claim.atoms.len());
            self.claim.atoms.push(ACCEPTING.to_owned());
        }
        Ok(())
    }

    fn is_end(&self, at: LocationId) -> bool {
        self.graph.locations[at].is_end()
    }

    fn accept_all(&mut self, state: usize) {
        let edges = vec![ClaimEdge { conditions: Vec::new(), target: state }];
        self.claim.states[state] = ClaimState { is_accepting: true, edges };
    }

    /// The edges of the state that a location is.
    fn edges(&mut self, from: LocationId, failed: usize) -> Result<(), SourceError> {
        let source = from.index() + 1;
        let mut open = vec![Passing { condition: None, at: from, passed: vec![from] }];
        while let Some(Passing { condition, at, passed }) = open.pop() {
            let edges = self.graph.locations[at].edges.clone();
            for (number, edge) in edges.iter().enumerate() {
                let mut condition = match self.guard(&edges, number)? {
                    Guard::Never => continue,
                    Guard::Always => condition,
                    Guard::If(guard) => Some(self.and(condition, guard)),
                };
                if let Some(asserted) = self.asserted(edge) {
                    let fails = self.not(asserted);
                    let fails = self.and(condition, fails);
                    self.edge(source, Some(fails), failed);
                    condition = Some(self.and(condition, asserted));
                }
                if edge.hold == Hold::None || self.is_end(edge.target) {
                    self.edge(source, condition, edge.target.index() + 1);
                    continue;
                }
                if passed.contains(&edge.target) || MAX_EDGES < open.len() {
                    let message = "a claim does not loop inside of `atomic` or `d_step`";
                    return error(edge.place, message);
                }
                // A claim that cannot go on inside of `atomic` does not follow the run any
                // further; inside of a `d_step` that is a mistake, which is shown.
                if edge.hold == Hold::Step
                    && let Guard::If(stuck) = self.stuck(edge.target)?
                {
                    let stuck = self.and(condition, stuck);
                    self.edge(source, Some(stuck), failed);
                }
                let mut passed = passed.clone();
                passed.push(edge.target);
                open.push(Passing { condition, at: edge.target, passed });
            }
        }
        Ok(())
    }

    /// That no edge of a location can be taken.
    fn stuck(&mut self, at: LocationId) -> Result<Guard, SourceError> {
        let edges = self.graph.locations[at].edges.clone();
        let mut stuck = Guard::Always;
        for number in 0..edges.len() {
            let guard = self.guard(&edges, number)?;
            stuck = self.without(stuck, guard);
        }
        Ok(stuck)
    }

    /// `guard`, and not `other`.
    fn without(&mut self, guard: Guard, other: Guard) -> Guard {
        match (guard, other) {
            (Guard::Never, _) | (_, Guard::Always) => Guard::Never,
            (guard, Guard::Never) => guard,
            (Guard::Always, Guard::If(other)) => Guard::If(self.not(other)),
            (Guard::If(guard), Guard::If(other)) => {
                let other = self.not(other);
                Guard::If(self.and(Some(guard), other))
            }
        }
    }

    /// When an edge can be taken, by itself.
    fn own(&self, edge: &Edge) -> Result<Guard, SourceError> {
        let refuse = |message: &str| error(edge.place, message);
        let id = match edge.action {
            Action::Statement(id) => id,
            Action::Jump | Action::End => return Ok(Guard::Always),
            Action::Declare(_) => return refuse("a never claim has no variables of its own"),
        };
        match self.module.statements[id].statement {
            Statement::Expression(condition) => match self.module.expressions[condition].0 {
                Expression::Number(0) => Ok(Guard::Never),
                Expression::Number(_) => Ok(Guard::Always),
                Expression::Run { .. } => refuse("a never claim cannot run processes"),
                _ => Ok(Guard::If(condition)),
            },
            Statement::Assert(_) | Statement::Print { .. } | Statement::PrintSymbol(_) => {
                Ok(Guard::Always)
            }
            _ => refuse("a never claim only looks at the model: it cannot change anything"),
        }
    }

    /// When an edge can be taken, given the others of its location.
    fn guard(&mut self, edges: &[Edge], number: usize) -> Result<Guard, SourceError> {
        let edge = &edges[number];
        let is_last = is_else(self.module, edge);
        let mut guard = if is_last { Guard::Always } else { self.own(edge)? };
        for (other_number, other) in edges.iter().enumerate() {
            let yields_to_all = is_last && other.rank == edge.rank;
            let is_same_block = edge.step_block.is_some() && edge.step_block == other.step_block;
            let is_earlier = is_same_block && other_number < number;
            let goes_first = yields_to_all || is_earlier || other.rank < edge.rank;
            if goes_first && !is_else(self.module, other) {
                let other = self.own(other)?;
                guard = self.without(guard, other);
            }
        }
        Ok(guard)
    }

    fn asserted(&self, edge: &Edge) -> Option<ExpressionId> {
        let Action::Statement(id) = edge.action else { return None };
        match self.module.statements[id].statement {
            Statement::Assert(condition) => Some(condition),
            _ => None,
        }
    }

    fn place(&self, id: ExpressionId) -> Span {
        self.module.expressions[id].1
    }

    fn not(&mut self, operand: ExpressionId) -> ExpressionId {
        let place = self.place(operand);
        self.module.expressions.push((Expression::Unary("!", operand), place))
    }

    fn and(&mut self, left: Option<ExpressionId>, right: ExpressionId) -> ExpressionId {
        let Some(left) = left else { return right };
        let place = self.place(right);
        self.module.expressions.push((Expression::Binary("&&", left, right), place))
    }

    /// Adds an edge to a state.
    fn edge(&mut self, source: usize, condition: Option<ExpressionId>, target: usize) {
        let conditions = condition.map(|condition| (self.atom(condition), true));
        let conditions = conditions.into_iter().collect();
        self.claim.states[source].edges.push(ClaimEdge { conditions, target });
    }

    fn atom(&mut self, condition: ExpressionId) -> usize {
        let name = format!("{} {}", self.claim.name, condition.index());
        self.conditions.insert(name.clone(), condition);
        self.named(name)
    }

    /// Makes `np_` false as soon as no process has been able to move: there is no progress
    /// to be made. From then on the claim is in copies of its states.
    fn tell_rest(&mut self) {
        let all = self.claim.atoms.clone();
        let mut at_rest: Vec<usize> = (0..all.len()).collect();
        for (atom, name) in all.iter().enumerate() {
            let Some(&condition) = self.conditions.get(name) else { continue };
            if asks_progress(self.module, condition) {
                let name = format!("{name}{AT_REST}");
                self.conditions.insert(name.clone(), condition);
                at_rest[atom] = self.named(name);
            }
        }
        if self.claim.atoms.len() == all.len() {
            return;
        }
        let moves = self.named(MOVING.to_owned());
        let n_states = self.claim.states.len();
        let mut copies = self.claim.states.clone();
        for edge in copies.iter_mut().flat_map(|state| &mut state.edges) {
            edge.target += n_states;
            edge.conditions.iter_mut().for_each(|(atom, _)| *atom = at_rest[*atom]);
        }
        for state in &mut self.claim.states {
            let resting = state.edges.clone().into_iter().map(|mut edge| {
                edge.target += n_states;
                edge.conditions.push((moves, false));
                edge
            });
            let resting: Vec<ClaimEdge> = resting.collect();
            state.edges.iter_mut().for_each(|edge| edge.conditions.push((moves, true)));
            state.edges.extend(resting);
        }
        self.claim.states.extend(copies);
    }

    fn named(&mut self, name: String) -> usize {
        let atoms = &mut self.claim.atoms;
        atoms.iter().position(|known| *known == name).unwrap_or_else(|| {
            atoms.push(name);
            atoms.len() - 1
        })
    }
}

/// Whether an expression asks for `np_`.
fn asks_progress(module: &Module, id: ExpressionId) -> bool {
    let mut needed = vec![id];
    let mut at = 0;
    while at < needed.len() {
        module.expressions[needed[at]].0.operands(&mut needed);
        at += 1;
    }
    needed.iter().any(|&id| module.expressions[id].0 == Expression::NoProgress)
}

impl SlotNames {
    /// What an atom says that no formula can name.
    pub(super) fn claim_atom(
        &self,
        program: &mut Program,
        name: &str,
    ) -> Option<Result<Proposition, SourceError>> {
        if name == ACCEPTING {
            let any = Lowering::global(program, self).is_any_at("accept");
            return Some(Ok(Proposition::State(any)));
        }
        if name == MOVING {
            return Some(Ok(Proposition::Enabled(program.transitions.ids().collect())));
        }
        let &condition = self.claims.conditions.get(name)?;
        let is_at_rest = name.ends_with(AT_REST);
        let speaker = Speaker { is_at_rest, ..Speaker::global(self) };
        let condition = Lowering { program, names: self, speaker }.value(condition);
        Some(condition.map(Proposition::State))
    }

    /// Passes if the conditions of all claims mean something.
    pub(super) fn check_claims(&self, program: &Program) -> Result<(), SourceError> {
        if self.claims.list.is_empty() {
            return Ok(());
        }
        let mut program = program.clone();
        for name in self.claims.list.iter().flat_map(|claim| &claim.atoms) {
            self.claim_atom(&mut program, name).transpose()?;
        }
        Ok(())
    }
}

//! The machine that builds nodes and applies rules to each of them.
//!
//! A rule answers with an expression whose operators are again subject to the
//! rules, so building is a computation of unbounded depth. It runs on two
//! stacks of its own: `tasks`, what is still to be done, and `values`, the
//! nodes that later tasks will take as operands.

use super::arena::{Arena, FixpointNode, ListNode};
use super::implication::Budget;
use super::pattern::Expression;
use super::rules::{Rewrite, Rule};
use crate::ltl::dual::{Quantifier, View, fixpoint_node, list_node, plain_node};
use crate::ltl::nnf::{Node, NodeId, Nodes};

/// How often a long list may be rewritten before it is taken as it is. Most
/// need a few rounds; only chains such as `a & (!a | b) & (!b | c) & …` need
/// one round for each link.
const MAX_ROUNDS: u32 = 8;

/// Up to this many operands, a list may be rewritten any number of times.
const SHORT: usize = 32;

enum Task {
    /// Push the value of an expression.
    Evaluate(Expression),
    /// Pop so many operands and push their list; so many rounds have been
    /// spent on it.
    List(Quantifier, usize, u32),
    /// Pop the argument and push its `X`.
    Next,
    /// Pop both sides and push the until or release.
    Fixpoint(Quantifier),
    /// Pop the argument and push its `G`.
    Unsplit,
}

/// Builds nodes and applies rules to each of them.
pub(super) struct Rewriter<'a> {
    arena: Arena,
    rules: &'a [&'static Rule],
    tasks: Vec<Task>,
    values: Vec<NodeId>,
    /// How many operators and operands may still be rewritten. No combination
    /// of rules is known to run in circles; this makes sure.
    fuel: usize,
    /// With more nodes than this in the arena, rules that add some are not
    /// applied any more.
    room: usize,
    /// How often each rule was applied.
    pub(super) n_applied: Vec<u64>,
}

impl<'a> Rewriter<'a> {
    /// A machine for a formula of `n_nodes` nodes with `n_operands` operands.
    pub(super) fn new(rules: &'a [&'static Rule], n_nodes: usize, n_operands: usize) -> Self {
        let size = n_nodes + n_operands;
        Self {
            arena: Arena::new(n_nodes, Budget::new(256 * size as u64 + 10_000)),
            n_applied: vec![0; rules.len()],
            rules,
            tasks: Vec::new(),
            values: Vec::new(),
            fuel: 64 * size + 10_000,
            room: 4 * size + 10_000,
        }
    }

    /// Whether rules were given up before all had been applied.
    pub(super) fn exhausted(&self) -> bool {
        self.fuel == 0
    }

    /// The arena without what is known about its nodes.
    pub(super) fn into_nodes(self) -> Nodes {
        self.arena.into_nodes()
    }

    /// A constant or a literal.
    pub(super) fn leaf(&mut self, node: Node<'_>) -> NodeId {
        self.arena.intern(node)
    }

    /// The conjunction or disjunction of `operands`, simplified.
    pub(super) fn list(&mut self, quantifier: Quantifier, operands: Vec<NodeId>) -> NodeId {
        let n_operands = operands.len();
        self.values.extend(operands);
        self.run(Task::List(quantifier, n_operands, 0))
    }

    /// `X argument`, simplified.
    pub(super) fn next(&mut self, argument: NodeId) -> NodeId {
        self.values.push(argument);
        self.run(Task::Next)
    }

    /// The until or release of both sides, simplified.
    pub(super) fn fixpoint(
        &mut self,
        quantifier: Quantifier,
        left: NodeId,
        right: NodeId,
    ) -> NodeId {
        self.values.extend([left, right]);
        self.run(Task::Fixpoint(quantifier))
    }

    fn run(&mut self, task: Task) -> NodeId {
        self.tasks.push(task);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Evaluate(expression) => self.evaluate(expression, 0),
                Task::List(quantifier, n_operands, rounds) => {
                    self.reduce_list(quantifier, n_operands, rounds);
                }
                Task::Next => {
                    let argument = self.pop();
                    self.reduce(View::Next(argument), Node::Next(argument));
                }
                Task::Fixpoint(quantifier) => {
                    let (right, left) = (self.pop(), self.pop());
                    let node = fixpoint_node(quantifier, left, right);
                    self.reduce(View::Fixpoint(quantifier, left, right), node);
                }
                Task::Unsplit => self.globally_unsplit(),
            }
        }
        self.pop()
    }

    fn pop(&mut self) -> NodeId {
        self.values.pop().expect("each task finds the values of those before it")
    }

    /// Schedules the construction of `expression`; `rounds` have been spent on
    /// it if it is a list.
    fn evaluate(&mut self, expression: Expression, rounds: u32) {
        match expression {
            Expression::Node(id) => self.values.push(id),
            Expression::List(quantifier, operands) => {
                self.tasks.push(Task::List(quantifier, operands.len(), rounds));
                // Operands are sorted later on, and most are nodes.
                for operand in operands.into_iter().rev() {
                    match operand {
                        Expression::Node(id) => self.values.push(id),
                        operand => self.tasks.push(Task::Evaluate(operand)),
                    }
                }
            }
            Expression::Next(argument) => {
                self.tasks.extend([Task::Next, Task::Evaluate(*argument)]);
            }
            Expression::Fixpoint(quantifier, sides) => {
                let [left, right] = *sides;
                let sides = [Task::Evaluate(right), Task::Evaluate(left)];
                self.tasks.push(Task::Fixpoint(quantifier));
                self.tasks.extend(sides);
            }
            Expression::Unsplit(argument) => {
                self.tasks.extend([Task::Unsplit, Task::Evaluate(*argument)]);
            }
        }
    }

    fn reduce_list(&mut self, quantifier: Quantifier, n_operands: usize, rounds: u32) {
        let mut operands = self.values.split_off(self.values.len() - n_operands);
        operands.sort_unstable();
        match operands[..] {
            [] => self.values.push(quantifier.neutral()),
            [only] => self.values.push(only),
            _ => {
                let short = n_operands <= SHORT || rounds < MAX_ROUNDS;
                let view = View::List(quantifier, &operands);
                let rewritten = if short { self.rewritten(view) } else { None };
                if let Some(expression) = rewritten {
                    self.evaluate(expression, rounds + 1);
                } else {
                    let id = self.arena.intern(list_node(quantifier, &operands));
                    self.values.push(id);
                }
            }
        }
    }

    fn reduce(&mut self, view: View<'_>, node: Node<'static>) {
        if let Some(expression) = self.rewritten(view) {
            self.evaluate(expression, 0);
        } else {
            let id = self.arena.intern(node);
            self.values.push(id);
        }
    }

    fn globally_unsplit(&mut self) {
        let argument = self.pop();
        let node = plain_node(Quantifier::All, argument);
        if self.arena.operands(Quantifier::All, argument).is_some() {
            let id = self.arena.intern(node);
            self.values.push(id);
        } else {
            self.reduce(View::Fixpoint(Quantifier::All, Nodes::FALSE, argument), node);
        }
    }

    /// What the first rule that fits makes of a node.
    fn rewritten(&mut self, view: View<'_>) -> Option<Expression> {
        if self.fuel == 0 {
            return None;
        }
        let arena = &self.arena;
        let has_room = arena.nodes().len() <= self.room;
        let (index, expression) = self.rules.iter().enumerate().find_map(|(index, rule)| {
            let expression = match (rule.rewrite, view) {
                _ if rule.grows && !has_room => None,
                (Rewrite::List(rewrite), View::List(quantifier, operands)) => {
                    rewrite(ListNode { arena, quantifier, operands })
                }
                (Rewrite::Next(rewrite), View::Next(argument)) => rewrite(arena, argument),
                (Rewrite::Fixpoint(rewrite), View::Fixpoint(quantifier, left, right)) => {
                    rewrite(FixpointNode { arena, quantifier, left, right })
                }
                _ => None,
            };
            Some((index, expression?))
        })?;
        let cost = match view {
            View::List(_, operands) => operands.len(),
            _ => 1,
        };
        self.fuel = self.fuel.saturating_sub(1 + cost);
        self.n_applied[index] += 1;
        Some(expression)
    }
}

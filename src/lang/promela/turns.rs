//! Which edges of a location go first: those behind `unless`, those before an `else`, and
//! the first one of a `d_step`.
//!
//! The condition of an edge is made from that of an edge before it, so that the work for a
//! location grows with the number of its edges and not with its square.

use super::super::program::{
    BinaryOperator, Expression as Lowered, ExpressionId as LoweredId, Program, UnaryOperator,
};
use super::ast::{Module, Statement};
use super::graph::{Action, Edge};
use super::names::Map;
use crate::work::tick;

/// Whether an edge is an `else`.
pub(super) fn is_else(module: &Module, edge: &Edge) -> bool {
    let Action::Statement(id) = edge.action else { return false };
    matches!(module.statements[id].statement, Statement::Else)
}

/// A condition, and that none of the first edges can be taken.
#[derive(Clone, Copy)]
struct Without {
    guard: LoweredId,
    n_edges: usize,
}

impl Without {
    /// Adds the edges up to a number.
    fn up_to(&mut self, n_edges: usize, can: &[LoweredId], program: &mut Program) -> LoweredId {
        for &other in can.get(self.n_edges..n_edges).unwrap_or_default() {
            self.guard = and_not(program, self.guard, other);
        }
        self.n_edges = self.n_edges.max(n_edges);
        self.guard
    }
}

fn and_not(program: &mut Program, guard: LoweredId, other: LoweredId) -> LoweredId {
    tick();
    let cannot = program.expression(Lowered::Unary(UnaryOperator::Not, other));
    program.binary(BinaryOperator::And, guard, cannot)
}

/// The edges of a location, asked in their order, which is that of their ranks.
pub(super) struct Turns<'l> {
    /// Whether each edge can be taken.
    can: &'l [LoweredId],
    /// Without those of lower ranks.
    below: Without,
    /// Without all those before.
    earlier: Without,
    /// For a rank and a `d_step`: the condition of its last edge, and which one that is.
    blocks: Map<(usize, usize), (LoweredId, usize)>,
    /// The number of the edge that is next, its rank, and the first edge of that rank.
    number: usize,
    rank: usize,
    first: usize,
}

impl<'l> Turns<'l> {
    /// The turns of edges that all wait for `guard`.
    pub(super) fn new(guard: LoweredId, can: &'l [LoweredId]) -> Self {
        let none = Without { guard, n_edges: 0 };
        let (below, earlier, blocks) = (none, none, Map::default());
        Self { can, below, earlier, blocks, number: 0, rank: 0, first: 0 }
    }

    /// What the next edge waits for, apart from its own guard.
    pub(super) fn next(&mut self, program: &mut Program, edge: &Edge, is_else: bool) -> LoweredId {
        let number = self.number;
        self.number += 1;
        if self.rank != edge.rank {
            (self.rank, self.first) = (edge.rank, number);
        }
        let below = self.below.up_to(self.first, self.can, program);
        let of_block = edge.step_block.map(|block| {
            let before = self.blocks.get(&(edge.rank, block)).copied();
            let guard =
                before.map_or(below, |(guard, last)| and_not(program, guard, self.can[last]));
            self.blocks.insert((edge.rank, block), (guard, number));
            guard
        });
        // As in `pan`, where choices are nested, those behind an `else` do not count.
        if is_else {
            return self.earlier.up_to(number, self.can, program);
        }
        of_block.unwrap_or(below)
    }
}

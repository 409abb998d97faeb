//! Where a process can be, and where it goes on behind a statement.
//!
//! Location 0 is that of a process that is not active yet. In front of each
//! statement there is a location, in the order of the text, and the last one is
//! the end. `IF` and `DO` have one location each: to choose an alternative is a
//! step, and the step leads to the first statement of the alternative.

use super::ast::{Action, Body};
use crate::work::tick;

/// The location in front of a statement.
pub(super) fn location(statement: usize) -> i64 {
    i64::try_from(statement).unwrap_or(i64::MAX - 1) + 1
}

/// The location behind everything.
pub(super) fn end(body: &Body) -> i64 {
    location(body.statements.len())
}

/// Where a body begins, if its continuation is the end.
pub(super) fn entry(body: &Body, block: usize) -> i64 {
    body.blocks[block].first().map_or_else(|| end(body), |&first| location(first))
}

/// What follows what.
pub(super) struct Flow {
    /// The location behind each statement.
    pub(super) after: Vec<i64>,
    /// The location at which each block begins.
    pub(super) entry: Vec<i64>,
}

impl Flow {
    /// Blocks stand behind the statements that they are in, so one pass in
    /// their order is enough.
    pub(super) fn new(body: &Body) -> Self {
        let end = end(body);
        let mut flow =
            Self { after: vec![end; body.statements.len()], entry: vec![end; body.blocks.len()] };
        // Where to go on behind each block.
        let mut behind = vec![end; body.blocks.len()];
        for (block, statements) in body.blocks.iter().enumerate() {
            let first = statements.first();
            flow.entry[block] = first.map_or(behind[block], |&first| location(first));
            let next = statements.iter().skip(1).map(|&next| location(next));
            for (&statement, next) in statements.iter().zip(next.chain([behind[block]])) {
                flow.after[statement] = next;
                let Action::Select { is_repeated, alternatives } =
                    &body.statements[statement].action
                else {
                    continue;
                };
                for alternative in alternatives {
                    behind[alternative.block] =
                        if *is_repeated { location(statement) } else { next };
                }
            }
        }
        flow
    }
}

/// Counts lines and columns on the way through a text.
pub(super) struct Counter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> Counter<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// The names of the locations of a body: line and column of the statement that comes
    /// next. Bodies are asked for in the order of the text, and so are their statements,
    /// which is why the counter only goes on.
    pub(super) fn location_names(&mut self, body: &Body) -> Vec<String> {
        let mut names = vec!["inactive".to_owned()];
        for statement in &body.statements {
            for c in self.text[self.at..statement.span.start].chars() {
                tick();
                let is_break = c == '\n';
                self.line += usize::from(is_break);
                self.column = if is_break { 1 } else { self.column + 1 };
            }
            self.at = statement.span.start;
            names.push(format!("{}:{}", self.line, self.column));
        }
        names.push("end".to_owned());
        names
    }
}

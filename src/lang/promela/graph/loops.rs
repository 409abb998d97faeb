//! Loops and choices that are short for others, written out.

use super::super::super::SourceError;
use super::super::super::program::Span;
use super::super::ast::{
    Declaration, Expression, ExpressionId, Labelled, Name, Part, Question, Statement, StatementId,
    Type,
};
use super::{Builder, Context, ElementId, Local};
use crate::id::Id;

impl Builder<'_> {
    /// A loop that is short for other statements, written out.
    pub(super) fn written_out(
        &mut self,
        statement: Statement,
        context: &Context,
        place: Span,
    ) -> Vec<StatementId> {
        match statement {
            Statement::For { variable, low, high, body } => {
                self.count(variable, low, high, &body, place)
            }
            Statement::ForIn { variable, array, body } if self.is_channel(array, context) => {
                self.messages(variable, array, &body, context, place)
            }
            Statement::ForIn { variable, array, body } => {
                let low = self.expression(Expression::Number(0), place);
                let high = self.expression(Expression::LastIndex(array), place);
                self.count(variable, low, high, &body, place)
            }
            Statement::Select { variable, low, high } => self.select(variable, low, high, place),
            _ => Vec::new(),
        }
    }

    pub(super) fn expression(&mut self, expression: Expression, place: Span) -> ExpressionId {
        self.module.expressions.push((expression, place))
    }

    fn statement(&mut self, statement: Statement, place: Span) -> StatementId {
        let labels = Vec::new();
        self.module.statements.push(Labelled { labels, statement, place })
    }

    /// The options of a choice without a second `skip` in a row, which Spin removes unless
    /// it has a label or is the last statement of its option. What is printed counts as
    /// one, too, but stays. Loops that are short for others are left as they are.
    pub(super) fn without_skips(
        &self,
        choice: StatementId,
        mut options: Vec<Vec<StatementId>>,
    ) -> Vec<Vec<StatementId>> {
        if self.facts.n_statements <= choice.index() {
            return options;
        }
        for option in &mut options {
            let last = option.len().saturating_sub(1);
            let (mut at, mut n_skips) = (0, 0);
            option.retain(|&id| {
                let Labelled { labels, statement, .. } = &self.module.statements[id];
                let is_skip = match statement {
                    Statement::Expression(value) => {
                        self.module.expressions[*value].0 == Expression::Number(1)
                    }
                    _ => false,
                };
                let is_print =
                    matches!(statement, Statement::Print { .. } | Statement::PrintSymbol(_));
                n_skips = if (is_skip || is_print) && labels.is_empty() { n_skips + 1 } else { 0 };
                at += 1;
                !(1 < n_skips && is_skip && at <= last)
            });
        }
        options
    }

    /// Where the statements begin that a loop is short for. A label of the loop belongs
    /// to the last of them: as in Spin, who jumps there does not begin again.
    pub(super) fn short(
        &mut self,
        statements: &[StatementId],
        labels: Vec<Name>,
        next: ElementId,
        context: &Context,
        is_last: bool,
    ) -> Result<ElementId, SourceError> {
        if let Some(&last) = statements.last() {
            self.module.statements[last].labels = labels;
        }
        self.sequence(statements, next, context, is_last)
    }

    /// `x = low; do :: x <= high -> body; x++ :: else -> break od`
    pub(super) fn count(
        &mut self,
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
        body: &[StatementId],
        place: Span,
    ) -> Vec<StatementId> {
        let first = self.statement(Statement::Assign(variable, low), place);
        let condition = self.expression(Expression::Binary("<=", variable, high), place);
        let mut again = vec![self.statement(Statement::Expression(condition), place)];
        again.extend_from_slice(body);
        again.push(self.statement(Statement::Increment(variable, 1), place));
        let otherwise = self.statement(Statement::Else, place);
        let leave = self.statement(Statement::Break, place);
        vec![first, self.statement(Statement::Do(vec![again, vec![otherwise, leave]]), place)]
    }

    /// Whether an expression names a variable that holds one channel.
    pub(super) fn is_channel(&self, id: ExpressionId, context: &Context) -> bool {
        let Expression::Reference(parts) = &self.module.expressions[id].0 else { return false };
        let [part] = &**parts else { return false };
        let is_it = |one: &&Declaration| one.name.text == part.name.text;
        let mut at = Some(context.scope);
        let mut found = None;
        while let Some(scope) = at.filter(|_| found.is_none()) {
            let locals = self.locals.iter().filter(|local| local.scope == scope);
            found = locals.map(|local| &local.declaration).find(is_it);
            at = self.scopes[scope];
        }
        let found = found.or_else(|| self.module.variables.iter().find(is_it));
        let is_one = |one: &Declaration| one.len.is_none() || part.index.is_some();
        found.is_some_and(|one| one.of_type == Type::Chan && is_one(one))
    }

    /// `n = 0; do :: n < len(q) -> q?m; q!m; body; n++ :: else -> break od`
    pub(super) fn messages(
        &mut self,
        message: ExpressionId,
        channel: ExpressionId,
        body: &[StatementId],
        context: &Context,
        place: Span,
    ) -> Vec<StatementId> {
        // No name of the text begins with a digit.
        let name = Name { text: format!("0{}", self.locals.len()), place };
        let declaration =
            Declaration { name: name.clone(), of_type: Type::Int, len: None, initial: None };
        self.locals.push(Local { declaration, scope: context.scope, is_early: true });
        let parts = vec![Part { name, index: None }];
        let number = self.expression(Expression::Reference(parts), place);
        let zero = self.expression(Expression::Number(0), place);
        let first = self.statement(Statement::Assign(number, zero), place);
        let len = self.expression(Expression::Channel(Question::Len, channel), place);
        let condition = self.expression(Expression::Binary("<", number, len), place);
        let mut again = vec![self.statement(Statement::Expression(condition), place)];
        let arguments = vec![message];
        let (anywhere, keeps, sorted) = (false, false, false);
        let receive = Statement::Receive { channel, anywhere, keeps, arguments: arguments.clone() };
        again.push(self.statement(receive, place));
        again.push(self.statement(Statement::Send { channel, sorted, arguments }, place));
        again.extend_from_slice(body);
        again.push(self.statement(Statement::Increment(number, 1), place));
        let otherwise = self.statement(Statement::Else, place);
        let leave = self.statement(Statement::Break, place);
        vec![first, self.statement(Statement::Do(vec![again, vec![otherwise, leave]]), place)]
    }

    /// A choice of assignments if both ends are numbers that are not far from each
    /// other, else `x = low; do :: x < high -> x++ :: break od`.
    pub(super) fn select(
        &mut self,
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
        place: Span,
    ) -> Vec<StatementId> {
        let number = |builder: &Self, id: ExpressionId| match builder.module.expressions[id].0 {
            Expression::Number(value) => Some(value),
            _ => None,
        };
        if let (Some(low), Some(high)) = (number(self, low), number(self, high))
            && high - low <= MAX_SELECTED
        {
            let mut options = Vec::new();
            for value in low..=high {
                let value = self.expression(Expression::Number(value), place);
                options.push(vec![self.statement(Statement::Assign(variable, value), place)]);
            }
            return vec![self.statement(Statement::If(options), place)];
        }
        let first = self.statement(Statement::Assign(variable, low), place);
        let condition = self.expression(Expression::Binary("<", variable, high), place);
        let condition = self.statement(Statement::Expression(condition), place);
        let more = self.statement(Statement::Increment(variable, 1), place);
        let leave = self.statement(Statement::Break, place);
        vec![first, self.statement(Statement::Do(vec![vec![condition, more], vec![leave]]), place)]
    }
}

/// `select` over more values than so many is a loop.
const MAX_SELECTED: i64 = 32;

//! Loops and choices that are short for others, written out.

use super::super::super::SourceError;
use super::super::super::program::Span;
use super::super::super::source::Statement as Shown;
use super::super::ast::{
    Declaration, Expression, ExpressionId, Labelled, Name, Part, Question, Statement, StatementId,
    Type,
};
use super::super::names::{self, int};
use super::{Builder, Context, ElementId};
use crate::id::Id;
use std::sync::Arc;

impl Builder<'_> {
    /// A loop that is short for other statements, written out.
    pub(super) fn written_out(
        &mut self,
        statement: Statement,
        context: &Context,
        id: StatementId,
    ) -> Vec<StatementId> {
        let head = Head::new(&self.module.statements[id]);
        match statement {
            Statement::For { variable, low, high, body } => {
                self.count(variable, low, high, &body, &head)
            }
            Statement::ForIn { variable, array, body } if self.is_channel(array, context) => {
                self.messages(variable, array, &body, context, &head)
            }
            Statement::ForIn { variable, array, body } => {
                let low = self.expression(Expression::Number(0), head.place);
                let high = self.expression(Expression::LastIndex(array), head.place);
                let last = self.last_index(array, context);
                let parts = vec![head.parts[0].clone(), "0".to_owned(), last];
                self.count(variable, low, high, &body, &Head { parts, ..head })
            }
            Statement::Select { variable, low, high } => self.select(variable, low, high, &head),
            _ => Vec::new(),
        }
    }

    /// The text of the greatest index of an array. If it is no array, that is said when the
    /// loop is lowered.
    fn last_index(&self, array: ExpressionId, context: &Context) -> String {
        let len = self.declaration(array, context).and_then(|found| found.len);
        let len = len.map(|len| match self.module.expressions[len].0 {
            Expression::Number(len) => len,
            _ => names::number(self.module, len).map_or(0, int),
        });
        len.map_or_else(String::new, |len| (len - 1).to_string())
    }

    fn expression(&mut self, expression: Expression, place: Span) -> ExpressionId {
        self.module.expressions.push((expression, place))
    }

    /// A statement that a loop is short for, and its text.
    fn statement(&mut self, statement: Statement, head: &Head, text: String) -> StatementId {
        let (labels, parts, place) = (Vec::new(), Vec::new(), head.place);
        let shown = vec![Arc::new(Shown { text, ..(*head.shown).clone() })];
        self.module.statements.push(Labelled { labels, statement, place, shown, parts })
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
    /// to the last of them: as in Spin, a jump there does not begin again.
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

    /// `text`, which compares two values
    fn comparison(
        &mut self,
        operator: &'static str,
        [left, right]: [ExpressionId; 2],
        head: &Head,
        text: String,
    ) -> StatementId {
        let condition = self.expression(Expression::Binary(operator, left, right), head.place);
        self.statement(Statement::Expression(condition), head, text)
    }

    /// `name++`
    fn increment(&mut self, variable: ExpressionId, head: &Head, name: &str) -> StatementId {
        self.statement(Statement::Increment(variable, 1), head, format!("{name}++"))
    }

    /// `x = low; do :: x <= high -> body; x++ :: else -> break od`
    fn count(
        &mut self,
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
        body: &[StatementId],
        head: &Head,
    ) -> Vec<StatementId> {
        let [name, from, to] = head.part_texts();
        let first = Statement::Assign(variable, low);
        let first = self.statement(first, head, format!("{name} = {from}"));
        let text = format!("{name} <= {}", fenced(to));
        let condition = self.comparison("<=", [variable, high], head, text);
        let more = self.increment(variable, head, name);
        let again = [&[condition], body, &[more]].concat();
        vec![first, self.repeated(again, head)]
    }

    /// `do :: again :: else -> break od`
    fn repeated(&mut self, again: Vec<StatementId>, head: &Head) -> StatementId {
        let otherwise = self.statement(Statement::Else, head, "else".to_owned());
        let leave = self.statement(Statement::Break, head, "break".to_owned());
        let options = vec![again, vec![otherwise, leave]];
        self.statement(Statement::Do(options), head, "break".to_owned())
    }

    /// The declaration of the variable that an expression names.
    fn declaration(&self, id: ExpressionId, context: &Context) -> Option<&Declaration> {
        let Expression::Reference(parts) = &self.module.expressions[id].0 else { return None };
        let [part] = &**parts else { return None };
        let is_it = |one: &&Declaration| one.name.text == part.name.text;
        let found = self.local(context.scope, &part.name.text);
        let found = found.map(|local| &self.locals[local].declaration);
        found.or_else(|| self.module.variables.iter().find(is_it))
    }

    /// Whether an expression names a variable that holds one channel.
    fn is_channel(&self, id: ExpressionId, context: &Context) -> bool {
        let has_index = match &self.module.expressions[id].0 {
            Expression::Reference(parts) => parts.iter().any(|part| part.index.is_some()),
            _ => false,
        };
        let is_one = |one: &Declaration| one.len.is_none() || has_index;
        self.declaration(id, context).is_some_and(|one| one.of_type == Type::Chan && is_one(one))
    }

    /// `n = 0; do :: n < len(q) -> q?m; q!m; body; n++ :: else -> break od`
    fn messages(
        &mut self,
        message: ExpressionId,
        channel: ExpressionId,
        body: &[StatementId],
        context: &Context,
        head: &Head,
    ) -> Vec<StatementId> {
        let place = head.place;
        // No name of the text begins with a digit.
        let name = Name { text: format!("0{}", self.locals.len()), place };
        let declaration =
            Declaration { name: name.clone(), of_type: Type::Int, len: None, initial: None };
        self.locals.push(declaration, context.scope, true);
        let parts = vec![Part { name, index: None }];
        let number = self.expression(Expression::Reference(parts), place);
        let zero = self.expression(Expression::Number(0), place);
        let [variable, queue, _] = head.part_texts();
        let first = Statement::Assign(number, zero);
        let first = self.statement(first, head, format!("{COUNTER} = 0"));
        let len = self.expression(Expression::Channel(Question::Len, channel), place);
        let text = format!("{COUNTER} < len({queue})");
        let condition = self.comparison("<", [number, len], head, text);
        let arguments = vec![message];
        let (anywhere, keeps, sorted) = (false, false, false);
        let receive = Statement::Receive { channel, anywhere, keeps, arguments: arguments.clone() };
        let receive = self.statement(receive, head, format!("{queue}?{variable}"));
        let send = Statement::Send { channel, sorted, arguments };
        let send = self.statement(send, head, format!("{queue}!{variable}"));
        let more = self.increment(number, head, COUNTER);
        let again = [&[condition, receive, send], body, &[more]].concat();
        vec![first, self.repeated(again, head)]
    }

    /// A choice of assignments if both ends are numbers that are not far from each
    /// other, else `x = low; do :: x < high -> x++ :: break od`.
    fn select(
        &mut self,
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
        head: &Head,
    ) -> Vec<StatementId> {
        let number = |builder: &Self, id: ExpressionId| match builder.module.expressions[id].0 {
            Expression::Number(value) => Some(value),
            _ => None,
        };
        let [name, from, to] = head.part_texts();
        if let (Some(low), Some(high)) = (number(self, low), number(self, high))
            && high - low <= MAX_SELECTED
        {
            let mut options = Vec::new();
            for value in low..=high {
                let text = format!("{name} = {value}");
                let value = self.expression(Expression::Number(value), head.place);
                options.push(vec![self.statement(Statement::Assign(variable, value), head, text)]);
            }
            return vec![self.statement(Statement::If(options), head, String::new())];
        }
        let first = Statement::Assign(variable, low);
        let first = self.statement(first, head, format!("{name} = {from}"));
        let text = format!("{name} < {}", fenced(to));
        let condition = self.comparison("<", [variable, high], head, text);
        let more = self.increment(variable, head, name);
        let leave = self.statement(Statement::Break, head, "break".to_owned());
        let options = Statement::Do(vec![vec![condition, more], vec![leave]]);
        vec![first, self.statement(options, head, "break".to_owned())]
    }
}

/// What is written before the body of a loop that is short for others.
pub(super) struct Head {
    place: Span,
    shown: Arc<Shown>,
    /// The texts of its expressions.
    parts: Vec<String>,
}

impl Head {
    fn new(labelled: &Labelled) -> Self {
        let shown = labelled.shown.first().cloned().unwrap_or_default();
        Self { place: labelled.place, shown, parts: labelled.parts.clone() }
    }

    /// The variable, and the two ends of its range; of the messages of a channel, the
    /// variable and the channel.
    fn part_texts(&self) -> [&str; 3] {
        [0, 1, 2].map(|number| self.parts.get(number).map_or("", String::as_str))
    }
}

/// An expression as an operand, in parentheses if it has operators.
fn fenced(text: &str) -> String {
    let is_simple = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    if text.chars().all(is_simple) { text.to_owned() } else { format!("({text})") }
}

/// What runs call the number of the message in a loop over the messages of a channel.
const COUNTER: &str = "_n";

/// `select` over more values than so many is a loop.
const MAX_SELECTED: i64 = 32;

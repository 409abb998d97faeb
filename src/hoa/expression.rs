//! Boolean expressions in postfix order.
//!
//! The flat form makes every pass a loop and keeps the tree exactly as it was
//! written, so an expression that is written and read again is the same. What
//! the leaves are is for others to know.

use crate::scan::Span;
use std::fmt;

/// One symbol of an expression: a leaf, or an operator that follows its
/// operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item<L> {
    /// An operand.
    Leaf(L),
    /// Negation of what comes before.
    Not,
    /// Conjunction of the two operands before.
    And,
    /// Disjunction of the two operands before.
    Or,
}

/// A boolean expression over leaves of type `L`.
///
/// ```
/// use lwaa::hoa::Expression;
/// let [a, b, c] = ["a", "b", "c"].map(Expression::leaf);
/// let expression = (!a.or(b)).and(c);
/// assert_eq!(expression.to_string(), "!(a | b) & c");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression<L> {
    /// In postfix order, and exactly one expression.
    items: Vec<Item<L>>,
}

impl<L> Expression<L> {
    /// The expression that is one leaf.
    #[must_use]
    pub fn leaf(leaf: L) -> Self {
        Self { items: vec![Item::Leaf(leaf)] }
    }

    /// The expression that `items` are in postfix order, if they are one.
    #[must_use]
    pub fn from_items(items: Vec<Item<L>>) -> Option<Self> {
        let mut depth = 0_usize;
        for item in &items {
            depth = match item {
                Item::Leaf(_) => depth + 1,
                Item::Not => depth.checked_sub(1)? + 1,
                Item::And | Item::Or => depth.checked_sub(2)? + 1,
            };
        }
        (depth == 1).then_some(Self { items })
    }

    /// The conjunction with `right`.
    #[must_use]
    pub fn and(self, right: Self) -> Self {
        self.join(right, Item::And)
    }

    /// The disjunction with `right`.
    #[must_use]
    pub fn or(self, right: Self) -> Self {
        self.join(right, Item::Or)
    }

    fn join(mut self, right: Self, operator: Item<L>) -> Self {
        self.items.extend(right.items);
        self.items.push(operator);
        self
    }

    /// The symbols in postfix order.
    #[must_use]
    pub fn items(&self) -> &[Item<L>] {
        &self.items
    }

    /// The value of the expression, given the values of leaves and operators.
    ///
    /// ```
    /// use lwaa::hoa::Expression;
    /// let expression = Expression::leaf(2).or(!Expression::leaf(3));
    /// let value = expression.evaluate(|&leaf| leaf == 3, |a| !a, |a, b| a & b, |a, b| a | b);
    /// assert!(!value);
    /// ```
    pub fn evaluate<T>(
        &self,
        mut leaf: impl FnMut(&L) -> T,
        mut not: impl FnMut(T) -> T,
        mut and: impl FnMut(T, T) -> T,
        mut or: impl FnMut(T, T) -> T,
    ) -> T {
        let mut values = Vec::new();
        for item in &self.items {
            let value = match item {
                Item::Leaf(l) => leaf(l),
                Item::Not => not(operand(&mut values)),
                Item::And => {
                    let right = operand(&mut values);
                    and(operand(&mut values), right)
                }
                Item::Or => {
                    let right = operand(&mut values);
                    or(operand(&mut values), right)
                }
            };
            values.push(value);
        }
        operand(&mut values)
    }

    /// The expression in infix form, with as few parentheses as keep its
    /// tree; `leaf` writes the leaves.
    pub fn display<F>(&self, leaf: F) -> impl fmt::Display
    where
        F: Fn(&L, &mut fmt::Formatter<'_>) -> fmt::Result,
    {
        fmt::from_fn(move |f| {
            // The infix symbols come out last to first, so they are collected.
            for symbol in self.infix().iter().rev() {
                match symbol {
                    Symbol::Leaf(l) => leaf(l, f)?,
                    Symbol::Text(text) => f.write_str(text)?,
                }
            }
            Ok(())
        })
    }

    /// The symbols of the infix form, from right to left.
    ///
    /// Read backwards, postfix order is an operator, its right operand, its
    /// left operand. So one pass with a stack of what is still to come writes
    /// the infix form backwards.
    fn infix(&self) -> Vec<Symbol<'_, L>> {
        let mut symbols = Vec::new();
        // Operands (with the least binding that needs no parentheses) and the
        // text that is due when everything right of it is written.
        let mut todo = vec![Todo::Operand(Binding::Or)];
        let mut items = self.items.iter().rev();
        while let Some(next) = todo.pop() {
            let least = match next {
                Todo::Text(text) => {
                    symbols.push(Symbol::Text(text));
                    continue;
                }
                Todo::Operand(least) => least,
            };
            let item = items.next().expect("every operator has its operands");
            let binding = Binding::of(item);
            if binding < least {
                symbols.push(Symbol::Text(")"));
                todo.push(Todo::Text("("));
            }
            match item {
                Item::Leaf(l) => symbols.push(Symbol::Leaf(l)),
                Item::Not => todo.extend([Todo::Text("!"), Todo::Operand(Binding::Not)]),
                // Operators group to the left: an equal one on the right side
                // needs parentheses.
                Item::And => todo.extend([
                    Todo::Operand(Binding::And),
                    Todo::Text(" & "),
                    Todo::Operand(Binding::Not),
                ]),
                Item::Or => todo.extend([
                    Todo::Operand(Binding::Or),
                    Todo::Text(" | "),
                    Todo::Operand(Binding::And),
                ]),
            }
        }
        symbols
    }
}

/// An expression that is read from left to right, in infix form: `!` binds stronger than `&`, and
/// `&` stronger than `|`.
///
/// This is Dijkstra's shunting yard with its two stacks, of which the postfix form makes the stack
/// of operands superfluous.
pub(crate) struct InfixReader<L> {
    items: Vec<Item<L>>,
    pending: Vec<Pending<L>>,
}

/// What waits for its last operand to be complete.
enum Pending<L> {
    Parenthesis(Span),
    Operator(Item<L>),
}

impl<L> InfixReader<L> {
    pub(crate) fn new() -> Self {
        Self { items: Vec::new(), pending: Vec::new() }
    }

    /// An opening parenthesis.
    pub(crate) fn open(&mut self, span: Span) {
        self.pending.push(Pending::Parenthesis(span));
    }

    /// A negation.
    pub(crate) fn negate(&mut self) {
        self.pending.push(Pending::Operator(Item::Not));
    }

    /// Whether the last thing was a negation.
    pub(crate) fn is_negated(&self) -> bool {
        matches!(self.pending.last(), Some(Pending::Operator(Item::Not)))
    }

    /// An operand.
    pub(crate) fn leaf(&mut self, leaf: L) {
        self.items.push(Item::Leaf(leaf));
    }

    /// [`Item::And`] or [`Item::Or`].
    pub(crate) fn join(&mut self, operator: Item<L>) {
        self.reduce(Binding::of(&operator));
        self.pending.push(Pending::Operator(operator));
    }

    /// A closing parenthesis. False if none is open.
    pub(crate) fn close(&mut self) -> bool {
        self.reduce(Binding::Or);
        self.pending.pop().is_some()
    }

    /// The expression, or where a parenthesis stands that is never closed.
    pub(crate) fn finish(mut self) -> Result<Expression<L>, Span> {
        self.reduce(Binding::Or);
        match self.pending.pop() {
            Some(Pending::Parenthesis(span)) => Err(span),
            _ => Ok(Expression::from_items(self.items).expect("operands and operators alternate")),
        }
    }

    /// Completes the operators back to the innermost parenthesis that bind at least as strongly
    /// as `binding`.
    fn reduce(&mut self, binding: Binding) {
        let is_complete = |pending: &mut Pending<L>| match pending {
            Pending::Parenthesis(_) => false,
            Pending::Operator(operator) => binding <= Binding::of(operator),
        };
        while let Some(Pending::Operator(operator)) = self.pending.pop_if(is_complete) {
            self.items.push(operator);
        }
    }
}

impl<L> std::ops::Not for Expression<L> {
    type Output = Self;

    fn not(mut self) -> Self {
        self.items.push(Item::Not);
        self
    }
}

/// The last of `values`, which is an operand of the current operator.
fn operand<T>(values: &mut Vec<T>) -> T {
    values.pop().expect("operands come before their operator")
}

impl<L: fmt::Display> fmt::Display for Expression<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(L::fmt).fmt(f)
    }
}

enum Symbol<'a, L> {
    Leaf(&'a L),
    Text(&'static str),
}

enum Todo {
    Operand(Binding),
    Text(&'static str),
}

/// How strongly an operator binds, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
}

impl Binding {
    fn of<L>(item: &Item<L>) -> Self {
        match item {
            Item::Or => Self::Or,
            Item::And => Self::And,
            Item::Not | Item::Leaf(_) => Self::Not,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &Expression<char>, expected: &str) {
        assert_eq!(expression.to_string(), expected);
    }

    fn leaves() -> [Expression<char>; 3] {
        ['a', 'b', 'c'].map(Expression::leaf)
    }

    #[test]
    fn equal_operators_on_the_left_need_no_parentheses() {
        let [a, b, c] = leaves();
        check(&a.clone().and(b.clone()).and(c.clone()), "a & b & c");
        check(&a.or(b).or(c), "a | b | c");
    }

    #[test]
    fn equal_operators_on_the_right_need_parentheses() {
        let [a, b, c] = leaves();
        check(&a.clone().and(b.clone().and(c.clone())), "a & (b & c)");
        check(&a.or(b.or(c)), "a | (b | c)");
    }

    #[test]
    fn conjunction_binds_stronger_than_disjunction() {
        let [a, b, c] = leaves();
        check(&a.clone().and(b.clone()).or(c.clone()), "a & b | c");
        check(&a.clone().and(b.clone().or(c.clone())), "a & (b | c)");
        check(&a.or(b).and(c), "(a | b) & c");
    }

    #[test]
    fn negation_binds_strongest() {
        let [a, b, _] = leaves();
        check(&!!a.clone(), "!!a");
        check(&!a.and(!b), "!(a & !b)");
    }

    #[test]
    fn operators_without_operands_are_no_expression() {
        assert!(Expression::from_items(vec![Item::Leaf('a'), Item::And]).is_none());
        assert!(Expression::from_items(vec![Item::<char>::Not]).is_none());
        assert!(Expression::<char>::from_items(vec![]).is_none());
        assert!(Expression::from_items(vec![Item::Leaf('a'), Item::Leaf('b')]).is_none());
    }

    #[test]
    fn a_million_levels_are_printed_and_evaluated() {
        let n = 1_000_000;
        let mut items = vec![Item::Leaf('a'); n];
        items.extend(std::iter::repeat_n(Item::And, n - 1));
        let expression = Expression::from_items(items).expect("a conjunction nested to the right");
        assert_eq!(expression.to_string().len(), n + 3 * (n - 1) + 2 * (n - 2));
        assert!(expression.evaluate(|_| true, |a| !a, |a, b| a & b, |a, b| a | b));
    }
}

//! Whether a transition or a condition can go wrong, as far as bounds can tell.
//!
//! Here conditions are followed: behind the guard `x < 2` the value `x + 1` is at most 2. What
//! a guard says about a variable counts until an effect gives the variable another value.

use super::{Fact, FactSources, Facts};
use crate::id::IdVec;
use crate::lang::layout::Layout;
use crate::lang::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Program, Transition, VariableId,
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Whether some transition of `program` may go wrong. Where a process may have the model for
/// itself this is always assumed, since such a sequence may block or never end.
#[must_use]
pub fn can_fail(program: &Program, layout: &Layout) -> bool {
    if program.control.is_some() {
        return true;
    }
    let facts = Facts::new(program, layout);
    let mut path = Path::new(program, layout, &facts);
    program.transitions.iter().any(|transition| path.can_fail(transition))
}

/// Those of `conditions` on states whose evaluation may go wrong, in the same order.
#[must_use]
pub fn conditions_that_can_fail(
    program: &Program,
    layout: &Layout,
    conditions: &[ExpressionId],
) -> Vec<ExpressionId> {
    if conditions.is_empty() {
        return Vec::new();
    }
    let facts = Facts::new(program, layout);
    let mut path = Path::new(program, layout, &facts);
    conditions.iter().copied().filter(|&condition| path.condition_can_fail(condition)).collect()
}

/// A variable, or an element of an array with this index.
type Place = (VariableId, i64);

/// What is known on the way through a transition.
struct Path<'a> {
    program: &'a Program,
    layout: &'a Layout,
    facts: &'a Facts,
    /// What is known about the expressions that were evaluated last.
    scratch: IdVec<ExpressionId, Fact>,
    /// Bounds that conditions have set.
    bounds: HashMap<Place, (i64, i64), FxBuildHasher>,
}

impl<'a> Path<'a> {
    fn new(program: &'a Program, layout: &'a Layout, facts: &'a Facts) -> Self {
        let scratch = facts.facts.clone();
        Self { program, layout, facts, scratch, bounds: HashMap::default() }
    }

    fn can_fail(&mut self, transition: &Transition) -> bool {
        self.condition_can_fail(transition.guard)
            || transition.effects.iter().any(|effect| self.effect_can_fail(effect))
    }

    /// Whether a condition can go wrong. What it says is known afterwards.
    fn condition_can_fail(&mut self, condition: ExpressionId) -> bool {
        self.bounds.clear();
        // Conjuncts from left to right: each counts for those behind it.
        let mut conjuncts = vec![condition];
        while let Some(id) = conjuncts.pop() {
            if let Expression::Binary(BinaryOperator::And, left, right) = self.program.view(id) {
                conjuncts.extend([right, left]);
                continue;
            }
            if self.evaluate(id).can_fail {
                return true;
            }
            self.assume(id);
        }
        false
    }

    fn effect_can_fail(&mut self, effect: &Effect) -> bool {
        let Some((variable, index, value)) = effect.assignment() else {
            return match effect {
                Effect::Assert(condition, _) => {
                    let fact = self.evaluate(*condition);
                    fact.can_fail || !fact.is_true()
                }
                Effect::Let(_, value) => self.evaluate(*value).can_fail,
                _ => false,
            };
        };
        let declared = &self.program.variables[variable];
        let len = i64::try_from(declared.n_elements()).unwrap_or(i64::MAX);
        let index = index.map(|index| self.evaluate(index));
        let is_inside =
            index.is_none_or(|index| !index.can_fail && 0 <= index.low && index.high < len);
        let fact = self.evaluate(value);
        let fits = !fact.can_fail && declared.low <= fact.low && fact.high <= declared.high;
        self.bounds.retain(|place, _| place.0 != variable);
        !is_inside || !fits
    }

    /// What is known about an expression under the bounds that have been set. Operands have
    /// smaller ids than what they are operands of.
    fn evaluate(&mut self, id: ExpressionId) -> Fact {
        if self.bounds.is_empty() {
            return self.facts.fact(id);
        }
        let mut ids: Vec<ExpressionId> = self.program.parts_of([id]).map(|(id, _)| id).collect();
        ids.sort_unstable();
        self.evaluate_all(&ids);
        self.scratch[id]
    }

    fn evaluate_all(&mut self, ids: &[ExpressionId]) {
        // Temporaries may have been named behind other conditions, so nothing is known.
        let context = FactSources {
            program: self.program,
            layout: self.layout,
            choices: &[],
            temporaries: &[],
        };
        for &id in ids {
            let expression = self.program.view(id);
            let mut fact = match expression {
                Expression::Choice(_) | Expression::Temporary(_) => self.facts.fact(id),
                _ => context.fact(expression, &self.scratch),
            };
            if let Some(&(low, high)) = place(self.program, id).and_then(|at| self.bounds.get(&at))
            {
                (fact.low, fact.high) = (fact.low.max(low), fact.high.min(high));
                if fact.high < fact.low {
                    // The condition is never true; any value will do.
                    fact.low = fact.high;
                }
            }
            self.scratch[id] = fact;
        }
    }

    /// Notes what a condition says about a variable, if it compares one with a constant.
    fn assume(&mut self, condition: ExpressionId) {
        let Expression::Binary(operator, left, right) = self.program.view(condition) else {
            return;
        };
        let (constant_left, constant_right) =
            (self.program.as_constant(left), self.program.as_constant(right));
        let (id, low, high) = match (operator, constant_left, constant_right) {
            (BinaryOperator::Equal, Some(value), _) => (right, value, value),
            (BinaryOperator::Equal, _, Some(value)) => (left, value, value),
            (BinaryOperator::Less, _, Some(value)) => (left, i64::MIN, value.saturating_sub(1)),
            (BinaryOperator::Less, Some(value), _) => (right, value.saturating_add(1), i64::MAX),
            (BinaryOperator::LessEqual, _, Some(value)) => (left, i64::MIN, value),
            (BinaryOperator::LessEqual, Some(value), _) => (right, value, i64::MAX),
            _ => return,
        };
        if let Some(place) = place(self.program, id) {
            let bounds = self.bounds.entry(place).or_insert((i64::MIN, i64::MAX));
            *bounds = (bounds.0.max(low), bounds.1.min(high));
        }
    }
}

/// The variable or element that an expression reads, if that is all it does.
fn place(program: &Program, id: ExpressionId) -> Option<Place> {
    match program.view(id) {
        Expression::Variable(variable) => Some((variable, 0)),
        Expression::Element(variable, index) => Some((variable, program.as_constant(index)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::layout::Layout;
    use crate::lang::lwm;
    use crate::lang::program::Proposition;

    #[track_caller]
    fn check(action: &str, expected: bool) {
        let text = format!(
            "var x: 0..3; var y: 0..3; var a[4]: 0..3; var f: bool;\n\
             process p {{ action go {action}; }}\n\
             process q {{ action set with n in 0..3 do x' = n, y' = n, a[n]' = n, f' = !f; }}"
        );
        let program = lwm::read(&text, &[]).unwrap().program;
        assert_eq!(super::can_fail(&program, &Layout::new(&program)), expected, "{action}");
    }

    #[test]
    fn conditions_can_fail() {
        let text = "var x: 0..3; var a[3]: bool; action go do x' = (x + 1) % 4;";
        let model = lwm::read(text, &[]).unwrap();
        for (condition, expected) in [
            ("x == 3", false),
            ("a[x]", true),
            ("x < 3 && a[x]", false),
            ("a[x] && x < 3", true),
            ("3 / x == 1", true),
            ("3 / (x + 1) == 1", false),
        ] {
            let mut program = model.program.clone();
            let atom = model.bindings.atom(&mut program, condition).unwrap();
            let Proposition::State(id) = atom else { panic!("{condition} is about the state") };
            let layout = Layout::new(&program);
            let found = super::conditions_that_can_fail(&program, &layout, &[id]);
            assert_eq!(!found.is_empty(), expected, "{condition}");
        }
    }

    #[test]
    fn guards_set_bounds() {
        check("do x' = x + 1", true);
        check("when x < 3 do x' = x + 1", false);
        check("when x <= 3 do x' = x + 1", true);
        check("when f && x < 3 do x' = x + 1", false);
        check("when f || x < 3 do x' = x + 1", true);
        check("when x == 2 do x' = x + 1, y' = x", false);
        check("when y < 3 do x' = x + 1", true);
        check("do x' = (x + 1) % 4", false);
        check("do a[x]' = 0", false);
        check("do a[x + 1]' = 0", true);
        check("when x != 0 do y' = 3 / x", true);
        check("when 1 <= x do y' = 3 / x", false);
        check("when a[1] < 3 do x' = a[1] + 1", false);
        check("when a[1] < 3 do x' = a[2] + 1", true);
        check("do assert f, x' = 0", true);
    }
}

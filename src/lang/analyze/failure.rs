//! Whether a transition or a condition can go wrong, as far as bounds can tell.
//!
//! Here conditions are followed: behind the guard `x < 2` the value `x + 1` is at most 2. What
//! a guard says about a variable counts until an effect gives the variable another value.

use super::{Fact, FactSources, Facts};
use crate::id::IdVec;
use crate::lang::layout::Layout;
use crate::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Program, Transition, UnaryOperator,
    VariableId,
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
    let mut path = Passage::new(program, layout, &facts);
    path.has_room = true;
    program.transitions.iter().any(|transition| path.can_fail(transition, []))
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
    let mut path = Passage::new(program, layout, &facts);
    let mut can_fail = |condition| {
        path.bounds.clear();
        path.condition_can_fail(condition)
    };
    conditions.iter().copied().filter(|&condition| can_fail(condition)).collect()
}

/// A variable, or an element of an array with this index.
type Place = (VariableId, i64);

/// What is known on the way through a transition.
pub(in crate::lang) struct Passage<'a> {
    program: &'a Program,
    layout: &'a Layout,
    facts: &'a Facts,
    /// What is known about the expressions that were evaluated last.
    scratch: IdVec<ExpressionId, Fact>,
    /// Bounds that conditions have set.
    bounds: HashMap<Place, (i64, i64), FxBuildHasher>,
    /// What effects have named.
    named: HashMap<u32, Fact, FxBuildHasher>,
    /// Between which bounds indices have been, by their expressions.
    indices: HashMap<ExpressionId, (i64, i64), FxBuildHasher>,
    /// Between which bounds variables are always, if more is known than what is declared.
    ranges: Option<IdVec<VariableId, (i64, i64)>>,
    /// Between which bounds values are that have been assigned.
    assigned: Vec<(VariableId, (i64, i64))>,
    /// What the condition says that is looked at.
    narrowed: Vec<(Place, i64, i64)>,
    /// The numbers from which the transition picks.
    choices: &'a [(i64, i64)],
    /// Whether a condition has come up that is never true.
    is_never: bool,
    /// Whether what is only a matter of room does not count as going wrong.
    has_room: bool,
}

impl<'a> Passage<'a> {
    pub(in crate::lang) fn new(program: &'a Program, layout: &'a Layout, facts: &'a Facts) -> Self {
        let scratch = facts.facts.clone();
        let (bounds, named, indices) = (HashMap::default(), HashMap::default(), HashMap::default());
        let (ranges, assigned) = (None, Vec::new());
        let (choices, narrowed) = (&[][..], Vec::new());
        let (is_never, has_room) = (false, false);
        Self {
            program,
            layout,
            facts,
            scratch,
            bounds,
            named,
            indices,
            ranges,
            assigned,
            narrowed,
            choices,
            is_never,
            has_room,
        }
    }

    /// Sets between which bounds variables are always.
    pub(in crate::lang) fn set_ranges(&mut self, ranges: IdVec<VariableId, (i64, i64)>) {
        self.ranges = Some(ranges);
    }

    /// Variables that the transition assigned that was looked at last, and the bounds of the values.
    pub(in crate::lang) fn assigned(&self) -> &[(VariableId, (i64, i64))] {
        &self.assigned
    }

    /// Between which bounds an element is behind the transition that was looked at last.
    pub(in crate::lang) fn bound(&self, place: Place) -> (i64, i64) {
        let (variable, _) = place;
        let declared = &self.program.variables[variable];
        let always = self.ranges.as_ref().map(|ranges| ranges[variable]);
        let (low, high) = always.unwrap_or((declared.low, declared.high));
        let Some(&(least, greatest)) = self.bounds.get(&place) else { return (low, high) };
        (low.max(least), high.min(greatest))
    }

    /// Whether the guard of the transition that was looked at last is never true.
    pub(in crate::lang) fn is_never(&self) -> bool {
        self.is_never
    }

    /// Between which bounds indices are in the transition that was looked at last, by their
    /// expressions. What is not there is not known.
    pub(in crate::lang) fn indices(&self) -> &HashMap<ExpressionId, (i64, i64), FxBuildHasher> {
        &self.indices
    }

    /// Whether a transition can go wrong where elements are within these bounds.
    pub(in crate::lang) fn can_fail(
        &mut self,
        transition: &'a Transition,
        bounds: impl IntoIterator<Item = (Place, (i64, i64))>,
    ) -> bool {
        self.choices = &transition.choices;
        self.bounds.clear();
        self.named.clear();
        self.indices.clear();
        self.assigned.clear();
        self.bounds.extend(bounds);
        self.is_never = false;
        let mut can_fail = self.condition_can_fail(transition.guard);
        for effect in &transition.effects {
            can_fail |= self.effect_can_fail(effect);
        }
        can_fail
    }

    /// How many of the first conjuncts of a guard cannot go wrong where elements are within these
    /// bounds and those before are true. A conjunct is an expression, and whether it is to be true.
    pub(in crate::lang) fn safe_conjuncts(
        &mut self,
        conjuncts: &[(ExpressionId, bool)],
        bounds: impl IntoIterator<Item = (Place, (i64, i64))>,
    ) -> usize {
        self.choices = &[];
        self.bounds.clear();
        self.named.clear();
        self.bounds.extend(bounds);
        for (number, &(id, is_positive)) in conjuncts.iter().enumerate() {
            if self.evaluate(id).can_fail {
                return number;
            }
            self.assume(id, is_positive);
        }
        conjuncts.len()
    }

    /// Whether a condition can go wrong. What it says is known afterwards.
    fn condition_can_fail(&mut self, condition: ExpressionId) -> bool {
        // Conjuncts from left to right: each counts for those behind it.
        let mut conjuncts = vec![condition];
        let mut can_fail = false;
        while let Some(id) = conjuncts.pop() {
            if let Expression::Binary(BinaryOperator::And, left, right) = self.program.view(id) {
                conjuncts.extend([right, left]);
                continue;
            }
            let fact = self.evaluate(id);
            can_fail |= fact.can_fail;
            self.is_never |= fact.is_false();
            self.assume(id, true);
        }
        can_fail
    }

    fn effect_can_fail(&mut self, effect: &Effect) -> bool {
        let Some((variable, index, value)) = effect.assignment() else {
            return match effect {
                Effect::Assert(condition, Asserted::Capacity) if self.has_room => {
                    self.condition_can_fail(*condition)
                }
                Effect::Assert(condition, _) => {
                    let fact = self.evaluate(*condition);
                    fact.can_fail || !fact.is_true()
                }
                Effect::Let(number, value) => {
                    let fact = self.evaluate(*value);
                    self.named.insert(*number, Fact { can_fail: false, ..fact });
                    fact.can_fail
                }
                _ => false,
            };
        };
        let declared = &self.program.variables[variable];
        let len = i64::try_from(declared.n_elements()).unwrap_or(i64::MAX);
        let index = index.map(|index| {
            let fact = self.evaluate(index);
            note(&mut self.indices, index, fact);
            fact
        });
        let is_inside =
            index.is_none_or(|index| !index.can_fail && 0 <= index.low && index.high < len);
        let fact = self.evaluate(value);
        let fits = !fact.can_fail && declared.low <= fact.low && fact.high <= declared.high;
        // A value that does not fit is an error, and is not assigned.
        let low = fact.low.clamp(declared.low, declared.high);
        let value = (low, fact.high.clamp(low, declared.high));
        self.assigned.push((variable, value));
        match index.map_or(Some(0), Fact::constant) {
            Some(index) => drop(self.bounds.insert((variable, index), value)),
            None => {
                for (_, bounds) in self.bounds.iter_mut().filter(|(place, _)| place.0 == variable) {
                    *bounds = (bounds.0.min(value.0), bounds.1.max(value.1));
                }
            }
        }
        !is_inside || !fits
    }

    /// Whether nothing is known but what is declared.
    fn is_plain(&self) -> bool {
        self.bounds.is_empty() && self.named.is_empty() && self.ranges.is_none()
    }

    /// What is known about an expression under the bounds that have been set. Operands have
    /// smaller ids than what they are operands of.
    fn evaluate(&mut self, id: ExpressionId) -> Fact {
        if self.is_plain() {
            return self.facts.fact(id);
        }
        let mut ids: Vec<ExpressionId> = self.program.parts_of([id]).map(|(id, _)| id).collect();
        ids.sort_unstable();
        self.evaluate_all(&ids);
        self.scratch[id]
    }

    fn evaluate_all(&mut self, ids: &[ExpressionId]) {
        let context = FactSources {
            program: self.program,
            layout: self.layout,
            ranges: self.ranges.as_ref(),
            choices: &[],
            temporaries: &[],
        };
        for &id in ids {
            let expression = self.program.view(id);
            let mut fact = match expression {
                Expression::Temporary(number) => {
                    self.named.get(&number).copied().unwrap_or(self.facts.fact(id))
                }
                Expression::Choice(number) => match self.choices.get(number as usize) {
                    Some(&(low, high)) => Fact::between(low, high.max(low)),
                    None => self.facts.fact(id),
                },
                _ => context.fact(expression, &self.scratch),
            };
            let place = self.place_of(expression);
            if let Some(&(low, high)) = place.and_then(|place| self.bounds.get(&place)) {
                (fact.low, fact.high) = (fact.low.max(low), fact.high.min(high));
                if fact.high < fact.low {
                    // The condition is never true; any value will do.
                    fact.low = fact.high;
                }
            }
            self.scratch[id] = fact;
            if let Expression::Element(_, index) = expression {
                note(&mut self.indices, index, self.scratch[index]);
            }
        }
    }

    /// Notes what a condition says about variables that it compares, if it is true or, without
    /// `is_true`, false. All parts of it have just been evaluated.
    fn assume(&mut self, condition: ExpressionId, is_true: bool) {
        use BinaryOperator as B;
        let mut open = vec![(condition, is_true)];
        while let Some((id, is_true)) = open.pop() {
            let (operator, left, right) = match self.program.view(id) {
                Expression::Unary(UnaryOperator::Not, operand) => {
                    open.push((operand, !is_true));
                    continue;
                }
                Expression::Variable(_) | Expression::Element(..) => {
                    self.assume_not(id, 0, is_true);
                    continue;
                }
                Expression::Binary(operator, left, right) => (operator, left, right),
                _ => continue,
            };
            // What is behind a part that may go wrong has been evaluated where that part does not.
            let (one, other) = (self.known(left), self.known(right));
            match (operator, is_true) {
                (B::And, true) | (B::Or, false) => {
                    open.extend([(right, is_true), (left, is_true)]);
                }
                (B::Equal, true) | (B::NotEqual, false) => {
                    self.narrow(left, other.low, other.high);
                    self.narrow(right, one.low, one.high);
                }
                (B::Equal, false) | (B::NotEqual, true) => {
                    if other.low == other.high {
                        self.assume_not(left, other.low, true);
                    }
                    if one.low == one.high {
                        self.assume_not(right, one.low, true);
                    }
                }
                (B::Less, true) => self.order(left, right, 1),
                (B::LessEqual, true) => self.order(left, right, 0),
                (B::Less, false) => self.order(right, left, 0),
                (B::LessEqual, false) => self.order(right, left, 1),
                _ => (),
            }
        }
        for (place, low, high) in self.narrowed.drain(..) {
            let bounds = self.bounds.entry(place).or_insert((i64::MIN, i64::MAX));
            *bounds = (bounds.0.max(low), bounds.1.min(high));
            self.is_never |= bounds.1 < bounds.0;
        }
    }

    /// Between which bounds an operand was when it was evaluated.
    fn known(&self, id: ExpressionId) -> Fact {
        if self.is_plain() { self.facts.fact(id) } else { self.scratch[id] }
    }

    /// Notes that an expression is less than another one by so much at least.
    fn order(&mut self, left: ExpressionId, right: ExpressionId, distance: i64) {
        let (one, other) = (self.known(left), self.known(right));
        self.narrow(left, i64::MIN, other.high.saturating_sub(distance));
        self.narrow(right, one.low.saturating_add(distance), i64::MAX);
    }

    /// Notes that an expression does not have a value, or, without `is_not`, that it has.
    fn assume_not(&mut self, id: ExpressionId, value: i64, is_not: bool) {
        if !is_not {
            self.narrow(id, value, value);
            return;
        }
        let fact = self.known(id);
        if fact.low == value {
            self.narrow(id, value.saturating_add(1), i64::MAX);
        }
        if fact.high == value {
            self.narrow(id, i64::MIN, value.saturating_sub(1));
        }
    }

    /// Notes bounds of a variable or element, which count once the whole condition is understood.
    fn narrow(&mut self, id: ExpressionId, low: i64, high: i64) {
        if let Some(place) = self.place_of(self.program.view(id)) {
            self.narrowed.push((place, low, high));
        }
    }

    /// The variable or element that an expression reads, if that is all it does and the index is
    /// known.
    fn place_of(&self, expression: Expression) -> Option<Place> {
        match expression {
            Expression::Variable(variable) => Some((variable, 0)),
            Expression::Element(variable, index) => {
                let index = match self.program.as_constant(index) {
                    Some(index) => index,
                    None if self.is_plain() => self.facts.fact(index).constant()?,
                    None => self.scratch[index].constant()?,
                };
                Some((variable, index))
            }
            _ => None,
        }
    }
}

/// Notes between which bounds an index is.
fn note(
    indices: &mut HashMap<ExpressionId, (i64, i64), FxBuildHasher>,
    index: ExpressionId,
    fact: Fact,
) {
    let bounds = indices.entry(index).or_insert((fact.low, fact.high));
    *bounds = (bounds.0.min(fact.low), bounds.1.max(fact.high));
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
        check("when x != 0 do y' = 3 / x", false);
        check("when x != 1 do y' = 3 / x", true);
        check("when !(x == 0) do y' = 3 / x", false);
        check("when x > y do y' = 3 / x", false);
        check("when x >= y do y' = 3 / x", true);
        check("when x < y do x' = x + 1", false);
        check("when 1 <= x do y' = 3 / x", false);
        check("when a[1] < 3 do x' = a[1] + 1", false);
        check("when a[1] < 3 do x' = a[2] + 1", true);
        check("do assert f, x' = 0", true);
    }
}

//! Where each variable lies in the words of a packed state.
//!
//! A value is stored as its distance from the least value of its variable, in
//! as many bits as the range needs. No value straddles two words: an array of
//! more than 64 bits has as many elements in each of its words as fit.
//! Variables that no transition assigns, or that have only one value, are
//! constants and take no room.

use super::program::{Effect, Program, Values, VariableId};
use crate::id::IdVec;

/// Where the elements of a variable lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The word of the first element.
    pub word: u32,
    /// The lowest bit of the first element in its word.
    pub shift: u32,
    /// Bits of an element; from 1 to 32.
    pub width: u32,
    /// How many elements fit into a word; all of them if the variable shares
    /// its word with others.
    pub per_word: u32,
}

impl Place {
    /// Word and lowest bit of an element.
    #[must_use]
    pub fn element(self, index: usize) -> (usize, usize) {
        let per_word = self.per_word as usize;
        let bit = self.shift as usize + index % per_word * self.width as usize;
        (self.word as usize + index / per_word, bit)
    }

    /// The bits of an element, at the bottom of a word.
    #[must_use]
    pub fn mask(self) -> u64 {
        (1 << self.width) - 1
    }
}

/// The places of all variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Nothing for constants.
    places: IdVec<VariableId, Option<Place>>,
    n_words: usize,
}

impl Layout {
    /// Places for the variables of `program`.
    ///
    /// # Panics
    ///
    /// If a state needs 2³² words.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let assigned = assigned(program);
        let mut layout = Self { places: IdVec::filled(None, program.variables.len()), n_words: 0 };
        // Free bits at the top of words that are not full.
        let mut gaps: Vec<(u32, u32)> = Vec::new();
        for (id, variable) in program.variables.entries().filter(|&(id, _)| assigned[id]) {
            let width = width(variable.low, variable.high);
            if width == 0 {
                continue;
            }
            let n_bits = variable.n_elements() * width as usize;
            let per_word = 64 / width;
            let place = if n_bits <= 64 {
                let n_bits = u32::try_from(n_bits).expect("at most 64");
                let (word, shift) = layout.gap(&mut gaps, n_bits);
                Place { word, shift, width, per_word }
            } else {
                let word = u32::try_from(layout.n_words).expect("fewer than 2^32 words");
                layout.n_words += variable.n_elements().div_ceil(per_word as usize);
                Place { word, shift: 0, width, per_word }
            };
            layout.places[id] = Some(place);
        }
        layout.n_words = layout.n_words.max(1);
        layout
    }

    /// The first gap that has room for `n_bits`.
    fn gap(&mut self, gaps: &mut Vec<(u32, u32)>, n_bits: u32) -> (u32, u32) {
        for (word, used) in gaps.iter_mut() {
            if *used + n_bits <= 64 {
                *used += n_bits;
                return (*word, *used - n_bits);
            }
        }
        let word = u32::try_from(self.n_words).expect("fewer than 2^32 words");
        self.n_words += 1;
        gaps.push((word, n_bits));
        (word, 0)
    }

    /// The place of a variable; nothing if it is a constant.
    #[must_use]
    pub fn place(&self, variable: VariableId) -> Option<Place> {
        self.places[variable]
    }

    /// The number of words of a state; at least one.
    #[must_use]
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The packed initial states: one for each combination of the values of
    /// variables whose initial value is any or one of several.
    #[must_use]
    pub fn initial_states(&self, program: &Program) -> Vec<Box<[u64]>> {
        let mut states = Vec::new();
        let mut values = Values::initial(program);
        match &program.one_of {
            None => self.combinations(program, values, &mut states),
            Some((variable, list)) => {
                for &value in list {
                    values.set(*variable, 0, value);
                    self.combinations(program, values.clone(), &mut states);
                }
            }
        }
        states
    }

    /// Adds the packed states in which variables whose initial value is any
    /// have every combination of values.
    fn combinations(&self, program: &Program, mut values: Values, states: &mut Vec<Box<[u64]>>) {
        let free: Vec<(VariableId, usize)> = program
            .variables
            .entries()
            .filter(|(_, variable)| variable.any)
            .flat_map(|(id, variable)| (0..variable.n_elements()).map(move |index| (id, index)))
            .collect();
        for &(id, index) in &free {
            values.set(id, index, program.variables[id].low);
        }
        loop {
            let mut words = vec![0; self.n_words];
            self.pack(program, &values, &mut words);
            states.push(words.into_boxed_slice());
            // The next combination, the last variable changing fastest.
            let turned = free.iter().rev().find(|&&(id, index)| {
                let value = values.value(id, index);
                let variable = &program.variables[id];
                let is_last = value == variable.high;
                values.set(id, index, if is_last { variable.low } else { value + 1 });
                !is_last
            });
            if turned.is_none() {
                return;
            }
        }
    }

    /// Packs values.
    ///
    /// # Panics
    ///
    /// If a value is out of range.
    pub fn pack(&self, program: &Program, values: &Values, words: &mut [u64]) {
        words.fill(0);
        for (id, variable) in program.variables.entries() {
            let Some(place) = self.places[id] else { continue };
            for index in 0..variable.n_elements() {
                let (word, shift) = place.element(index);
                let distance = values.value(id, index) - variable.low;
                words[word] |= u64::try_from(distance).expect("values are in range") << shift;
            }
        }
    }

    /// The values in a packed state.
    pub fn unpack(&self, program: &Program, words: &[u64], values: &mut Values) {
        for (id, variable) in program.variables.entries() {
            let Some(place) = self.places[id] else { continue };
            for index in 0..variable.n_elements() {
                let (word, shift) = place.element(index);
                let distance = words[word] >> shift & place.mask();
                values.set(id, index, variable.low.wrapping_add_unsigned(distance));
            }
        }
    }
}

/// Bits that the values from `low` to `high` need.
fn width(low: i64, high: i64) -> u32 {
    let distance = u64::try_from(high - low).expect("a range is not empty");
    assert!(distance < 1 << 32, "a range has at most 2^32 values");
    u64::BITS - distance.leading_zeros()
}

/// Which variables can have more than one value: those that some transition
/// assigns, and those whose initial value is any.
fn assigned(program: &Program) -> IdVec<VariableId, bool> {
    let mut assigned: IdVec<VariableId, bool> =
        program.variables.iter().map(|variable| variable.any).collect();
    if let Some(control) = program.control {
        assigned[control.holder] = true;
        if let Some(timeout) = control.timeout {
            assigned[timeout] = true;
        }
    }
    for transition in &program.transitions {
        for (variable, ..) in transition.effects.iter().filter_map(Effect::assignment) {
            assigned[variable] = true;
        }
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use crate::lang::program::Variable;

    /// A program whose variables have these ranges and lengths, all assigned.
    fn program(variables: &[(i64, i64, Option<usize>)]) -> Program {
        let mut program = Program::default();
        let process = program.processes.push(crate::lang::program::Process { name: "p".into() });
        let zero = program.constant(0);
        let mut effects = Vec::new();
        for &(low, high, len) in variables {
            let name = format!("v{}", program.variables.len());
            let initial = vec![low; len.unwrap_or(1)];
            let value_names = Vec::new();
            let variable = Variable { name, low, high, len, initial, any: false, value_names };
            effects.push(Effect::Assign(program.variables.push(variable), zero));
        }
        program.transitions.push(crate::lang::program::Transition {
            process,
            partner: None,
            action: "a".into(),
            choices: Vec::new(),
            guard: zero,
            effects,
            span: crate::lang::program::Span::default(),
            steps: Vec::new(),
        });
        program
    }

    #[track_caller]
    fn check(variables: &[(i64, i64, Option<usize>)], n_words: usize) {
        let program = program(variables);
        let layout = Layout::new(&program);
        assert_eq!(layout.n_words(), n_words);
        let mut values = Values::initial(&program);
        for (id, variable) in program.variables.entries() {
            for index in 0..variable.n_elements() {
                let span = variable.high - variable.low + 1;
                let salt = i64::try_from(index * 7 + id.index() * 3 + 5).unwrap();
                values.set(id, index, variable.low + salt % span);
            }
        }
        let mut words = vec![0; n_words];
        layout.pack(&program, &values, &mut words);
        let mut again = Values::initial(&program);
        layout.unpack(&program, &words, &mut again);
        assert_eq!(values, again);
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        check(&[], 1);
        check(&[(0, 1, None); 64], 1);
        check(&[(0, 1, None); 65], 2);
        check(&[(-5, 3, Some(100)), (0, 2, None)], 7 + 1);
        check(&[(0, 255, Some(8)), (0, 255, Some(9)), (7, 7, Some(3))], 3);
        check(&[(-(1 << 31), (1 << 31) - 1, Some(3)), (0, 1, None)], 3);
    }

    #[test]
    fn constants_take_no_room() {
        let mut program = program(&[(0, 1, None)]);
        let initial = vec![7; 1000];
        let (low, high, len) = (0, 255, Some(1000));
        let value_names = Vec::new();
        let name = "table".into();
        program.variables.push(Variable { name, low, high, len, initial, any: false, value_names });
        assert_eq!(Layout::new(&program).n_words(), 1);
    }
}

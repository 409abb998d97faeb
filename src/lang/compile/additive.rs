//! Programs whose guards ask variables to be large enough and whose effects add constants: nets.
//!
//! Such a program may have 100,000 transitions of which a step makes ten enabled or disabled. So
//! it is remembered for the state that was looked at last which transitions are enabled, and the
//! next state is compared with that one, word by word. A transition that is not enabled *waits*
//! for one variable that is too small for it, and is looked at again only when this variable has
//! grown; then it is enabled, or waits for another one. So a variable that thousands of guards
//! read costs little even if it changes in every step. What a step offers is a function of the
//! state alone; only the time depends on what came before.

use crate::id::Id;
use crate::lang::execute::Interpreter;
use crate::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Program, Proposition, VariableId,
};
use crate::system::{Cursor, Room, StepError, TransitionId};
use crate::work::tick;

/// Lists one behind the other.
#[derive(Clone, Debug)]
struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    fn new(rows: impl Iterator<Item = Vec<T>>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for row in rows {
            items.extend(row);
            starts.push(u32::try_from(items.len()).expect("fewer than 2^32 arcs"));
        }
        Self { starts, items }
    }

    fn row(&self, number: usize) -> &[T] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Where a variable lies in a state.
#[derive(Clone, Copy, Debug)]
struct Cell {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Cell {
    fn read(self, word: u64) -> u64 {
        word >> self.shift & self.mask
    }
}

/// What an effect does: it adds something to one word, if a field of it is not too large.
#[derive(Clone, Copy, Debug)]
struct Change {
    cell: Cell,
    /// What is added to the word; subtraction wraps around.
    addend: u64,
    /// The least distance for which there is no room.
    full: u64,
}

/// A conjunct of a guard: the distance of a variable is at least so much.
#[derive(Clone, Copy, Debug)]
struct Conjunct {
    variable: u32,
    least: u64,
}

/// A conjunct, as its variable knows it.
#[derive(Clone, Copy, Debug)]
struct Reader {
    transition: u32,
    least: u64,
}

/// No transition.
const NOBODY: u32 = u32::MAX;

/// A transition of an additive program, before all are put together.
struct Parts {
    /// The guard; nothing if it is never true.
    conjuncts: Option<Vec<Conjunct>>,
    changes: Vec<Change>,
}

/// An additive program, and what is known about the state that was looked at last.
#[derive(Debug)]
pub(super) struct Additive {
    changes: Rows<Change>,
    /// The conjuncts of each guard.
    guards: Rows<Conjunct>,
    /// For each variable the conjuncts about it.
    readers: Rows<Reader>,
    cells: Vec<Cell>,
    /// The variable to which each bit of a state belongs.
    variable_of_bit: Vec<u32>,
    /// The atoms that each transition makes true when it is enabled.
    atoms: Rows<u32>,
    state: Vec<u64>,
    /// The transitions that are enabled there, as bits, and how many they are.
    enabled: Vec<u64>,
    n_enabled: usize,
    /// How many enabled transitions each atom has.
    n_enabled_of: Vec<u32>,
    /// The first transition that waits for each variable, and for each one the next.
    waiting: Vec<u32>,
    next_waiting: Vec<u32>,
    /// Variables that have changed, and what they were before.
    changed: Vec<(u32, u64)>,
}

impl Additive {
    /// The program in this form, if it has it and each transition is a lane of its own.
    pub(super) fn new(interpreter: &Interpreter<'_>, atoms: &[Proposition]) -> Option<Self> {
        let program = interpreter.program;
        let are_lanes = || {
            let mut lanes = interpreter.lane_of.entries();
            lanes.all(|(transition, &lane)| transition.index() == lane as usize)
        };
        if program.control.is_some() || program.transitions.is_empty() || !are_lanes() {
            return None;
        }
        let ids = program.transitions.ids();
        let parts: Vec<Parts> =
            ids.map(|id| parts(interpreter, id)).collect::<Option<Vec<Parts>>>()?;
        let (n_words, n_variables) = (interpreter.layout.n_words(), program.variables.len());
        let mut additive = Self {
            readers: readers(&parts, n_variables),
            guards: Rows::new(
                parts.iter().map(|parts| parts.conjuncts.clone().unwrap_or_default()),
            ),
            cells: Vec::with_capacity(n_variables),
            variable_of_bit: vec![0; n_words * 64],
            atoms: Rows::new(atoms_of(program, atoms).into_iter()),
            state: vec![0; n_words],
            enabled: vec![0; parts.len().div_ceil(64)],
            n_enabled: 0,
            n_enabled_of: vec![0; atoms.len()],
            waiting: vec![NOBODY; n_variables],
            next_waiting: vec![NOBODY; parts.len()],
            changed: Vec::new(),
            changes: Rows::new(parts.iter().map(|parts| parts.changes.clone())),
        };
        additive.place_cells(interpreter);
        // In the first state that is looked at all variables have their least values.
        for (transition, parts) in parts.iter().enumerate() {
            match parts.conjuncts.as_deref() {
                // It is never enabled, and waits for nothing.
                None => (),
                Some([]) => additive.enable(transition),
                Some([first, ..]) => additive.wait(transition, first.variable),
            }
        }
        Some(additive)
    }

    fn place_cells(&mut self, interpreter: &Interpreter<'_>) {
        for variable in interpreter.program.variables.ids() {
            let cell = cell(interpreter, variable);
            // Constants are never different.
            self.cells.push(cell.unwrap_or(Cell { word: 0, shift: 0, mask: 0 }));
            let Some(Cell { word, shift, mask }) = cell else { continue };
            let first = (word * 64 + shift) as usize;
            let number = u32::try_from(variable.index()).expect("fewer than 2^32 variables");
            self.variable_of_bit[first..first + mask.count_ones() as usize].fill(number);
        }
    }

    fn is_enabled(&self, transition: usize) -> bool {
        self.enabled[transition / 64] >> (transition % 64) & 1 == 1
    }

    fn enable(&mut self, transition: usize) {
        self.enabled[transition / 64] |= 1 << (transition % 64);
        self.n_enabled += 1;
        for &atom in self.atoms.row(transition) {
            self.n_enabled_of[atom as usize] += 1;
        }
    }

    /// Disables a transition, for which this variable is too small.
    fn disable(&mut self, transition: usize, variable: u32) {
        self.enabled[transition / 64] &= !(1 << (transition % 64));
        self.n_enabled -= 1;
        for &atom in self.atoms.row(transition) {
            self.n_enabled_of[atom as usize] -= 1;
        }
        self.wait(transition, variable);
    }

    fn wait(&mut self, transition: usize, variable: u32) {
        let first = u32::try_from(transition).expect("fewer than 2^32 transitions");
        let before = std::mem::replace(&mut self.waiting[variable as usize], first);
        self.next_waiting[transition] = before;
    }

    fn distance(&self, variable: u32) -> u64 {
        let cell = self.cells[variable as usize];
        cell.read(self.state[cell.word as usize])
    }

    /// A variable that is too small for a transition.
    fn lacking(&self, transition: usize) -> Option<u32> {
        let mut guard = self.guards.row(transition).iter();
        let lacking = guard.find(|conjunct| {
            tick();
            self.distance(conjunct.variable) < conjunct.least
        });
        lacking.map(|conjunct| conjunct.variable)
    }

    /// Finds what is enabled in `state`.
    fn look_at(&mut self, state: &[u64]) {
        if self.state == state {
            return;
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        for (word, &new) in state.iter().enumerate() {
            let mut different = self.state[word] ^ new;
            while different != 0 {
                let bit = different.trailing_zeros() as usize;
                let variable = self.variable_of_bit[word * 64 + bit];
                let cell = self.cells[variable as usize];
                different &= !(cell.mask << cell.shift);
                changed.push((variable, cell.read(self.state[word])));
            }
            self.state[word] = new;
        }
        let mut looks_at_all = false;
        for &(variable, old) in &changed {
            if self.distance(variable) < old {
                looks_at_all |= !self.shrink(variable);
            }
        }
        if looks_at_all {
            self.look_at_enabled();
        }
        for &(variable, old) in &changed {
            if old < self.distance(variable) {
                self.grow(variable);
            }
        }
        self.changed = changed;
    }

    /// Disables what a variable has become too small for; false if it takes less time to look at
    /// all that is enabled.
    fn shrink(&mut self, variable: u32) -> bool {
        let distance = self.distance(variable);
        let [start, end] = [0, 1].map(|behind| self.readers.starts[variable as usize + behind]);
        if self.n_enabled < (end - start) as usize {
            return false;
        }
        for position in start..end {
            tick();
            let Reader { transition, least } = self.readers.items[position as usize];
            if distance < least && self.is_enabled(transition as usize) {
                self.disable(transition as usize, variable);
            }
        }
        true
    }

    /// Disables what is enabled no longer.
    fn look_at_enabled(&mut self) {
        for word in 0..self.enabled.len() {
            let mut left = self.enabled[word];
            while left != 0 {
                let transition = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(variable) = self.lacking(transition) {
                    self.disable(transition, variable);
                }
            }
        }
    }

    /// Looks again at what waits for a variable.
    fn grow(&mut self, variable: u32) {
        let mut next = std::mem::replace(&mut self.waiting[variable as usize], NOBODY);
        while next != NOBODY {
            let transition = next as usize;
            next = self.next_waiting[transition];
            match self.lacking(transition) {
                None => self.enable(transition),
                Some(other) => self.wait(transition, other),
            }
        }
    }

    /// The next successor of a state.
    pub(super) fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        self.look_at(state);
        let Some(transition) = self.next_enabled(cursor) else { return Ok(None) };
        super::copy(state, target);
        let id = TransitionId::new(transition);
        for &Change { cell, addend, full } in self.changes.row(transition) {
            let word = &mut target[cell.word as usize];
            if full <= cell.read(*word) {
                return Err(StepError::Room(Room { transition: id }));
            }
            *word = word.wrapping_add(addend);
        }
        Ok(Some(id))
    }

    /// The next enabled transition from where a cursor stands, which goes behind it.
    fn next_enabled(&self, cursor: &mut Cursor) -> Option<usize> {
        let n_lanes = self.next_waiting.len();
        while (cursor.turn as usize) < n_lanes {
            let at = (cursor.first as usize + cursor.turn as usize) % n_lanes;
            let found = self.first_from(at);
            // From here on there is nothing before the end, or before where the cursor began.
            let skipped = found.unwrap_or(n_lanes) - at;
            let turn = cursor.turn as usize + skipped;
            cursor.turn = u32::try_from(turn.min(n_lanes)).expect("fewer than 2^32 transitions");
            if let Some(found) = found.filter(|_| turn < n_lanes) {
                cursor.turn += 1;
                return Some(found);
            }
        }
        None
    }

    /// The first enabled transition from a number on.
    fn first_from(&self, at: usize) -> Option<usize> {
        let first = self.enabled[at / 64] & u64::MAX << (at % 64);
        if first != 0 {
            return Some(at / 64 * 64 + first.trailing_zeros() as usize);
        }
        let behind = at / 64 + 1;
        let rest = self.enabled[behind..].iter().position(|&word| word != 0)?;
        let word = behind + rest;
        Some(word * 64 + self.enabled[word].trailing_zeros() as usize)
    }

    /// Adds to a letter the atoms that are true because a transition is enabled in `state`.
    pub(super) fn observe(&mut self, state: &[u64], letter: &mut [u64]) {
        self.look_at(state);
        for (number, &n_enabled) in self.n_enabled_of.iter().enumerate() {
            letter[number / 64] |= u64::from(0 < n_enabled) << (number % 64);
        }
    }
}

/// For each variable the conjuncts about it.
fn readers(parts: &[Parts], n_variables: usize) -> Rows<Reader> {
    let mut of = vec![Vec::new(); n_variables];
    for (transition, parts) in (0..).zip(parts) {
        for &Conjunct { variable, least } in parts.conjuncts.iter().flatten() {
            of[variable as usize].push(Reader { transition, least });
        }
    }
    Rows::new(of.into_iter())
}

/// The atoms that transitions make true when they are enabled, transition by transition.
fn atoms_of(program: &Program, atoms: &[Proposition]) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); program.transitions.len()];
    for (number, atom) in (0..).zip(atoms) {
        if let Proposition::Enabled(transitions) = atom {
            for &transition in transitions {
                of[transition.index()].push(number);
            }
        }
    }
    of
}

/// Where a variable lies; nothing for a constant, and for an array, which is no matter for us.
fn cell(interpreter: &Interpreter<'_>, variable: VariableId) -> Option<Cell> {
    let place = interpreter.layout.place(variable)?;
    Some(Cell { word: place.word, shift: place.shift, mask: place.mask() })
}

/// A transition taken apart; nothing if it has another form.
fn parts(interpreter: &Interpreter<'_>, id: TransitionId) -> Option<Parts> {
    let program = interpreter.program;
    let transition = &program.transitions[id];
    if !transition.choices.is_empty() {
        return None;
    }
    let mut conjuncts: Option<Vec<Conjunct>> = Some(Vec::new());
    let mut open = vec![transition.guard];
    while let Some(condition) = open.pop() {
        if let Expression::Binary(BinaryOperator::And, left, right) = program.view(condition) {
            open.extend([right, left]);
            continue;
        }
        match meaning(interpreter, condition)? {
            Meaning::True => (),
            Meaning::False => conjuncts = None,
            Meaning::AtLeast(conjunct) => {
                if let Some(conjuncts) = &mut conjuncts {
                    conjuncts.push(conjunct);
                }
            }
        }
    }
    let mut changes = Vec::new();
    let mut fits: Option<(VariableId, i64)> = None;
    let mut assigned = Vec::new();
    for effect in &transition.effects {
        match *effect {
            Effect::Assert(condition, Asserted::Capacity) => {
                fits = Some(at_most(program, condition)?);
            }
            Effect::Assign(variable, value) => {
                let addend = addend(program, variable, value)?;
                assigned.push(variable);
                let room = fits.take().filter(|room| room.0 == variable).map(|room| room.1);
                changes.push(change(interpreter, (variable, addend), room, conjuncts.as_deref())?);
            }
            _ => return None,
        }
    }
    assigned.sort_unstable();
    let is_each_once = assigned.windows(2).all(|pair| pair[0] != pair[1]);
    is_each_once.then_some(Parts { conjuncts, changes })
}

enum Meaning {
    True,
    False,
    AtLeast(Conjunct),
}

/// What a conjunct of a guard says; nothing if it has another form.
fn meaning(interpreter: &Interpreter<'_>, condition: ExpressionId) -> Option<Meaning> {
    let program = interpreter.program;
    let decided = |truth: bool| if truth { Meaning::True } else { Meaning::False };
    if let Some(truth) = program.as_constant(condition) {
        return Some(decided(truth != 0));
    }
    let Expression::Binary(BinaryOperator::LessEqual, least, value) = program.view(condition)
    else {
        return None;
    };
    let least = program.as_constant(least)?;
    let Expression::Variable(variable) = program.view(value) else { return None };
    let declared = &program.variables[variable];
    if interpreter.layout.place(variable).is_none() {
        return Some(decided(least <= *declared.initial.first()?));
    }
    if declared.high < least {
        return Some(Meaning::False);
    }
    Some(match u64::try_from(least.checked_sub(declared.low)?) {
        Ok(least) if 0 < least => {
            let variable = u32::try_from(variable.index()).expect("fewer than 2^32 variables");
            Meaning::AtLeast(Conjunct { variable, least })
        }
        _ => Meaning::True,
    })
}

/// A variable and a value that it is at most.
fn at_most(program: &Program, condition: ExpressionId) -> Option<(VariableId, i64)> {
    let Expression::Binary(BinaryOperator::LessEqual, value, most) = program.view(condition) else {
        return None;
    };
    let Expression::Variable(variable) = program.view(value) else { return None };
    Some((variable, program.as_constant(most)?))
}

/// What is added to a variable, if `value` is its value and something more.
fn addend(program: &Program, variable: VariableId, value: ExpressionId) -> Option<i64> {
    let Expression::Binary(BinaryOperator::Add, left, right) = program.view(value) else {
        return None;
    };
    let is_same = program.view(left) == Expression::Variable(variable);
    program.as_constant(right).filter(|_| is_same)
}

/// A change that cannot leave the range of a variable: upwards it asks for room, and downwards the
/// guard asks for as much.
fn change(
    interpreter: &Interpreter<'_>,
    (variable, addend): (VariableId, i64),
    room: Option<i64>,
    conjuncts: Option<&[Conjunct]>,
) -> Option<Change> {
    let declared = &interpreter.program.variables[variable];
    let cell = cell(interpreter, variable)?;
    let full = if 0 < addend {
        let most = room?;
        if declared.high < most.checked_add(addend)? {
            return None;
        }
        // There may be no room even for the least value.
        u64::try_from(most.checked_sub(declared.low)?.checked_add(1)?).unwrap_or(0)
    } else {
        // A guard that is never true asks for anything.
        let is_asked = |asked: &Conjunct| {
            asked.variable as usize == variable.index() && addend.unsigned_abs() <= asked.least
        };
        if conjuncts.is_some_and(|conjuncts| !conjuncts.iter().any(is_asked)) {
            return None;
        }
        u64::MAX
    };
    Some(Change { cell, addend: addend.cast_unsigned().wrapping_shl(cell.shift), full })
}

//! How long does a step of a model take? Interpreter, compiled code and, for
//! one model, Rust written by hand.
//!
//! `cargo bench --bench successors` prints one CSV line per model and executor:
//! nanoseconds per successor and per state, the best of several passes over
//! all reachable states. Nothing is stored or compared in a pass.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use lwaa::id::Id;
use lwaa::lang::compile::Compiled;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{
    BinaryOperator as B, Effect, Expression, ExpressionId, Process, ProcessId, Program, Span,
    Transition, Variable, VariableId,
};
use lwaa::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};
use lwaa::word::AtomId;
use std::collections::HashSet;
use std::time::Instant;

/// A program in the making.
#[derive(Default)]
struct Builder {
    program: Program,
}

impl Builder {
    fn variable(&mut self, name: String, high: i64, len: Option<usize>, value: i64) -> VariableId {
        let initial = vec![value; len.unwrap_or(1)];
        let (low, any, value_names) = (0, false, Vec::new());
        self.program.variables.push(Variable { name, low, high, len, initial, any, value_names })
    }

    fn read(&mut self, variable: VariableId) -> ExpressionId {
        self.program.expression(Expression::Variable(variable))
    }

    fn element(&mut self, array: VariableId, index: ExpressionId) -> ExpressionId {
        self.program.expression(Expression::Element(array, index))
    }

    fn number(&mut self, value: i64) -> ExpressionId {
        self.program.constant(value)
    }

    fn binary(&mut self, operator: B, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.program.binary(operator, left, right)
    }

    /// `variable operator value`.
    fn compare(&mut self, variable: VariableId, operator: B, value: i64) -> ExpressionId {
        let (left, right) = (self.read(variable), self.number(value));
        self.binary(operator, left, right)
    }

    fn set(&mut self, variable: VariableId, value: i64) -> Effect {
        Effect::Assign(variable, self.number(value))
    }

    /// A transition of a process from a location to another.
    fn step(
        &mut self,
        (process, counter): (ProcessId, VariableId),
        (from, to): (i64, i64),
        guards: &[ExpressionId],
        effects: Vec<Effect>,
    ) {
        let mut parts = vec![self.compare(counter, B::Equal, from)];
        parts.extend(guards);
        let guard = self.program.conjunction(&parts);
        let mut all = vec![self.set(counter, to)];
        all.extend(effects);
        self.program.transitions.push(Transition {
            process,
            partner: None,
            action: format!("{from}-{to}"),
            choices: Vec::new(),
            guard,
            effects: all,
            span: Span::default(),
            steps: Vec::new(),
        });
    }

    fn process(&mut self, name: &str, high: i64) -> (ProcessId, VariableId) {
        let number = self.program.processes.len();
        let process = self.program.processes.push(Process { name: format!("{name}_{number}") });
        (process, self.variable(format!("{name}_{number}"), high, None, 0))
    }
}

/// Peterson's mutual exclusion for `n` processes, as BEEM has it.
fn peterson(n: usize) -> Program {
    const NCS: i64 = 0;
    const CS: i64 = 1;
    const WAIT: i64 = 2;
    const Q2: i64 = 3;
    const Q3: i64 = 4;
    let mut builder = Builder::default();
    let bound = i64::try_from(n).expect("few processes");
    let pos = builder.variable("pos".into(), 255, Some(n), 0);
    let step = builder.variable("step".into(), 255, Some(n), 0);
    for me in 0..bound {
        let mover = builder.process("P", 4);
        let j = builder.variable(format!("P_{me}.j"), 255, None, 0);
        let k = builder.variable(format!("P_{me}.k"), 255, None, 0);
        let (my, one, zero) = (builder.number(me), builder.number(1), builder.number(0));
        let (read_j, read_k) = (builder.read(j), builder.read(k));
        let start = vec![builder.set(j, 1)];
        builder.step(mover, (NCS, WAIT), &[], start);
        let more = builder.compare(j, B::Less, bound);
        builder.step(mover, (WAIT, Q2), &[more], vec![Effect::AssignElement(pos, my, read_j)]);
        let before = builder.binary(B::Subtract, read_j, one);
        let effects = vec![Effect::AssignElement(step, before, my), builder.set(k, 0)];
        builder.step(mover, (Q2, Q3), &[], effects);
        let inside = builder.compare(k, B::Less, bound);
        let is_me = builder.compare(k, B::Equal, me);
        let other = builder.element(pos, read_k);
        let lower = builder.binary(B::Less, other, read_j);
        let passes = builder.binary(B::Or, is_me, lower);
        let next = builder.binary(B::Add, read_k, one);
        builder.step(mover, (Q3, Q3), &[inside, passes], vec![Effect::Assign(k, next)]);
        let last = builder.element(step, before);
        let displaced = builder.binary(B::NotEqual, last, my);
        let alone = builder.compare(k, B::Equal, bound);
        let goes_on = builder.binary(B::Or, displaced, alone);
        let next = builder.binary(B::Add, read_j, one);
        builder.step(mover, (Q3, WAIT), &[goes_on], vec![Effect::Assign(j, next)]);
        let all = builder.compare(j, B::Equal, bound);
        builder.step(mover, (WAIT, CS), &[all], Vec::new());
        builder.step(mover, (CS, NCS), &[], vec![Effect::AssignElement(pos, my, zero)]);
    }
    builder.program
}

/// Philosophers who take the left fork and then the right one.
fn philosophers(n: usize) -> Program {
    let mut builder = Builder::default();
    let forks: Vec<VariableId> =
        (0..n).map(|fork| builder.variable(format!("fork_{fork}"), 1, None, 0)).collect();
    for me in 0..n {
        let mover = builder.process("phil", 3);
        let (left, right) = (forks[me], forks[(me + 1) % n]);
        let left_free = builder.compare(left, B::Equal, 0);
        let right_free = builder.compare(right, B::Equal, 0);
        let effects = vec![builder.set(left, 1)];
        builder.step(mover, (0, 1), &[left_free], effects);
        let effects = vec![builder.set(right, 1)];
        builder.step(mover, (1, 2), &[right_free], effects);
        let effects = vec![builder.set(left, 0)];
        builder.step(mover, (2, 3), &[], effects);
        let effects = vec![builder.set(right, 0)];
        builder.step(mover, (3, 0), &[], effects);
    }
    builder.program
}

/// A ring in which processes pass on the largest number they have seen, over
/// channels with room for two messages.
fn ring(n: usize) -> Program {
    let mut builder = Builder::default();
    let capacity = 2;
    let channels: Vec<(VariableId, VariableId)> = (0..n)
        .map(|channel| {
            let buffer = builder.variable(format!("buffer_{channel}"), 255, Some(2), 0);
            (buffer, builder.variable(format!("length_{channel}"), capacity, None, 0))
        })
        .collect();
    for me in 0..n {
        let mover = builder.process("node", 2);
        let mine = i64::try_from((me * 7) % n).expect("few processes");
        let largest = builder.variable(format!("node_{me}.largest"), 255, None, mine);
        let heard = builder.variable(format!("node_{me}.heard"), 255, None, 0);
        let ((from, from_length), (to, to_length)) = (channels[me], channels[(me + 1) % n]);
        let (one, zero) = (builder.number(1), builder.number(0));
        let has_room = builder.compare(to_length, B::Less, capacity);
        let length = builder.read(to_length);
        let longer = builder.binary(B::Add, length, one);
        let value = builder.read(largest);
        let send =
            vec![Effect::AssignElement(to, length, value), Effect::Assign(to_length, longer)];
        builder.step(mover, (0, 1), &[has_room], send);
        let has_message = builder.compare(from_length, B::NotEqual, 0);
        let length = builder.read(from_length);
        let shorter = builder.binary(B::Subtract, length, one);
        let (first, second) = (builder.element(from, zero), builder.element(from, one));
        let receive = vec![
            Effect::Assign(heard, first),
            Effect::AssignElement(from, zero, second),
            Effect::AssignElement(from, one, zero),
            Effect::Assign(from_length, shorter),
        ];
        builder.step(mover, (1, 2), &[has_message], receive);
        let new = builder.read(heard);
        let is_news = builder.binary(B::Less, value, new);
        let is_old = builder.binary(B::LessEqual, new, value);
        builder.step(mover, (2, 0), &[is_news], vec![Effect::Assign(largest, new)]);
        builder.step(mover, (2, 1), &[is_old], Vec::new());
    }
    builder.program
}

/// [`peterson`] of four processes, by hand: word 0 has `pos` and `step`, words
/// 1 and 2 have location, `j` and `k` of two processes each, all in bytes.
struct HandWritten;

impl HandWritten {
    /// Transition `number` of process `me`: whether it is possible, in which
    /// case it is done in `target`, a copy of the state.
    #[inline]
    fn fire(me: u64, number: u32, target: &mut [u64; 3]) -> bool {
        let own = usize::try_from(1 + me / 2).expect("one or two");
        let shift = me % 2 * 24;
        let mine = target[own] >> shift;
        let (location, j, k) = (mine & 255, mine >> 8 & 255, mine >> 16 & 255);
        let pos = |index: u64| target[0] >> (8 * index) & 255;
        let step = |index: u64| target[0] >> (32 + 8 * index) & 255;
        let patched = |word: u64, bit: u64, value: u64| word & !(255 << bit) | value << bit;
        let mut shared = target[0];
        let (location, j, k) = match (location, number) {
            (0, 0) => (2, 1, k),
            (2, 0) if j < 4 => {
                shared = patched(shared, 8 * me, j);
                (3, j, k)
            }
            (3, 0) => {
                shared = patched(shared, 32 + 8 * (j - 1), me);
                (4, j, 0)
            }
            (4, 0) if k < 4 && (k == me || pos(k) < j) => (4, j, k + 1),
            (4, 1) if step(j - 1) != me || k == 4 => (2, j + 1, k),
            (2, 1) if j == 4 => (1, j, k),
            (1, 0) => {
                shared = patched(shared, 8 * me, 0);
                (0, j, k)
            }
            _ => return false,
        };
        target[0] = shared;
        let mine = location | j << 8 | k << 16;
        target[own] = target[own] & !(0xff_ffff << shift) | mine << shift;
        true
    }
}

impl TransitionSystem for HandWritten {
    fn n_words(&self) -> usize {
        3
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        vec![Box::new([0; 3])]
    }

    fn n_lanes(&self) -> u32 {
        4
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        u32::try_from(transition.index() / 2).expect("eight transitions")
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let mut copy: [u64; 3] = state.try_into().expect("three words");
        while cursor.turn < 4 {
            let lane = (cursor.first + cursor.turn) % 4;
            while cursor.position < 2 {
                let number = cursor.position;
                cursor.position += 1;
                if Self::fire(u64::from(lane), number, &mut copy) {
                    target.copy_from_slice(&copy);
                    return Ok(Some(TransitionId::new((2 * lane + number) as usize)));
                }
            }
            cursor.turn += 1;
            cursor.position = 0;
        }
        Ok(None)
    }

    fn observe(&mut self, _: &[u64], _: &mut [u64]) -> Result<(), Fault> {
        Ok(())
    }

    fn observe_atom(&mut self, _: &[u64], _: AtomId) -> Result<bool, Fault> {
        Ok(false)
    }
}

/// The first `limit` states that are found.
fn reachable(system: &mut impl TransitionSystem, limit: usize) -> Vec<u64> {
    let n_words = system.n_words();
    let mut states: Vec<u64> = Vec::new();
    let mut known: HashSet<Box<[u64]>> = HashSet::new();
    for state in system.initial_states() {
        states.extend(&state);
        known.insert(state);
    }
    let mut target = vec![0; n_words];
    let mut next = 0;
    while next < states.len() && known.len() < limit {
        let state = states[next..next + n_words].to_vec();
        let mut cursor = Cursor::default();
        while system.next(&state, &mut cursor, &mut target).expect("a correct model").is_some() {
            if known.insert(target.clone().into_boxed_slice()) {
                states.extend(&target);
            }
        }
        next += n_words;
    }
    states
}

/// All successors of all states: how many, and how many nanoseconds it took.
fn pass(system: &mut impl TransitionSystem, states: &[u64]) -> (u32, f64) {
    let started = Instant::now();
    let mut n_successors = 0;
    let mut target = vec![0; system.n_words()];
    for state in states.chunks_exact(system.n_words()) {
        let mut cursor = Cursor::default();
        while system.next(state, &mut cursor, &mut target).expect("a correct model").is_some() {
            n_successors += 1;
        }
    }
    (n_successors, started.elapsed().as_secs_f64() * 1e9)
}

fn measure(name: &str, executor: &str, system: &mut impl TransitionSystem, n_passes: usize) {
    let states = reachable(system, 200_000);
    let n_states = u32::try_from(states.len() / system.n_words()).expect("not that many");
    let passes = (0..n_passes).map(|_| pass(system, &states));
    let (n_successors, time) = passes.min_by(|a, b| a.1.total_cmp(&b.1)).expect("some passes");
    let (per_successor, per_state) = (time / f64::from(n_successors), time / f64::from(n_states));
    println!("{name},{executor},{n_states},{n_successors},{per_successor:.1},{per_state:.1}");
}

fn main() {
    let models =
        [("peterson-4", peterson(4)), ("philosophers-10", philosophers(10)), ("ring-5", ring(5))];
    println!("model,executor,states,successors,ns_per_successor,ns_per_state");
    for (name, program) in &models {
        measure(name, "interpreter", &mut Interpreter::new(program, &[]), 1);
        measure(name, "compiled", &mut Compiled::new(program, &[]), 15);
    }
    measure("peterson-4", "by-hand", &mut HandWritten, 15);
}

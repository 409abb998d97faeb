//! Frames of clauses, and what a solver says about steps from them.

use super::system::{System, Taken};
use crate::sat::solver::{Literal, Solver};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::is_subset;

/// After so many questions the solver is made anew: each leaves a variable behind.
const QUESTIONS_PER_SOLVER: usize = 4000;

/// How often in a row a fact may turn out to be needed before no more are tried.
const MAX_FAILURES: usize = 12;

/// Facts, increasing, one of which is true.
type Clause = Box<[usize]>;

/// A clause, with a bit for some of its facts so that most comparisons are short.
struct Learned {
    facts: Clause,
    signature: u64,
}

fn signature(facts: &[usize]) -> u64 {
    facts.iter().fold(0, |bits, fact| bits | 1 << (fact % 64))
}

/// Clauses that are true after some number of steps, from the beginning on.
pub(super) struct Frames<'l, 'b, 'a, S> {
    system: System<'l>,
    budget: &'b Budget<'a>,
    solver: S,
    n_variables: usize,
    n_questions: usize,
    /// The last question, which is no longer asked.
    asked: Option<usize>,
    /// For each frame the clauses of which it is the last; the first frame is the
    /// beginning and has none.
    learned: Vec<Vec<Learned>>,
    /// For each frame the variable that makes its clauses count.
    switches: Vec<usize>,
    taken: Taken,
    /// Scratch space.
    literals: Vec<Literal>,
}

impl<'l, 'b, 'a, S: Solver<'a>> Frames<'l, 'b, 'a, S> {
    pub(super) fn new(system: System<'l>, budget: &'b Budget<'a>) -> Self {
        let mut frames = Self {
            taken: system.taken(),
            system,
            budget,
            solver: S::new(budget.watch()),
            n_variables: 0,
            n_questions: 0,
            asked: None,
            learned: vec![Vec::new()],
            switches: Vec::new(),
            literals: Vec::new(),
        };
        frames.begin();
        frames
    }

    pub(super) fn system(&self) -> &System<'l> {
        &self.system
    }

    /// The number of the last frame.
    pub(super) fn last(&self) -> usize {
        self.learned.len() - 1
    }

    pub(super) fn add_frame(&mut self) {
        self.learned.push(Vec::new());
        self.switches.push(self.n_variables);
        self.n_variables += 1;
    }

    pub(super) fn add_round(&mut self) {
        self.system.add_round();
        self.begin();
    }

    /// The clauses that are true from `frame` on.
    pub(super) fn clauses_from(&self, frame: usize) -> impl Iterator<Item = &[usize]> {
        self.learned[frame..].iter().flatten().map(|learned| &*learned.facts)
    }

    /// Tells a new solver everything.
    fn begin(&mut self) {
        self.solver = S::new(self.budget.watch());
        self.n_questions = 0;
        self.asked = None;
        self.system.write(&mut self.solver);
        let first = self.system.n_variables();
        self.switches = (first..first + self.learned.len()).collect();
        self.n_variables = first + self.learned.len();
        for fact in 0..self.system.n_facts() {
            if self.system.is_initial(fact) {
                let fact = Literal::positive(self.system.here(fact));
                self.solver.add_clause(&[Literal::negative(self.switches[0]), fact]);
            }
        }
        for frame in 0..self.learned.len() {
            for number in 0..self.learned[frame].len() {
                self.tell(frame, number);
            }
        }
    }

    fn tell(&mut self, frame: usize, number: usize) {
        self.literals.clear();
        self.literals.push(Literal::negative(self.switches[frame]));
        let facts = &self.learned[frame][number].facts;
        self.literals.extend(facts.iter().map(|&fact| Literal::positive(self.system.here(fact))));
        self.solver.add_clause(&self.literals);
    }

    /// Adds a clause to all frames up to `frame`.
    pub(super) fn add_clause(&mut self, facts: Vec<usize>, frame: usize) {
        let learned = Learned { signature: signature(&facts), facts: facts.into() };
        for earlier in &mut self.learned[..=frame] {
            earlier.retain(|old| {
                learned.signature & !old.signature != 0 || !is_subset(&learned.facts, &old.facts)
            });
        }
        self.learned[frame].push(learned);
        self.tell(frame, self.learned[frame].len() - 1);
    }

    /// Whether a clause of `frame` excludes all moments without `absent`.
    pub(super) fn is_blocked(&self, absent: &[usize], frame: usize) -> bool {
        let signature = signature(absent);
        self.learned[frame..]
            .iter()
            .flatten()
            .any(|learned| learned.signature & !signature == 0 && is_subset(&learned.facts, absent))
    }

    /// Whether a moment without `absent` can be reached by a step from a moment
    /// of the frame before `frame` that has one of these facts (or, unless
    /// `from_others`, any).
    fn is_reachable(
        &mut self,
        absent: &[usize],
        frame: usize,
        from_others: bool,
    ) -> Result<bool, Exhausted> {
        if QUESTIONS_PER_SOLVER < self.n_questions {
            self.begin();
        }
        if let Some(asked) = self.asked.take() {
            self.solver.add_clause(&[Literal::negative(asked)]);
        }
        if from_others {
            self.n_questions += 1;
            let asked = self.n_variables;
            self.n_variables += 1;
            self.literals.clear();
            self.literals.push(Literal::negative(asked));
            let facts = absent.iter().map(|&fact| Literal::positive(self.system.here(fact)));
            self.literals.extend(facts);
            self.solver.add_clause(&self.literals);
            self.asked = Some(asked);
        }
        self.literals.clear();
        self.literals.extend(self.asked.map(Literal::positive));
        self.literals.extend(self.switches[frame - 1..].iter().map(|&s| Literal::positive(s)));
        let next = absent.iter().map(|&fact| Literal::negative(self.system.next(fact)));
        self.literals.extend(next);
        self.solver.solve(&self.literals)
    }

    /// The facts that were used to find out that something cannot be reached.
    fn used(&self, absent: &[usize]) -> Vec<usize> {
        let is_used =
            |fact: &&usize| self.solver.is_used(Literal::negative(self.system.next(**fact)));
        let mut used: Vec<usize> = absent.iter().filter(is_used).copied().collect();
        if !used.iter().any(|&fact| self.system.is_initial(fact)) {
            // The beginning is not to be excluded.
            let initial = absent.iter().copied().find(|&fact| self.system.is_initial(fact));
            used.extend(initial);
            used.sort_unstable();
        }
        used
    }

    /// A set of moments in the frame before `frame` from which all have a step to a
    /// moment without `absent`, as the facts that are absent there.
    pub(super) fn predecessor(
        &mut self,
        absent: &[usize],
        frame: usize,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        if !self.is_reachable(absent, frame, true)? {
            return Ok(None);
        }
        let before = self.system.before(&self.solver, absent, &mut self.taken);
        Ok(Some(before))
    }

    /// Fewer facts than `absent`, which cannot be reached either. To be called
    /// after a predecessor was looked for in vain.
    pub(super) fn generalize(
        &mut self,
        absent: &[usize],
        frame: usize,
    ) -> Result<Vec<usize>, Exhausted> {
        let mut kept = self.used(absent);
        let mut n_failures = 0;
        let mut tried: Vec<usize> = kept.clone();
        while let Some(fact) = tried.pop() {
            if kept.len() <= 1 || MAX_FAILURES < n_failures {
                break;
            }
            if !kept.contains(&fact) {
                continue;
            }
            let fewer: Vec<usize> = kept.iter().copied().filter(|&other| other != fact).collect();
            if !fewer.iter().any(|&fact| self.system.is_initial(fact)) {
                continue;
            }
            if self.is_reachable(&fewer, frame, true)? {
                n_failures += 1;
            } else {
                kept = self.used(&fewer);
                n_failures = 0;
            }
        }
        Ok(kept)
    }

    /// The last frame that the clause belongs to if it belongs to `frame`.
    pub(super) fn push_forward(
        &mut self,
        absent: &[usize],
        mut frame: usize,
    ) -> Result<usize, Exhausted> {
        while frame < self.last() && !self.is_reachable(absent, frame + 1, true)? {
            frame += 1;
        }
        Ok(frame)
    }

    /// Moves clauses to later frames where they are true. If a frame is then equal to
    /// the next one, the number of the next one.
    pub(super) fn propagate(&mut self) -> Result<Option<usize>, Exhausted> {
        for frame in 1..self.last() {
            let clauses: Vec<Clause> =
                self.learned[frame].iter().map(|learned| learned.facts.clone()).collect();
            for facts in clauses {
                if !self.is_reachable(&facts, frame + 1, false)? {
                    self.learned[frame].retain(|learned| learned.facts != facts);
                    self.add_clause(facts.into(), frame + 1);
                }
            }
            if self.learned[frame].is_empty() {
                return Ok(Some(frame + 1));
            }
        }
        Ok(None)
    }
}

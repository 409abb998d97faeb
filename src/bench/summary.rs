//! What several attempts come to, and what all of a pipeline's come to.

use super::{Instance, InstanceId, Measurement, Outcome, PipelineId, Results, Verdict};
use crate::bench::number::exact;

/// All attempts of one pipeline at one instance as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    /// The worst that became of one of them.
    pub outcome: Outcome,
    /// The answer.
    pub verdict: Option<&'a Verdict>,
    /// Whether the answer is not the one that is known.
    pub is_wrong: bool,
    /// Whether there is an answer, no answer is known, and another pipeline says the
    /// contrary.
    pub is_disputed: bool,
    /// The median of the times on the wall.
    pub seconds: Option<f64>,
    /// The most memory.
    pub peak_bytes: Option<u64>,
    /// The other numbers, of the first attempt.
    pub numbers: &'a [(String, f64)],
    /// Why there is no answer.
    pub message: Option<&'a str>,
}

impl Cell<'_> {
    /// The number called `name`.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(other, _)| other == name).map(|&(_, number)| number)
    }

    /// The time, if there is an answer that no pipeline contradicts.
    #[must_use]
    pub fn solved_in(&self) -> Option<f64> {
        let is_doubtful = self.is_wrong || self.is_disputed;
        self.seconds.filter(|_| self.outcome == Outcome::Solved && !is_doubtful)
    }

    /// Whether it says yes or no.
    fn has_answer(&self) -> bool {
        self.verdict.is_some_and(|verdict| verdict.is_yes.is_some())
    }

    /// The peak of memory, for a plot.
    pub(super) fn peak(&self) -> Option<f64> {
        self.peak_bytes.map(exact)
    }
}

/// What all attempts of a pipeline come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Instances that it was to solve.
    pub instances: usize,
    /// Of these, with an automaton, or with an answer that no pipeline contradicts.
    pub solved: usize,
    /// Of all, with an answer that can be compared: yes or no.
    pub answers: usize,
    /// With a wrong answer.
    pub wrong: usize,
    /// With an answer that another one contradicts.
    pub disputed: usize,
    /// With nothing found by a search that may overlook something.
    pub nothing_found: usize,
    /// Out of time.
    pub out_of_time: usize,
    /// Out of memory.
    pub out_of_memory: usize,
    /// Unknown, or failed.
    pub failed: usize,
    /// Not asked, or not installed.
    pub not_tried: usize,
    /// Time for all that it has solved.
    pub seconds: f64,
    /// The most memory for anything.
    pub peak_bytes: u64,
}

impl Results {
    /// What the attempts of a pipeline at an instance come to; nothing if there
    /// are none.
    #[must_use]
    pub fn cell(&self, instance: InstanceId, pipeline: PipelineId) -> Option<Cell<'_>> {
        let attempts: Vec<&Measurement> = self.attempts(instance, pipeline).collect();
        let worst = attempts.iter().max_by_key(|attempt| attempt.outcome)?;
        let row = &self.instances[instance];
        let wrong = attempts.iter().find(|attempt| attempt.contradicts(row));
        // A wrong answer is the one to be seen.
        let shown = wrong.unwrap_or(worst);
        let mut times: Vec<f64> =
            attempts.iter().filter_map(|attempt| Some(attempt.cost?.wall_seconds)).collect();
        times.sort_by(f64::total_cmp);
        Some(Cell {
            outcome: worst.outcome,
            verdict: shown.verdict.as_ref(),
            is_wrong: wrong.is_some(),
            is_disputed: attempts.iter().any(|attempt| attempt.is_yes().is_some())
                && self.is_disputed(instance),
            seconds: median(&times),
            peak_bytes: attempts.iter().filter_map(|attempt| attempt.cost?.peak_bytes).max(),
            numbers: attempts.first().map_or(&[], |attempt| &attempt.numbers),
            message: shown.message.as_deref(),
        })
    }

    /// Whether no answer is known, and some say yes and others no.
    pub(super) fn is_disputed(&self, instance: InstanceId) -> bool {
        let says = |yes: bool| {
            let mut attempts = self.measurements.iter();
            attempts.any(|attempt| attempt.instance == instance && attempt.is_yes() == Some(yes))
        };
        self.instances[instance].expected.is_none() && says(true) && says(false)
    }

    fn attempts(
        &self,
        instance: InstanceId,
        pipeline: PipelineId,
    ) -> impl Iterator<Item = &Measurement> {
        self.measurements
            .iter()
            .filter(move |attempt| attempt.instance == instance && attempt.pipeline == pipeline)
    }

    /// What all attempts of a pipeline come to.
    #[must_use]
    pub fn counts(&self, pipeline: PipelineId) -> Counts {
        let mut counts = Counts::default();
        for instance in self.instances.ids() {
            let Some(cell) = self.cell(instance, pipeline) else { continue };
            counts.instances += 1;
            counts.peak_bytes = counts.peak_bytes.max(cell.peak_bytes.unwrap_or(0));
            counts.answers += usize::from(cell.has_answer());
            let count = match cell.outcome {
                _ if cell.is_wrong => &mut counts.wrong,
                _ if cell.is_disputed => &mut counts.disputed,
                Outcome::NothingFound => &mut counts.nothing_found,
                Outcome::Solved => &mut counts.solved,
                Outcome::OutOfTime => &mut counts.out_of_time,
                Outcome::OutOfMemory => &mut counts.out_of_memory,
                Outcome::Unknown | Outcome::Failed => &mut counts.failed,
                Outcome::NotAsked | Outcome::NotInstalled => &mut counts.not_tried,
            };
            *count += 1;
            counts.seconds += cell.solved_in().unwrap_or(0.0);
        }
        counts
    }

    /// All that cannot be true, a line each: answers that are `WRONG`, because they are
    /// not the known ones, and those that are `DISPUTED`, because they contradict each other.
    #[must_use]
    pub fn contradictions(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for (id, instance) in self.instances.entries() {
            let answers: Vec<(&str, &Verdict)> = self
                .pipelines
                .entries()
                .filter_map(|(pipeline, column)| {
                    Some((&*column.name, self.cell(id, pipeline)?.verdict?))
                })
                .filter(|(_, verdict)| verdict.is_yes.is_some())
                .collect();
            let place = self.place(instance);
            if let Some(expected) = &instance.expected {
                for (name, verdict) in answers.iter().filter(|one| one.1.is_yes != expected.is_yes)
                {
                    sentences.push(format!(
                        "WRONG: {place}: {name} says `{}`, but the answer is known to be `{}`",
                        verdict.word, expected.word
                    ));
                }
            } else if let Some((first, one)) = answers.first()
                && let Some((second, other)) = answers.iter().find(|two| two.1.is_yes != one.is_yes)
            {
                sentences.push(format!(
                    "DISPUTED: {place}: {first} says `{}`, {second} says `{}`",
                    one.word, other.word
                ));
            }
        }
        sentences
    }

    fn place(&self, instance: &Instance) -> String {
        format!("{}, {}", self.groups[instance.group].name, instance.name)
    }

    /// The pipelines that were asked about anything for which `belongs` says
    /// yes.
    pub(super) fn pipelines_of(
        &self,
        belongs: impl Fn(InstanceId, &Instance) -> bool,
    ) -> Vec<PipelineId> {
        let was_asked = |pipeline: &PipelineId| {
            self.measurements.iter().any(|attempt| {
                attempt.pipeline == *pipeline
                    && belongs(attempt.instance, &self.instances[attempt.instance])
            })
        };
        self.pipelines.ids().filter(was_asked).collect()
    }
}

impl Measurement {
    fn is_yes(&self) -> Option<bool> {
        self.verdict.as_ref()?.is_yes
    }

    /// Whether the answer is not the one that is known.
    pub(super) fn contradicts(&self, instance: &Instance) -> bool {
        let expected = instance.expected.as_ref().and_then(|expected| expected.is_yes);
        matches!((expected, self.is_yes()), (Some(expected), Some(answer)) if expected != answer)
    }
}

/// Of sorted numbers.
fn median(numbers: &[f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        n if n.is_multiple_of(2) => Some(f64::midpoint(numbers[middle - 1], numbers[middle])),
        _ => Some(numbers[middle]),
    }
}

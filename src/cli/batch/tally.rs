//! The sums of a batch.

use super::child::{Answer, Verdict};
use crate::cli::Exit;
use std::collections::BTreeMap;

/// What has been counted so far.
#[derive(Debug)]
pub(super) struct Tally {
    /// Rows of the whole table.
    total: usize,
    all: Counts,
    families: BTreeMap<String, Counts>,
    /// The first warning, with the name of its formula.
    warning: Option<(String, String)>,
    n_warned: usize,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    answers: usize,
    solved: usize,
    wrong: usize,
    unknown: usize,
    bad_input: usize,
    crashed: usize,
    seconds: f64,
}

impl Counts {
    fn add(&mut self, is_wrong: bool, answer: &Answer) {
        self.answers += 1;
        self.seconds += answer.seconds;
        let count = match &answer.verdict {
            _ if is_wrong => &mut self.wrong,
            Verdict::Satisfiable | Verdict::Unsatisfiable => &mut self.solved,
            Verdict::Unknown(_) => &mut self.unknown,
            Verdict::BadInput => &mut self.bad_input,
            Verdict::Crashed => &mut self.crashed,
        };
        *count += 1;
    }
}

impl Tally {
    /// For a table of `total` rows.
    pub(super) fn new(total: usize) -> Self {
        let (all, families) = (Counts::default(), BTreeMap::new());
        Self { total, all, families, warning: None, n_warned: 0 }
    }

    /// Counts the answer for the formula called `name`.
    pub(super) fn add(&mut self, name: &str, is_wrong: bool, answer: &Answer) {
        self.all.add(is_wrong, answer);
        let family = name.split('/').next().unwrap_or(name);
        self.families.entry(family.to_owned()).or_default().add(is_wrong, answer);
        if let Some(warning) = &answer.warning {
            self.n_warned += 1;
            self.warning.get_or_insert_with(|| (name.to_owned(), warning.clone()));
        }
    }

    /// The last line of the output, the sums by family, and the exit code.
    pub(super) fn summary(&self) -> (String, String, Exit) {
        let Counts { answers, solved, wrong, unknown, bad_input, crashed, .. } = self.all;
        let line = format!("solved {solved} of {}, {wrong} wrong", self.total);
        let exit = match () {
            () if 0 < wrong => Exit::No,
            () if 0 < crashed => Exit::Internal,
            () if 0 < bad_input => Exit::BadInput,
            () if 0 < unknown || answers < self.total => Exit::Unknown,
            () => Exit::Yes,
        };
        (line, self.sums(), exit)
    }

    fn sums(&self) -> String {
        let width = self.families.keys().map(|name| name.chars().count()).max();
        let width = width.unwrap_or(0).max("family".len());
        let line = |name: &str, counts: &Counts| {
            let Counts { answers, solved, wrong, seconds, .. } = counts;
            format!("{name:width$}  {solved:>6}  {answers:>6}  {wrong:>6}  {seconds:>10.3} s\n")
        };
        let [name, solved, of, wrong, time] = ["family", "solved", "of", "wrong", "time"];
        let mut text = format!("{name:width$}  {solved:>6}  {of:>6}  {wrong:>6}  {time:>12}\n");
        text.extend(self.families.iter().map(|(name, counts)| line(name, counts)));
        text.push_str(&line("all", &self.all));
        if let Some((name, warning)) = &self.warning {
            let subject = match self.n_warned {
                1 => "1 formula has".to_owned(),
                n => format!("{n} formulas have"),
            };
            text.extend([
                format!("warning: {subject} atoms that look like operators\n"),
                format!("{name}: {warning}\n"),
            ]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: Verdict) -> Answer {
        let statistics = serde_json::Value::Null;
        Answer { verdict, seconds: 1.5, statistics, message: None, warning: None }
    }

    #[track_caller]
    fn check(total: usize, answers: &[(bool, Verdict)], line: &str, exit: Exit) {
        let mut tally = Tally::new(total);
        for (is_wrong, verdict) in answers {
            tally.add("family/name", *is_wrong, &answer(verdict.clone()));
        }
        let (summary, _, code) = tally.summary();
        assert_eq!((&*summary, code), (line, exit));
    }

    #[test]
    fn the_worst_answer_is_the_exit_code() {
        let sat = (false, Verdict::Satisfiable);
        let wrong = (true, Verdict::Satisfiable);
        let unknown = (false, Verdict::Unknown(String::new()));
        let bad = (false, Verdict::BadInput);
        let crashed = (false, Verdict::Crashed);
        check(0, &[], "solved 0 of 0, 0 wrong", Exit::Yes);
        check(1, std::slice::from_ref(&sat), "solved 1 of 1, 0 wrong", Exit::Yes);
        let mut answers = vec![sat, unknown];
        check(2, &answers, "solved 1 of 2, 0 wrong", Exit::Unknown);
        answers.push(bad);
        check(3, &answers, "solved 1 of 3, 0 wrong", Exit::BadInput);
        answers.push(crashed);
        check(4, &answers, "solved 1 of 4, 0 wrong", Exit::Internal);
        answers.push(wrong);
        check(5, &answers, "solved 1 of 5, 1 wrong", Exit::No);
    }

    #[test]
    fn a_batch_that_was_interrupted_is_unknown() {
        check(2, &[(false, Verdict::Satisfiable)], "solved 1 of 2, 0 wrong", Exit::Unknown);
    }

    #[test]
    fn families_are_the_first_parts_of_names() {
        let mut tally = Tally::new(3);
        for name in ["b/x", "a", "b/y/z"] {
            tally.add(name, false, &answer(Verdict::Satisfiable));
        }
        assert_eq!(
            tally.summary().1,
            "family  solved      of   wrong          time\n\
             a            1       1       0       1.500 s\n\
             b            2       2       0       3.000 s\n\
             all          3       3       0       4.500 s\n",
        );
    }
}

//! Suites: what is to be measured, as it is written in a file.
//!
//! A suite is a TOML file. This module reads it into types and says where it
//! is wrong; it does not look at the files that the suite names.

use crate::cli::Failure;
use crate::cli::diagnostic::{self, Document};
use crate::cli::quantity;
use lwaa::bench::Verdict;
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A whole suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Suite {
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    /// Limits of every attempt.
    pub(super) time: Option<Spanned<String>>,
    pub(super) memory: Option<Spanned<String>>,
    /// How often everything is measured.
    pub(super) repetitions: Option<Spanned<u32>>,
    /// Which numbers are shown beside times.
    #[serde(default)]
    pub(super) show: Vec<String>,
    /// Whether pipelines that have failed are run on larger instances all the same.
    #[serde(default)]
    pub(super) keep_asking: bool,
    /// More versions to be recorded: names, and commands that print them.
    #[serde(default)]
    pub(super) versions: BTreeMap<String, String>,
    #[serde(rename = "pipeline")]
    pub(super) pipelines: Vec<Spanned<Pipeline>>,
    #[serde(default)]
    pub(super) formulas: Vec<Spanned<Formulas>>,
    #[serde(default)]
    pub(super) models: Vec<Spanned<Models>>,
}

/// A way to solve problems.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pipeline {
    pub(super) name: Spanned<String>,
    /// A command of this program and its options.
    pub(super) lwaa: Option<Spanned<Vec<String>>>,
    /// Anything else, for a shell.
    pub(super) command: Option<Spanned<String>>,
    /// Programs without which the command is not tried.
    #[serde(default)]
    pub(super) needs: Vec<String>,
    /// A command that prints its version.
    pub(super) version: Option<String>,
    /// Whether it is for `formulas` or for `models`.
    pub(super) about: Option<Spanned<String>>,
    /// What the command prints.
    pub(super) result: Option<Spanned<String>>,
    /// What it prints if the answer is yes or no.
    pub(super) yes: Option<Spanned<String>>,
    pub(super) no: Option<Spanned<String>>,
    /// How it ends if the answer is yes or no.
    pub(super) yes_code: Option<i32>,
    pub(super) no_code: Option<i32>,
    /// Numbers in what it prints: names and patterns with one group.
    #[serde(default)]
    pub(super) numbers: BTreeMap<String, Spanned<String>>,
}

/// What formulas and models have in common.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Formulas {
    pub(super) name: Option<String>,
    /// Formulas in the suite itself.
    pub(super) formulas: Option<Vec<Spanned<String>>>,
    /// A file with a formula on each line.
    pub(super) file: Option<Spanned<String>>,
    /// A table with columns `name`, `expected`, `formula`.
    pub(super) table: Option<Spanned<String>>,
    /// At most that many of the file or the table, evenly taken.
    pub(super) sample: Option<Spanned<usize>>,
    /// A family, and which of its formulas.
    pub(super) family: Option<Spanned<String>>,
    pub(super) n: Option<Spanned<Numbers>>,
    pub(super) syntax: Option<Spanned<String>>,
    pub(super) expected: Option<Spanned<String>>,
    /// Which pipelines are asked; all that can if there is nothing.
    pub(super) pipelines: Option<Vec<Spanned<String>>>,
    /// Whether it may be left out if there is no such file.
    #[serde(default)]
    pub(super) optional: bool,
    #[serde(default)]
    pub(super) published: BTreeMap<String, BTreeMap<String, Figure>>,
    #[serde(default)]
    pub(super) with: BTreeMap<String, String>,
}

/// A model, or one for each value of a constant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Models {
    pub(super) name: Option<String>,
    /// The file of the model.
    pub(super) file: Spanned<String>,
    /// The language of the model, if the name of the file does not say so.
    pub(super) language: Option<Spanned<String>>,
    /// The constant that has several values, and these.
    pub(super) parameter: Option<Spanned<String>>,
    pub(super) n: Option<Spanned<Numbers>>,
    /// Other constants.
    #[serde(default)]
    pub(super) define: BTreeMap<String, i64>,
    pub(super) fair: Option<Spanned<String>>,
    /// A formula, or the name of a property; all properties if there is neither.
    pub(super) formula: Option<Spanned<String>>,
    pub(super) property: Option<Spanned<String>>,
    pub(super) expected: Option<Spanned<String>>,
    pub(super) pipelines: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) optional: bool,
    #[serde(default)]
    pub(super) published: BTreeMap<String, BTreeMap<String, Figure>>,
    #[serde(default)]
    pub(super) with: BTreeMap<String, String>,
}

/// Values of a parameter, in the order in which they are asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers(pub(super) Vec<u64>);

/// How many values a range may have.
const MAX_NUMBERS: u64 = 100_000;

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of numbers, or a range such as \"1..8\" or \"10..100 step 10\"")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Numbers, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = values.next_element()? {
                    numbers.push(number);
                }
                Ok(Numbers(numbers))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Numbers, E> {
                u64::try_from(number)
                    .map(|number| Numbers(vec![number]))
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Numbers, E> {
                range(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Reads `1..8`, both ends included, or `10..100 step 10`.
fn range(text: &str) -> Option<Numbers> {
    let (ends, step) = match text.split_once("step") {
        None => (text, 1),
        Some((ends, step)) => (ends, step.trim().parse().ok().filter(|step| 0 < *step)?),
    };
    let (first, last) = ends.split_once("..")?;
    let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let is_range = first <= last && (last - first) / step < MAX_NUMBERS;
    is_range.then(|| {
        Numbers((first..=last).step_by(usize::try_from(step).unwrap_or(usize::MAX)).collect())
    })
}

/// A published figure: a number, or words such as "out of memory".
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Figure {
    Whole(i64),
    Real(f64),
    Text(String),
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The text of a suite and what messages call it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a>(pub(super) Document<'a>);

impl Source<'_> {
    /// A message that points at a place of the suite.
    pub(super) fn error(self, span: Range<usize>, message: impl fmt::Display) -> Failure {
        diagnostic::error(&message.to_string(), self.0, span)
    }

    /// Reads the suite.
    pub(super) fn read(self) -> Result<Suite, Failure> {
        let suite: Suite = toml::from_str(self.0.text).map_err(|error| {
            // Without a place it is about the suite as a whole.
            let span = error.span().unwrap_or(0..0);
            self.error(span, error.message().replace('\n', ", "))
        })?;
        if let Some(repetitions) = &suite.repetitions
            && *repetitions.get_ref() == 0
        {
            return Err(self.error(repetitions.span(), "nothing would be measured"));
        }
        for pipeline in &suite.pipelines {
            self.check_pipeline(pipeline)?;
        }
        self.check_names(&suite)?;
        Ok(suite)
    }

    fn check_pipeline(self, pipeline: &Spanned<Pipeline>) -> Result<(), Failure> {
        let inner = pipeline.get_ref();
        match (&inner.lwaa, &inner.command) {
            (None, None) | (Some(_), Some(_)) => {
                let span = inner.name.span();
                return Err(self.error(span, "a pipeline has either `lwaa` or `command`"));
            }
            (Some(words), None) => {
                const COMMANDS: [&str; 4] = ["sat", "translate", "check", "explore"];
                let first = words.get_ref().first().map_or("", |word| word);
                if !COMMANDS.contains(&first) {
                    let message = "the first word is one of sat, translate, check and explore";
                    return Err(self.error(words.span(), message));
                }
                self.check_format(words)?;
                let foreign = [&inner.yes, &inner.no, &inner.result, &inner.about].into_iter();
                if let Some(foreign) = foreign.flatten().chain(inner.numbers.values()).next() {
                    let message = "this is for pipelines with `command` only";
                    return Err(self.error(foreign.span(), message));
                }
            }
            (None, Some(_)) => (),
        }
        let message = "a pipeline is about `formulas` or `models`";
        self.check_word(inner.about.as_ref(), &["formulas", "models"], message)?;
        let message = "the result is `automaton`, `verdict` or `nothing`";
        self.check_word(inner.result.as_ref(), &["automaton", "verdict", "nothing"], message)
    }

    /// Checks that a text, if it is there, is one of some words.
    pub(super) fn check_word(
        self,
        text: Option<&Spanned<String>>,
        words: &[&str],
        message: &str,
    ) -> Result<(), Failure> {
        match text {
            Some(text) if !words.contains(&text.get_ref().as_str()) => {
                Err(self.error(text.span(), message))
            }
            _ => Ok(()),
        }
    }

    /// Automata are counted, so they have to be in a format that can be read.
    fn check_format(self, words: &Spanned<Vec<String>>) -> Result<(), Failure> {
        let list = words.get_ref();
        if list.first().is_none_or(|word| word != "translate") {
            return Ok(());
        }
        let mut formats = list.iter().enumerate().filter_map(|(place, word)| {
            if word == "--format" {
                return list.get(place + 1).map(String::as_str);
            }
            word.strip_prefix("--format=")
        });
        if matches!(formats.next(), Some("hoa" | "never" | "lbt")) {
            return Ok(());
        }
        Err(self.error(words.span(), "automata are read as `--format hoa`, `never` or `lbt`"))
    }

    fn check_names(self, suite: &Suite) -> Result<(), Failure> {
        let mut seen: Vec<&str> = Vec::new();
        for pipeline in &suite.pipelines {
            let name = &pipeline.get_ref().name;
            if seen.contains(&name.get_ref().as_str()) {
                let message = format!("there are several pipelines `{}`", name.get_ref());
                return Err(self.error(name.span(), message));
            }
            seen.push(name.get_ref());
        }
        let chosen = suite.formulas.iter().filter_map(|group| group.get_ref().pipelines.as_ref());
        let models = suite.models.iter().filter_map(|group| group.get_ref().pipelines.as_ref());
        for name in chosen.chain(models).flatten() {
            if !seen.contains(&name.get_ref().as_str()) {
                let message = format!("there is no pipeline `{}`", name.get_ref());
                return Err(self.error(name.span(), message));
            }
        }
        Ok(())
    }

    /// An amount of time.
    pub(super) fn duration(self, text: &Spanned<String>) -> Result<std::time::Duration, Failure> {
        quantity::duration(text.get_ref()).map_err(|message| self.error(text.span(), message))
    }

    /// An amount of memory.
    pub(super) fn bytes(self, text: &Spanned<String>) -> Result<usize, Failure> {
        quantity::bytes(text.get_ref()).map_err(|message| self.error(text.span(), message))
    }

    /// A known answer: yes or no, or nothing for `unknown`.
    pub(super) fn expected(self, text: Option<&Spanned<String>>) -> Result<Option<bool>, Failure> {
        let Some(answer) = text.and_then(|text| answer(text.get_ref())) else {
            let message = "the answer is sat, unsat, holds, violated, yes, no or unknown";
            return self.check_word(text, &["unknown"], message).map(|()| None);
        };
        Ok(Some(answer))
    }

    /// A pattern.
    pub(super) fn pattern(self, text: &Spanned<String>) -> Result<regex_lite::Regex, Failure> {
        regex_lite::Regex::new(text.get_ref()).map_err(|error| {
            self.error(text.span(), format_args!("this is not a pattern: {error}"))
        })
    }

    /// Where the `offset` of a string that the suite contains is in its text.
    /// The whole string if that cannot be said, because of escapes.
    pub(super) fn inside(self, text: &Spanned<String>, part: Range<usize>) -> Range<usize> {
        let span = text.span();
        let raw = &self.0.text[span.clone()];
        for quotes in ["'''", "\"\"\"", "'", "\""] {
            let inner = raw.strip_prefix(quotes).and_then(|raw| raw.strip_suffix(quotes));
            if inner == Some(text.get_ref()) {
                let start = span.start + quotes.len();
                return start + part.start..start + part.end;
            }
        }
        span
    }
}

/// Whether a word means yes or no; nothing if it means neither.
pub(super) fn answer(word: &str) -> Option<bool> {
    match word.trim() {
        "sat" | "satisfiable" | "holds" | "yes" | "a run exists" => Some(true),
        "unsat" | "unsatisfiable" | "violated" | "no" | "no run exists" => Some(false),
        _ => None,
    }
}

/// The same as an answer about a formula or a model.
pub(super) fn verdict(is_yes: bool, is_about_models: bool) -> Verdict {
    let word = match (is_yes, is_about_models) {
        (true, false) => "satisfiable",
        (false, false) => "unsatisfiable",
        (true, true) => "holds",
        (false, true) => "violated",
    };
    Verdict { word: word.to_owned(), is_yes: Some(is_yes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(range("2..4"), Some(Numbers(vec![2, 3, 4])));
        assert_eq!(range("10..35 step 10"), Some(Numbers(vec![10, 20, 30])));
        assert_eq!(range(" 7 .. 7 "), Some(Numbers(vec![7])));
        for text in ["", "3", "4..2", "1..", "1..9 step 0", "1..9 step x", "0..99999999999"] {
            assert_eq!(range(text), None, "{text}");
        }
    }

    #[test]
    fn places_inside_of_strings_are_found() {
        let text = "a = 'p &'\nb = \"q\\t&\"\n";
        let source = Source(Document { name: "suite", text });
        let a = Spanned::new(4..9, "p &".to_owned());
        assert_eq!(source.inside(&a, 2..3), 7..8);
        let b = Spanned::new(14..20, "q\t&".to_owned());
        assert_eq!(source.inside(&b, 2..3), 14..20);
    }
}

//! What questions about a model need to see of it.
//!
//! Statements are merged and variables are left out or reset as if nothing but the
//! processes themselves looked at them. So the model is made for what formulas and
//! claims look at as well.

use super::lex::{Kind, Token};
use super::preprocess::Preprocessed;
use std::collections::BTreeSet;

/// What questions need to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a need of its own")]
pub(super) struct Needs {
    /// All names in formulas. A global variable among them is kept even if no
    /// statement reads it.
    pub(super) names: BTreeSet<String>,
    /// Process types and labels of theirs: `P[1]@label`.
    pub(super) labels: BTreeSet<(String, String)>,
    /// Whether formulas read variables of processes: `P[1]:x`.
    pub(super) has_variables: bool,
    /// Whether formulas or statements read `_last`: which process moved last.
    pub(super) has_last: bool,
    /// Whether formulas or claims read `np_`.
    pub(super) has_progress: bool,
    /// Whether every statement is a step, whatever is needed.
    pub(super) is_plain: bool,
}

impl Needs {
    /// What the text of a model needs to see: its formulas, claims and statements.
    pub(super) fn of_model(source: &Preprocessed, processes: &BTreeSet<String>) -> Self {
        let mut needs = Self::default();
        let words = words(source);
        needs.remote(&words, processes);
        let mut depth = None;
        for (token, word) in source.tokens.iter().zip(&words) {
            depth = match (depth, *word) {
                (None, "ltl") if token.kind != Kind::Name => Some(0_usize),
                (Some(depth), "{") => Some(depth + 1),
                (Some(1), "}") => None,
                (Some(depth), "}") => Some(depth.saturating_sub(1)),
                (depth, _) => depth,
            };
            if depth.is_some_and(|depth| 0 < depth) {
                needs.name(token, word);
            }
        }
        needs
    }

    /// What a formula needs to see, or an atom of one.
    pub(super) fn of_formula(source: &Preprocessed, processes: &BTreeSet<String>) -> Self {
        let mut needs = Self::default();
        let words = words(source);
        needs.remote(&words, processes);
        for (token, word) in source.tokens.iter().zip(&words) {
            needs.name(token, word);
        }
        needs
    }

    /// Adds a word of a formula, if it is a name.
    fn name(&mut self, token: &Token, word: &str) {
        if token.kind == Kind::Name {
            self.names.insert(word.to_owned());
        }
    }

    /// Adds what words say about processes from outside of them.
    fn remote(&mut self, words: &[&str], processes: &BTreeSet<String>) {
        self.has_last |= words.contains(&"_last");
        self.has_progress |= words.contains(&"np_");
        for (at, &word) in words.iter().enumerate() {
            if (word != "@" && word != ":") || at == 0 {
                continue;
            }
            // The name stands before the colon, or before what is in brackets.
            let mut name = at - 1;
            let mut depth = 0_usize;
            while 0 < name {
                depth += usize::from(words[name] == "]");
                if depth == 0 {
                    break;
                }
                depth -= usize::from(words[name] == "[");
                name -= 1;
            }
            let (name, behind) = (words[name], words.get(at + 1));
            if word == "@" {
                let label = behind.copied().unwrap_or_default();
                self.labels.insert((name.to_owned(), label.to_owned()));
            } else {
                self.has_variables |= processes.contains(name);
            }
        }
    }

    /// What is needed, in words for [`from_words`](Self::from_words).
    pub(super) fn words(&self) -> Vec<String> {
        let flags = [
            (self.is_plain, "every statement"),
            (self.has_variables, "variables of processes"),
            (self.has_last, "_last"),
            (self.has_progress, "np_"),
        ];
        let flags =
            flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word.to_owned());
        let names = self.names.iter().map(|name| format!("name {name}"));
        let labels = self.labels.iter().map(|(process, label)| format!("label {process} {label}"));
        flags.chain(names).chain(labels).collect()
    }

    /// What words say is needed; words about other things are passed over.
    pub(super) fn from_words(texts: &[String]) -> Self {
        let mut needs = Self::default();
        for text in texts {
            match (text.as_str(), &*text.split(' ').collect::<Vec<_>>()) {
                ("every statement", _) => needs.is_plain = true,
                ("variables of processes", _) => needs.has_variables = true,
                ("_last", _) => needs.has_last = true,
                ("np_", _) => needs.has_progress = true,
                (_, ["name", name]) => drop(needs.names.insert((*name).to_owned())),
                (_, ["label", process, label]) => {
                    needs.labels.insert(((*process).to_owned(), (*label).to_owned()));
                }
                _ => (),
            }
        }
        needs
    }

    /// What is needed beyond what is `known` to be.
    #[must_use]
    pub(super) fn beyond(mut self, known: &Self) -> Self {
        self.names.retain(|name| !known.names.contains(name));
        self.labels.retain(|label| !known.labels.contains(label));
        self.has_variables &= !known.has_variables;
        self.has_last &= !known.has_last;
        self.has_progress &= !known.has_progress;
        self.is_plain &= !known.is_plain;
        self
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(mut self, other: Self) -> Self {
        self.names.extend(other.names);
        self.labels.extend(other.labels);
        self.has_variables |= other.has_variables;
        self.has_last |= other.has_last;
        self.has_progress |= other.has_progress;
        self.is_plain |= other.is_plain;
        self
    }

    /// Whether global variables that no statement reads may be left out.
    pub(super) fn allows_leaving_out(&self) -> bool {
        !self.is_plain
    }

    /// Whether statements may be merged, and variables of processes reset.
    pub(super) fn allows_merging(&self) -> bool {
        !self.is_plain && !self.has_variables
    }
}

/// The texts of all tokens.
fn words(source: &Preprocessed) -> Vec<&str> {
    let word = |token: &Token| source.text.get(token.text.start..token.text.end).unwrap_or("");
    source.tokens.iter().map(word).collect()
}

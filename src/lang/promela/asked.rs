//! What is asked about a model from outside of its processes.
//!
//! Statements are merged and variables are left out or reset as if nobody looked
//! at them, so whoever looks has to say so before the model is made.

use super::lex::{Kind, Token};
use std::collections::BTreeSet;

/// What somebody looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Asked {
    /// All names in formulas. A global variable among them is kept even if no
    /// statement reads it.
    pub(super) names: BTreeSet<String>,
    /// Process types and labels of theirs: `P[1]@label`.
    pub(super) labels: BTreeSet<(String, String)>,
    /// Whether variables of processes are asked for: `P[1]:x`.
    pub(super) has_variables: bool,
    /// Whether somebody asks who moved last.
    pub(super) has_last: bool,
    /// Whether somebody asks for `np_`.
    pub(super) has_progress: bool,
    /// Whether every statement is a step, whatever is asked.
    pub(super) is_plain: bool,
}

impl Asked {
    /// What the text of a model asks: its formulas and its statements.
    pub(super) fn of_model(text: &str, tokens: &[Token]) -> Self {
        let mut asked = Self::default();
        let words: Vec<&str> = words(text, tokens);
        let is_type = |word: &&str| matches!(*word, "proctype" | "D_proctype");
        let mut processes = BTreeSet::from(["init"]);
        let named = words.windows(2).filter(|pair| is_type(&pair[0])).map(|pair| pair[1]);
        processes.extend(named);
        asked.remote(&words, &processes);
        let mut depth = None;
        for (token, word) in tokens.iter().zip(&words) {
            depth = match (depth, *word) {
                (None, "ltl") if token.kind != Kind::Name => Some(0_usize),
                (Some(depth), "{") => Some(depth + 1),
                (Some(1), "}") => None,
                (Some(depth), "}") => Some(depth.saturating_sub(1)),
                (depth, _) => depth,
            };
            if depth.is_some_and(|depth| 0 < depth) && token.kind == Kind::Name {
                asked.names.insert((*word).to_owned());
            }
        }
        asked
    }

    /// What a formula asks, or an atom of one.
    pub(super) fn of_formula(text: &str, tokens: &[Token], processes: &BTreeSet<&str>) -> Self {
        let mut asked = Self::default();
        let words: Vec<&str> = words(text, tokens);
        asked.remote(&words, processes);
        let names = tokens.iter().zip(&words).filter(|(token, _)| token.kind == Kind::Name);
        asked.names.extend(names.map(|(_, word)| (*word).to_owned()));
        asked
    }

    /// What is asked about processes.
    fn remote(&mut self, words: &[&str], processes: &BTreeSet<&str>) {
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

    /// What is asked, in words for [`from_words`](Self::from_words).
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

    /// What words say is asked; others say nothing.
    pub(super) fn from_words(texts: &[String]) -> Self {
        let mut asked = Self::default();
        for text in texts {
            match (text.as_str(), &*text.split(' ').collect::<Vec<_>>()) {
                ("every statement", _) => asked.is_plain = true,
                ("variables of processes", _) => asked.has_variables = true,
                ("_last", _) => asked.has_last = true,
                ("np_", _) => asked.has_progress = true,
                (_, ["name", name]) => drop(asked.names.insert((*name).to_owned())),
                (_, ["label", process, label]) => {
                    asked.labels.insert(((*process).to_owned(), (*label).to_owned()));
                }
                _ => (),
            }
        }
        asked
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

    /// Whether global variables that nobody reads may be left out.
    pub(super) fn allows_leaving_out(&self) -> bool {
        !self.is_plain
    }

    /// Whether statements may be merged, and variables of processes reset.
    pub(super) fn allows_merging(&self) -> bool {
        !self.is_plain && !self.has_variables
    }
}

fn words<'a>(text: &'a str, tokens: &[Token]) -> Vec<&'a str> {
    tokens.iter().map(|token| text.get(token.text.start..token.text.end).unwrap_or("")).collect()
}

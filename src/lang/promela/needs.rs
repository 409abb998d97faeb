//! What questions about a model need to see of it.
//!
//! Statements are merged and variables are left out or reset as if nothing but the
//! processes themselves looked at them. So the model is made for what formulas and
//! claims look at as well.

use super::lex::{Token, TokenKind};
use super::preprocess::Preprocessed;
use std::collections::BTreeSet;

/// Something that a question needs to see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// Every statement as a step of its own, and every variable.
    EveryStatement,
    /// Variables of processes: `P[1]:x`.
    Variables,
    /// Which process moved last: `_last`.
    Last,
    /// Whether a process is at a label of progress: `np_`.
    Progress,
    /// A name in a formula. A global variable that is called so is kept even if no
    /// statement reads it.
    Name(String),
    /// When a process of some type is at one of its labels: `P[1]@label`.
    Label(String, String),
}

impl Need {
    /// The need in words, as trace files keep it.
    fn words(&self) -> String {
        match self {
            Self::EveryStatement => "every statement".to_owned(),
            Self::Variables => "variables of processes".to_owned(),
            Self::Last => "_last".to_owned(),
            Self::Progress => "np_".to_owned(),
            Self::Name(name) => format!("name {name}"),
            Self::Label(process, label) => format!("label {process} {label}"),
        }
    }

    /// The need that words speak of, if they speak of one.
    fn from_words(text: &str) -> Option<Self> {
        Some(match *text.split(' ').collect::<Vec<_>>() {
            ["every", "statement"] => Self::EveryStatement,
            ["variables", "of", "processes"] => Self::Variables,
            ["_last"] => Self::Last,
            ["np_"] => Self::Progress,
            ["name", name] => Self::Name(name.to_owned()),
            ["label", process, label] => Self::Label(process.to_owned(), label.to_owned()),
            _ => return None,
        })
    }
}

/// All that questions need to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs(pub(super) BTreeSet<Need>);

impl Needs {
    /// What the text of a model needs to see: its formulas, claims and statements.
    pub(super) fn of_model(source: &Preprocessed, processes: &BTreeSet<String>) -> Self {
        let words = words(source);
        let mut needs = remote(&words, processes);
        let mut depth = None;
        for (token, word) in source.tokens.iter().zip(&words) {
            depth = match (depth, *word) {
                (None, "ltl") if token.kind != TokenKind::Name => Some(0_usize),
                (Some(depth), "{") => Some(depth + 1),
                (Some(1), "}") => None,
                (Some(depth), "}") => Some(depth.saturating_sub(1)),
                (depth, _) => depth,
            };
            if depth.is_some_and(|depth| 0 < depth) {
                needs.extend(name(token, word));
            }
        }
        Self(needs)
    }

    /// What a formula needs to see, or an atom of one.
    pub(super) fn of_formula(source: &Preprocessed, processes: &BTreeSet<String>) -> Self {
        let words = words(source);
        let mut needs = remote(&words, processes);
        let tokens = source.tokens.iter().zip(&words);
        needs.extend(tokens.filter_map(|(token, word)| name(token, word)));
        Self(needs)
    }

    /// All needs in words, for [`from_words`](Self::from_words).
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(Need::words)
    }

    /// The needs that words speak of; words about other things are passed over.
    pub(super) fn from_words(texts: &[String]) -> Self {
        Self(texts.iter().filter_map(|text| Need::from_words(text)).collect())
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(super) fn contains(&self, need: &Need) -> bool {
        self.0.contains(need)
    }

    /// Whether a label of a process type has to be a place of its own.
    pub(super) fn has_label(&self, process: &str, label: &str) -> bool {
        self.contains(&Need::Label(process.to_owned(), label.to_owned()))
    }

    /// Whether global variables that no statement reads may be left out.
    pub(super) fn allows_leaving_out(&self) -> bool {
        !self.contains(&Need::EveryStatement)
    }

    /// Whether statements may be merged, and variables of processes reset.
    pub(super) fn allows_merging(&self) -> bool {
        self.allows_leaving_out() && !self.contains(&Need::Variables)
    }
}

/// The texts of all tokens.
fn words(source: &Preprocessed) -> Vec<&str> {
    let word = |token: &Token| source.text.get(token.text.start..token.text.end).unwrap_or("");
    source.tokens.iter().map(word).collect()
}

/// What a word of a formula needs to see, if it is a name.
fn name(token: &Token, word: &str) -> Option<Need> {
    (token.kind == TokenKind::Name).then(|| Need::Name(word.to_owned()))
}

/// What words say about processes from outside of them.
fn remote(words: &[&str], processes: &BTreeSet<String>) -> BTreeSet<Need> {
    let mut needs = BTreeSet::new();
    for (at, &word) in words.iter().enumerate() {
        match word {
            "_last" => drop(needs.insert(Need::Last)),
            "np_" => drop(needs.insert(Need::Progress)),
            "@" if 0 < at => {
                let label = words.get(at + 1).copied().unwrap_or_default();
                needs.insert(Need::Label(process(words, at).to_owned(), label.to_owned()));
            }
            ":" if 0 < at && processes.contains(process(words, at)) => {
                needs.insert(Need::Variables);
            }
            _ => (),
        }
    }
    needs
}

/// The name before the word number `at`, or before what stands in brackets there.
fn process<'a>(words: &[&'a str], at: usize) -> &'a str {
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
    words[name]
}

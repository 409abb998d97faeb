//! Texts as automata.

use super::{assert_points_into, options};
use lwaa::baseline::formats::{self, FormatError};
use lwaa::baseline::nba::Nba;
use lwaa::baseline::{lbt, never, word_graph};
use lwaa::check::Exploration;
use lwaa::search::limits::{Budget, Monitor};
use lwaa::testbench::Random;
use lwaa::testbench::lassos::random_lasso;
use lwaa::word::{Lasso, Letter};
use lwaa::{Lwaa, hoa};

/// Larger automata are not written again.
const MAX_STATES: usize = 100;

/// Reads an automaton with `read`, and writes it in every format.
///
/// # Panics
///
/// If a message does not point into the text, or what is written cannot be read or accepts
/// other words.
pub fn automaton(text: &str, read: fn(&str) -> Result<Nba, FormatError>) {
    match read(text) {
        Ok(automaton) => use_automaton(&automaton),
        Err(error) => {
            let span = error.span.unwrap_or_default();
            assert_points_into(text, span.start, span.end, &error.to_string());
        }
    }
}

/// Reads documents of the HOA format, and what they describe.
///
/// # Panics
///
/// If a document does not survive being written, or as in [`automaton`].
pub fn hoa(bytes: &[u8]) {
    for document in hoa::documents(bytes) {
        match document {
            Ok(document) => {
                let again = hoa::read(&document.to_string());
                assert_eq!(again.as_ref(), Ok(&document));
                let _ = Lwaa::from_hoa(&document);
                if let Ok(automaton) = Nba::from_hoa(&document) {
                    use_automaton(&automaton);
                }
            }
            Err(error) => {
                assert!(bytes.get(error.span.range()).is_some(), "{error:?}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

fn use_automaton(automaton: &Nba) {
    if MAX_STATES < automaton.n_states() {
        return;
    }
    let is_claim = automaton.atoms().iter().all(|(_, name)| is_expression(name));
    let never = is_claim.then(|| never::write(automaton, "").ok()).flatten();
    for text in [automaton.to_hoa().to_string(), lbt::write(automaton)].into_iter().chain(never) {
        let again = formats::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut random = Random::new(1);
        for _ in 0..4 {
            let word = random_lasso(automaton.atoms().len(), 3, 4, &mut random);
            let to = again.atoms();
            let renamed = word.map(|letter| {
                let names = letter.iter().map(|atom| automaton.atoms().name(atom));
                names.filter_map(|name| to.find(name)).collect()
            });
            if let (Some(before), Some(after)) =
                (accepts(automaton, &word), accepts(&again, &renamed))
            {
                assert_eq!(before, after, "{}\nas\n{text}", automaton.to_hoa());
            }
        }
    }
}

/// Whether an atom is an expression of Promela that a claim keeps: not, say, one with a comment in
/// it, or one that is a constant.
fn is_expression(name: &str) -> bool {
    let claim = format!("#define atom ({name})\nnever {{ a: if :: (atom) -> goto a fi }}");
    let mut atoms = lwaa::word::Atoms::default();
    atoms.intern(name);
    let is_kept = |automaton: Nba| automaton.atoms().find(name).is_some();
    never::doubtful(&atoms).is_empty() && never::read(&claim).is_ok_and(is_kept)
}

fn accepts(automaton: &Nba, word: &Lasso<Letter>) -> Option<bool> {
    let monitor = Monitor::default();
    let mut budget = Budget::new(options(Exploration::default().into()).limits, &monitor);
    word_graph::accepts(automaton, word, &mut budget).ok()
}

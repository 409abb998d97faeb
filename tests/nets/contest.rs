//! Instances of the Model Checking Contest, where they are present: published counts and verdicts.

use super::{counts, holds, read, shipped};
use lwaa::lang::pnml;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Instances of at most so many states are checked.
const MOST_STATES: usize = 1_500;

/// Texts that take longer to read than all others together are left out.
const MOST_BYTES: u64 = 1 << 20;

fn folder() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/mcc");
    if !path.is_dir() {
        // Past the capture of test output: a skipped test is to be seen.
        let message = "skipped: there are no instances of the contest beside the project";
        let _ = writeln!(std::io::stderr(), "{message}");
        return None;
    }
    Some(path)
}

/// The lines of a table, without its header.
fn table(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip(1);
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn the_shipped_folder_is_read_as_the_contest_has_it() {
    let folder = shipped("turns");
    let model = read(&std::fs::read_to_string(folder.join("model.pnml")).unwrap());
    assert_eq!(counts(&model), (4, 4));
    let mut verdicts = Vec::new();
    for file in ["LTLFireability.xml", "LTLCardinality.xml"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for property in pnml::contest_formulas(&text).unwrap() {
            assert_eq!(&text[property.span.start..property.span.end], property.name);
            verdicts.push((property.name, holds(&model, &property.formula)));
        }
    }
    let expected = [
        ("turns-LTLFireability-00", true),
        ("turns-LTLFireability-01", true),
        ("turns-LTLCardinality-00", true),
        ("turns-LTLCardinality-01", false),
    ];
    assert_eq!(verdicts, expected.map(|(name, verdict)| (name.to_owned(), verdict)));
}

#[test]
fn counts_and_verdicts_are_those_of_the_contest() {
    let Some(folder) = folder() else { return };
    let verdicts = table(&folder.join("expected.tsv"));
    let mut n_checked = 0;
    for row in table(&folder.join("INDEX.tsv")) {
        let [instance, _, states, transitions, ..] = &row[..] else { panic!("{row:?}") };
        let states: usize = states.parse().unwrap();
        let net = folder.join(instance).join("model.pnml");
        if MOST_STATES < states || MOST_BYTES < net.metadata().unwrap().len() {
            continue;
        }
        let model = read(&std::fs::read_to_string(net).unwrap());
        let found = counts(&model);
        assert_eq!(found.0, states, "{instance}");
        if let Ok(transitions) = transitions.parse::<u64>() {
            assert_eq!(found.1, transitions, "{instance}");
        }
        for file in ["LTLFireability.xml", "LTLCardinality.xml"] {
            let text = std::fs::read_to_string(folder.join(instance).join(file)).unwrap();
            for property in pnml::contest_formulas(&text).unwrap() {
                let expected = verdicts.iter().find(|row| row[1] == property.name).unwrap();
                let found = holds(&model, &property.formula).to_string();
                assert_eq!(found, expected[2], "{}", property.name);
                n_checked += 1;
            }
        }
    }
    assert!(500 < n_checked, "{n_checked}");
}

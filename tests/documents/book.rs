//! The book has all its chapters, and pages keep to their purpose and language.

use crate::links::included;
use crate::page::{self, Page, root};
use regex_lite::Regex;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// How long the README may be: it is for the first five minutes, the book is for the rest.
const README_LINES: usize = 250;

/// Words that hide the subject of a sentence.
const RIDDLES: &[&str] = &["nobody", "somebody", "everybody", "whoever", "is none"];

#[test]
fn the_readme_is_short() {
    let n_lines = Page::read("README.md").text.lines().count();
    assert!(n_lines <= README_LINES, "README.md has {n_lines} lines");
}

#[test]
fn the_summary_lists_every_chapter() {
    let summary = Page::read("docs/src/SUMMARY.md");
    let link = Regex::new(r"\]\(([^)]+)\)").unwrap();
    let listed: Vec<PathBuf> = link
        .captures_iter(&summary.text)
        .map(|found| PathBuf::from("docs/src").join(&found[1]))
        .collect();
    let chapters: BTreeSet<PathBuf> =
        page::below("docs/src").into_iter().map(|page| page.path).collect();
    let unique: BTreeSet<PathBuf> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), unique.len(), "a chapter is listed twice");
    let mut expected = chapters;
    expected.remove(&PathBuf::from("docs/src/SUMMARY.md"));
    assert_eq!(unique, expected);
}

#[test]
fn every_language_has_a_chapter() {
    let chapters = page::below("docs/src");
    let included: BTreeSet<PathBuf> = chapters.iter().filter_map(included).collect();
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            let page = PathBuf::from("models").join(entry.file_name()).join("README.md");
            assert!(included.contains(&page), "{} is not in the book", page.display());
        }
    }
}

#[test]
fn pages_are_plain_english() {
    let mut wrong = Vec::new();
    for page in page::all() {
        for (number, line) in page.prose() {
            let lower = line.to_lowercase();
            for riddle in RIDDLES.iter().filter(|riddle| lower.contains(**riddle)) {
                wrong.push(format!("{}:{number}: `{riddle}`", page.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

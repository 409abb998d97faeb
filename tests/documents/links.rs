//! Links of the pages lead somewhere.

use crate::page::{self, Page, root};
use regex_lite::Regex;
use std::path::{Component, Path, PathBuf};

/// A link in the prose of a page.
struct Link {
    target: String,
    line: usize,
}

fn links(page: &Page) -> Vec<Link> {
    let code = Regex::new("`[^`]*`").unwrap();
    let form = Regex::new(r"\[[^\]]*\]\(([^)\s]+)\)").unwrap();
    let mut links = Vec::new();
    // A link may be broken into two lines.
    let mut text = String::new();
    let mut starts = Vec::new();
    for (number, line) in page.prose() {
        starts.push((text.len(), number));
        text.push_str(&code.replace_all(line, "code"));
        text.push('\n');
    }
    for found in form.captures_iter(&text) {
        let at = found.get(1).unwrap().start();
        let line = starts.iter().rev().find(|(start, _)| *start <= at).unwrap().1;
        links.push(Link { target: found[1].to_owned(), line });
    }
    links
}

/// A path without `..` in it, relative to the root.
fn resolved(page: &Path, target: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in page.parent().unwrap().join(target).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{}: {target}", page.display()),
            part => path.push(part),
        }
    }
    path
}

/// A page whose text a chapter of the book includes, as `{{#include PATH}}`.
pub(crate) fn included(page: &Page) -> Option<PathBuf> {
    let (_, rest) = page.text.split_once("{{#include ")?;
    Some(resolved(&page.path, rest.split_once("}}").unwrap().0))
}

/// Whether a page is read in the book, where only chapters of the book can be linked to.
fn is_in_book(page: &Page, chapters: &[Page]) -> bool {
    page.path.starts_with("docs/src")
        || chapters.iter().any(|chapter| included(chapter).as_ref() == Some(&page.path))
}

#[test]
fn links_lead_somewhere() {
    let chapters = page::below("docs/src");
    let mut wrong = Vec::new();
    for page in page::all() {
        let is_in_book = is_in_book(&page, &chapters);
        for Link { target, line } in links(&page) {
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { page.path.clone() } else { resolved(&page.path, file) };
            let place = format!("{}:{line}: {target}", page.path.display());
            if !root().join(&path).exists() {
                wrong.push(format!("{place}: there is no such file"));
            } else if is_in_book && !file.is_empty() && !path.starts_with("docs/src") {
                wrong.push(format!("{place}: this leads out of the book"));
            } else if !anchor.is_empty() {
                let target = Page::read(&path);
                let target = included(&target).map_or(target, Page::read);
                if !target.anchors().iter().any(|name| name == anchor) {
                    wrong.push(format!("{place}: there is no such heading"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

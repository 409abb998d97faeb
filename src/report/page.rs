//! The one form of all HTML pages: a file that needs nothing else.
//!
//! A [`Page`] has a title, a line of facts, and sections that links below the title lead to.
//! Stylesheet and script are part of the file. It follows the reader's choice of light or dark,
//! fits narrow windows and paper, and is complete without its script.
//!
//! Markup is written by the macro [`html!`], which escapes every text that it inserts. This module
//! is the only one that names the template crate.

pub use maud::{Markup, PreEscaped, html};

use super::text::write_lasso;
use crate::printable::escaped;
use crate::word::{Atoms, Lasso, Letter};
use std::io::{Result, Write};

/// What a page shows.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The heading, and the title of the window.
    pub title: String,
    /// When the results were found.
    pub date: &'a str,
    /// What else the line with date and version says.
    pub facts: String,
    /// What stands directly below the heading.
    pub head: Markup,
    /// Everything else.
    pub sections: Vec<Section>,
    /// Rules for elements that only this page has.
    pub style: &'static str,
    /// A script for convenience only.
    pub script: &'static str,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// The target of links, one word.
    pub id: String,
    /// Its heading, and the text of the link that leads to it.
    pub title: String,
    /// What it shows.
    pub body: Markup,
    /// Whether its script shows it, without which it is empty.
    pub is_scripted: bool,
}

impl Section {
    /// A section with a heading.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>, body: Markup) -> Self {
        Self { id: id.into(), title: title.into(), body, is_scripted: false }
    }

    /// A section that the script of the page fills and shows.
    #[must_use]
    pub fn scripted(id: impl Into<String>, title: impl Into<String>, body: Markup) -> Self {
        Self { is_scripted: true, ..Self::new(id, title, body) }
    }
}

impl Page<'_> {
    /// Writes the whole file.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let page = html! {
            (maud::DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "lwaa " (version) };
                    title { (self.title) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(include_str!("page/style.css"))) (PreEscaped(self.style)) }
                }
                body {
                    header {
                        h1 { (self.title) }
                        (self.head)
                        p.facts {
                            (self.date) ", lwaa " (version)
                            @if !self.facts.is_empty() { ", " (self.facts) }
                        }
                        nav aria-label="Sections" {
                            @for part in &self.sections {
                                a href={ "#" (part.id) } hidden[part.is_scripted] { (part.title) }
                            }
                        }
                    }
                    main {
                        @for Section { id, title, body, is_scripted } in &self.sections {
                            section id=(id) hidden[*is_scripted] { h2 { (title) } (body) }
                        }
                    }
                    @if !self.script.is_empty() { script { (PreEscaped(self.script)) } }
                }
            }
        };
        // Markup itself is printable, so the escape sequences stand in texts only.
        writeln!(out, "{}", escaped(&page.into_string().replace("\r\n", "\n")))
    }
}

/// A word as in answers for people.
pub(super) fn word(atoms: &Atoms, lasso: &Lasso<Letter>) -> Markup {
    let mut lines = Vec::new();
    write_lasso(&mut lines, atoms, lasso, "").expect("memory takes any text");
    html! { pre { (String::from_utf8_lossy(&lines)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        let hostile = "</title><a href='x'>\"&\0\u{202e}\r\n";
        let page = Page {
            title: hostile.to_owned(),
            date: hostile,
            facts: hostile.to_owned(),
            head: html! { p title=(hostile) { (hostile) } },
            sections: vec![Section::new(hostile, hostile, html! { (hostile) })],
            style: "",
            script: "",
        };
        let mut bytes = Vec::new();
        page.write(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let safe = "&lt;/title&gt;&lt;a href='x'&gt;&quot;&amp;\\x00\\u{202e}\n";
        assert_eq!(text.matches(safe).count(), 11, "{text}");
        assert!(!text.contains(['\0', '\u{202e}', '\r']) && !text.contains("<a href='x'>"));
        assert!(
            text.starts_with("<!DOCTYPE html><html lang=\"en\">") && text.ends_with("</html>\n")
        );
    }
}

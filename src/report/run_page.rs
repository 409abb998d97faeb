//! Runs as a page: the verdict in a sentence, the sequence chart, the steps, the formula along the
//! run, and who moves.
//!
//! The page gets its data as one JSON object, which its script shows; the script is in
//! `run_page/*.js`, a file for each part of the page. All texts are made printable here, so the
//! script shows them as they are. Without the script, sentences, verdicts and short runs can be
//! read.

mod columns;
mod data;
mod formula;

pub use data::{Activity, ClaimAtom, ClaimRun, PageRun, Shown, short_text};

use super::page::{Markup, Page, PreEscaped, Section, html};
use super::sentence::Sentence;
use super::why::Explained;
use std::io::{Result, Write};

/// The script, in the order in which its parts need each other.
const SCRIPT: &str = concat!(
    "'use strict';\n(() => {\n",
    include_str!("run_page/model.js"),
    include_str!("run_page/scroll.js"),
    include_str!("run_page/chart.js"),
    include_str!("run_page/table.js"),
    include_str!("run_page/formula.js"),
    include_str!("run_page/moves.js"),
    include_str!("run_page/controls.js"),
    "})();\n"
);

/// What the page shows.
#[derive(Debug)]
pub struct RunPage<'a> {
    /// The heading.
    pub title: String,
    /// When the runs were found.
    pub date: String,
    /// The command that shows the same once more.
    pub command: String,
    /// What is shown, in the order in which it was asked for.
    pub shown: Vec<Shown<'a>>,
    /// What stands above that.
    pub lead: Markup,
    /// What the line of facts says besides.
    pub facts: String,
    /// Sections in front of those about runs.
    pub before: Vec<Section>,
    /// Sections behind them.
    pub after: Vec<Section>,
}

impl<'a> RunPage<'a> {
    /// A page about runs alone.
    #[must_use]
    pub fn new(title: String, date: String, command: String, shown: Vec<Shown<'a>>) -> Self {
        let (lead, facts, before, after) = (html! {}, String::new(), Vec::new(), Vec::new());
        Self { title, date, command, shown, lead, facts, before, after }
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(mut self, out: &mut dyn Write) -> Result<()> {
        let has_run = self.shown.iter().any(|one| one.run.is_some());
        let has_steps = self.shown.iter().any(|one| matches!(one.run, Some(PageRun::Model { .. })));
        let has_formula = self
            .shown
            .iter()
            .any(|one| (one.formula.is_some() || one.claim.is_some()) && one.run.is_some());
        let mut sections = std::mem::take(&mut self.before);
        if has_steps {
            sections.push(Section::scripted("chart", "Who moves when", chart()));
        }
        if has_run {
            sections.push(Section::scripted("steps", "Steps", steps()));
        }
        if has_formula {
            sections.push(Section::scripted(
                "formula",
                "Why: the formula along the run",
                formula(),
            ));
        }
        if self.shown.iter().any(|one| !one.activity.is_empty()) {
            sections.push(Section::scripted("fairness", "Fairness", html! { div #moves {} }));
        }
        sections.append(&mut self.after);
        sections.push(Section::new("again", "The same once more", self.again()));
        Page {
            title: self.title.clone(),
            date: &self.date,
            facts: self.facts.clone(),
            head: self.head(has_run),
            sections,
            style: include_str!("run_page/style.css"),
            script: SCRIPT,
        }
        .write(out)
    }

    /// The verdicts, each in a sentence, and what the reader does with the run.
    fn head(&self, has_run: bool) -> Markup {
        html! {
            (self.lead)
            div #verdicts role="group" aria-label="Properties" {
                @for (number, one) in self.shown.iter().enumerate() {
                    @let class = match one.is_fine {
                        Some(true) => "verdict fine",
                        Some(false) => "verdict wrong",
                        None => "verdict none",
                    };
                    div.property data-property=(number) {
                        p {
                            strong.text { (one.name) }
                            @if !one.verdict.is_empty() {
                                ": " span class=(class) { (one.verdict) }
                            }
                        }
                        @if let Some(formula) = one.formula.and_then(Explained::text)
                            && formula != one.name
                        {
                            p.stated { code.text { (formula) } }
                        }
                        p.sentence { (with_code(&one.sentence)) }
                        @for note in &one.notes { p.note { (note) } }
                    }
                }
            }
            @if has_run { (controls()) }
        }
    }

    /// The command, and the run as text for readers without a script.
    fn again(&self) -> Markup {
        html! {
            p { "This command has written the page:" }
            pre { (self.command) }
            noscript {
                p { "Without its script, this page shows short runs as text:" }
                @for one in &self.shown {
                    @if let Some(text) = &one.text { h3 { (one.name) } pre { (text) } }
                }
            }
            script #data type="application/json" { (PreEscaped(data::text(&self.shown))) }
        }
    }
}

/// A sentence with its names as code.
fn with_code(sentence: &Sentence) -> Markup {
    html! {
        @for (text, is_name) in sentence.pieces() {
            @if is_name { code.text { (text) } } @else { (text) }
        }
    }
}

/// What moves the selected step, filters and searches. Shown by the script.
fn controls() -> Markup {
    html! {
        div #controls role="toolbar" aria-label="The selected step" hidden {
            span.group #walk {
                button #first type="button" title="First step (Home)" aria-label="First step" { "|◀" }
                button #back type="button" title="One step back (←)" aria-label="One step back" { "◀" }
                label { span #noun { "state" } " " input #position type="number" min="0" value="0"; }
                span #of {}
                button #forward type="button" title="One step on (→)" aria-label="One step on" { "▶" }
                button #last type="button" title="Last step (End)" aria-label="Last step" { "▶|" }
            }
            span.group #rounds-group {
                label { "rounds of the cycle " input #rounds type="number" min="1" value="1"; }
            }
            span.group {
                label { "search " input #search type="search" title="Find steps (/)"; }
                button #found-back type="button" aria-label="Previous match" title="Previous match (N)" { "↑" }
                button #found-on type="button" aria-label="Next match" title="Next match (n)" { "↓" }
                span #found role="status" {}
            }
            span.group {
                button #cause type="button" title="Next state with a value that causes the verdict (c)" { "next cause" }
                a #link href="#" title="An address that leads to this step" { "link to this step" }
            }
        }
    }
}

fn chart() -> Markup {
    html! {
        fieldset #lanes { legend { "Processes" } }
        div #chart-frame .frame tabindex="0" role="img" aria-label="Sequence chart" {}
        p.legend #chart-legend {}
    }
}

fn steps() -> Markup {
    html! {
        div.filters {
            label { "variables " input #variables type="search" placeholder="names, e.g. turn busy"; }
            label { input #all-values type="checkbox"; " a column for each variable" }
        }
        div #table-frame .frame tabindex="0" role="grid" aria-label="Steps" {}
        h3 #values-title { "Values" }
        div #values {}
        div #pending {}
    }
}

fn formula() -> Markup {
    html! {
        p #formula-text {}
        div #tree role="tree" aria-label="The formula" {}
        p.legend #formula-legend {}
        div #causes {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::sentence::code;
    use super::*;

    #[test]
    fn text_in_data_means_itself() {
        let hostile = "</script><b>\"'&\0\u{202e}\u{2028}\r\n";
        let shown = Shown {
            name: hostile.to_owned(),
            verdict: hostile.to_owned(),
            is_fine: None,
            sentence: Sentence::from(code(hostile)),
            notes: vec![hostile.to_owned()],
            run: None,
            pending_of: "the formula",
            violated_at: None,
            formula: None,
            explanation: None,
            claim: None,
            activity: Vec::new(),
            text: Some(hostile.to_owned()),
        };
        let page = RunPage::new(hostile.to_owned(), String::new(), hostile.to_owned(), vec![shown]);
        let mut bytes = Vec::new();
        page.write(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(['\0', '\u{202e}', '\u{2028}', '\r']));
        assert_eq!(text.matches("<b>").count(), 0, "{text}");
        let (_, data) = text.split_once("type=\"application/json\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        let expected = "</script><b>\"'&\\x00\\u{202e}\\u{2028}\\x0d\\x0a";
        assert_eq!(data["properties"][0]["name"], expected);
    }
}

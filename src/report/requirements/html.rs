//! What there is to say about requirements, as a page.
//!
//! It is read on screens of any width and on paper, so nothing is hidden, folded or wider
//! than the page. The words that were found are shown as the runs of models are: letter by letter,
//! with the formula of a requirement along the word.

mod words;

use super::RequirementsReport;
use super::text::{because, counted, size};
use crate::report::page::{Markup, Section, html, word};
use crate::report::run_page::{RunPage, Shown};
use crate::requirements::Requirement;
use crate::requirements::analysis::Consistency;
use crate::requirements::conflict::{Conflict, Conflicts};
use std::io::{Result, Write};

/// Writes the page. `date` is that of the analysis, `command` has asked for it.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(
    out: &mut dyn Write,
    report: &RequirementsReport,
    date: String,
    command: String,
) -> Result<()> {
    let (class, verdict) = match &report.analysis.consistency {
        Consistency::Consistent(_) => ("fine", "consistent".to_owned()),
        Consistency::Inconsistent(_) => ("wrong", "inconsistent".to_owned()),
        Consistency::Unknown(reason) => ("wrong", format!("unknown: {reason}")),
    };
    let searches = match report.analysis.n_searches {
        1 => "1 search".to_owned(),
        count => format!("{count} searches"),
    };
    let sections = match &report.analysis.consistency {
        Consistency::Inconsistent(conflicts) => conflict_sections(report, conflicts),
        Consistency::Consistent(lasso) => {
            let title = "A word on which all of them hold";
            vec![Section::new("word", title, word(&report.atoms, lasso))]
        }
        Consistency::Unknown(_) => Vec::new(),
    };
    let words = words::of(report);
    RunPage {
        facts: format!("{}, {searches}, {:.1} s", size(report), report.time.as_secs_f64()),
        lead: html! {
            p class=(class) { (verdict) }
            @if let Consistency::Inconsistent(conflicts) = &report.analysis.consistency {
                (doubt(conflicts))
            }
            @if let Some(all) = words::too_many(report) {
                p.note { "Explained here: the first " (words::MAX_WORDS) " of " (all) "." }
            }
        },
        before: sections,
        after: vec![Section::new("requirements", "Requirements", table(report))],
        ..RunPage::new(
            format!("Requirements: {}", report.file),
            date,
            command,
            words.iter().map(Shown::from).collect(),
        )
    }
    .write(out)
}

/// Whether there may be more conflicts.
fn doubt(conflicts: &Conflicts) -> Markup {
    let why = conflicts.exhausted.map(|reason| format!(": {reason}")).unwrap_or_default();
    html! { @if !conflicts.is_complete { p { "There may be more conflicts" (why) "." } } }
}

fn conflict_sections(report: &RequirementsReport, conflicts: &Conflicts) -> Vec<Section> {
    let all = counted(report.requirements.len(), "requirement");
    let mut sections = Vec::new();
    for (number, conflict) in (1..).zip(&conflicts.list) {
        let title = format!("Conflict {number}: {} of {all}", conflict.members.len());
        sections.push(Section::new(format!("conflict-{number}"), title, members(report, conflict)));
    }
    if !conflicts.repairs.is_empty() {
        let body = html! {
            p {
                "The whole set is consistent without the requirements of any one of these lines:"
            }
            ul { @for repair in &conflicts.repairs { li { (report.names(repair).join(", ")) } } }
        };
        sections.push(Section::new("repairs", "Repairs", body));
    }
    sections
}

/// The members of a conflict, each with a word that shows that it is needed.
fn members(report: &RequirementsReport, conflict: &Conflict) -> Markup {
    let is_alone = conflict.members.len() == 1;
    html! {
        ul.members {
            @for (&member, without) in conflict.members.iter().zip(&conflict.without) {
                li {
                    strong { (report.requirements[member].name) } ": "
                    (formula(&report.requirements[member]))
                    @if is_alone {
                        p { "It is never true, whatever the others are." }
                    } @else {
                        p {
                            "Without it, the other requirements of this conflict (not of the whole \
                             file) hold on this word:"
                        }
                    }
                    (word(&report.atoms, without))
                }
            }
        }
    }
}

/// The formula of a requirement and its comment.
fn formula(requirement: &Requirement) -> Markup {
    html! {
        code { (requirement.formula.to_string()) }
        @if !requirement.comment.is_empty() { p.comment { (requirement.comment) } }
    }
}

/// All requirements with remarks.
fn table(report: &RequirementsReport) -> Markup {
    let dropped = &report.analysis.dropped;
    html! {
        @if !dropped.is_empty() {
            p {
                "From requirements that contradict each other everything follows. So what is \
                 redundant or vacuous is said about those that are left by the smallest repair, \
                 without " (report.names(dropped).join(", ")) "."
            }
        }
        table.requirements {
            thead { tr { th { "name" } th { "formula" } th { "remarks" } } }
            tbody {
                @for (member, one) in report.requirements.iter().enumerate() {
                    tr {
                        th.name scope="row" { (one.name) }
                        td { (formula(one)) }
                        td { @for remark in remarks(report, member) { p.remark { (remark) } } }
                    }
                }
            }
        }
    }
}

fn remarks(report: &RequirementsReport, member: usize) -> Vec<String> {
    let analysis = &report.analysis;
    let mut remarks = Vec::new();
    if let Consistency::Inconsistent(conflicts) = &analysis.consistency {
        for (number, conflict) in conflicts.list.iter().enumerate() {
            if conflict.members.contains(&member) {
                remarks.push(format!("conflict {}", number + 1));
            }
        }
    }
    for one in analysis.redundant.iter().filter(|one| one.member == member) {
        remarks.push(format!("redundant: {}", because(report, one.because.as_deref())));
    }
    for one in analysis.vacuous.iter().filter(|one| one.member == member) {
        let reason = because(report, one.because.as_deref());
        remarks.push(format!("vacuous: {} does not matter: {} {reason}", one.part, one.stronger));
    }
    for open in analysis.open.iter().filter(|open| open.member == member) {
        let what = if open.is_vacuity { "vacuous" } else { "redundant" };
        remarks.push(format!("unknown whether it is {what}: {}", open.exhausted));
    }
    remarks
}

//! What there is to say about requirements, as text. The first line is the verdict,
//! and scripts rely on it.

use super::RequirementsReport;
use crate::report::text::write_lasso;
use crate::requirements::Requirement;
use crate::requirements::analysis::Consistency;
use crate::requirements::conflict::{Conflict, Conflicts};
use crate::word::Atoms;
use std::io::{Result, Write};

/// Writes the whole report.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, report: &RequirementsReport) -> Result<()> {
    match &report.analysis.consistency {
        Consistency::Unknown(reason) => writeln!(out, "unknown: {reason}"),
        Consistency::Inconsistent(conflicts) => {
            writeln!(out, "inconsistent")?;
            write_conflicts(out, report, conflicts)
        }
        Consistency::Consistent(word) => {
            writeln!(out, "consistent")?;
            writeln!(out, "{}; all hold on this word:", size(report))?;
            write_lasso(out, &report.atoms, word, "  ")?;
            write_remarks(out, report)
        }
    }
}

/// `3 requirements about 2 atoms`
pub(super) fn size(report: &RequirementsReport) -> String {
    let requirements = counted(report.requirements.len(), "requirement");
    format!("{requirements} about {}", counted(report.atoms.len(), "atom"))
}

fn write_remarks(out: &mut dyn Write, report: &RequirementsReport) -> Result<()> {
    write_redundant(out, report)?;
    write_vacuous(out, report)?;
    write_open(out, report)
}

fn write_conflicts(
    out: &mut dyn Write,
    report: &RequirementsReport,
    conflicts: &Conflicts,
) -> Result<()> {
    let requirements = &report.requirements;
    for (number, conflict) in conflicts.list.iter().enumerate() {
        let size = conflict.members.len();
        let all = counted(requirements.len(), "requirement");
        writeln!(out, "conflict {}: {size} of {all}", number + 1)?;
        write_conflict(out, (requirements, &report.atoms), conflict, ("this conflict", "  "))?;
    }
    for repair in &conflicts.repairs {
        writeln!(out, "consistent without: {}", report.names(repair).join(", "))?;
    }
    if !conflicts.is_complete {
        let why = conflicts.exhausted.map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(out, "there may be more conflicts{why}")?;
    }
    if report.analysis.dropped.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "of what is left without {}:",
        report.names(&report.analysis.dropped).join(", ")
    )?;
    write_remarks(out, report)
}

/// Writes the members of a conflict, and for each a word on which all others hold.
/// `are` is what they are called together.
pub(super) fn write_conflict(
    out: &mut dyn Write,
    (requirements, atoms): (&[Requirement], &Atoms),
    conflict: &Conflict,
    (are, indent): (&str, &str),
) -> Result<()> {
    write_members(out, requirements, &conflict.members)?;
    for (&member, word) in conflict.members.iter().zip(&conflict.without) {
        let name = &requirements[member].name;
        match conflict.members.len() {
            1 => writeln!(out, "{indent}without {name}:")?,
            _ => writeln!(out, "{indent}without {name}, the rest of {are} holds on:")?,
        }
        write_lasso(out, atoms, word, &format!("{indent}  "))?;
    }
    Ok(())
}

/// From what something follows.
pub(super) fn because(report: &RequirementsReport, members: Option<&[usize]>) -> String {
    match members {
        None => "follows from the others".to_owned(),
        Some([]) => "is always true".to_owned(),
        Some(members) => format!("follows from {}", report.names(members).join(", ")),
    }
}

fn write_redundant(out: &mut dyn Write, report: &RequirementsReport) -> Result<()> {
    let redundant = &report.analysis.redundant;
    writeln!(out, "redundant:{}", if redundant.is_empty() { " none" } else { "" })?;
    for one in redundant {
        write_members(out, &report.requirements, &[one.member])?;
        writeln!(out, "    {}", because(report, one.because.as_deref()))?;
    }
    Ok(())
}

fn write_vacuous(out: &mut dyn Write, report: &RequirementsReport) -> Result<()> {
    let vacuous = &report.analysis.vacuous;
    writeln!(out, "vacuous:{}", if vacuous.is_empty() { " none" } else { "" })?;
    for one in vacuous {
        write_members(out, &report.requirements, &[one.member])?;
        let reason = because(report, one.because.as_deref());
        writeln!(out, "    `{}` does not matter: `{}` {reason}", one.part, one.stronger)?;
    }
    Ok(())
}

fn write_open(out: &mut dyn Write, report: &RequirementsReport) -> Result<()> {
    for open in &report.analysis.open {
        let name = &report.requirements[open.member].name;
        let what = if open.is_vacuity { "vacuous" } else { "redundant" };
        writeln!(out, "unknown whether {name} is {what}: {}", open.exhausted)?;
    }
    Ok(())
}

/// Writes requirements, a line each: names in one column, formulas in another.
fn write_members(
    out: &mut dyn Write,
    requirements: &[Requirement],
    members: &[usize],
) -> Result<()> {
    let names = members.iter().map(|&member| requirements[member].name.chars().count());
    let width = names.max().unwrap_or(0);
    for &member in members {
        let Requirement { name, formula, comment } = &requirements[member];
        writeln!(out, "  {name:width$}  {formula}")?;
        for line in comment.lines() {
            writeln!(out, "  {:width$}  # {line}", "")?;
        }
    }
    Ok(())
}

/// A number of things: `1 atom`, `2 atoms`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

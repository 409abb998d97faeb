//! What there is to say about requirements, as text. The first line is the verdict,
//! and scripts rely on it.

use super::{Report, counted, lasso_lines, write_members};
use lwaa::requirements::analysis::Consistency;
use lwaa::requirements::conflict::Conflicts;
use std::io::{Result, Write};

/// Writes the whole report.
pub(super) fn write(out: &mut dyn Write, report: &Report) -> Result<()> {
    match &report.analysis.consistency {
        Consistency::Unknown(reason) => writeln!(out, "unknown: {reason}"),
        Consistency::Inconsistent(conflicts) => {
            writeln!(out, "inconsistent")?;
            write_conflicts(out, report, conflicts)
        }
        Consistency::Consistent(word) => {
            writeln!(out, "consistent")?;
            writeln!(out, "{}; all hold on this word:", size(report))?;
            lasso_lines(out, &report.atoms, word, "  ")?;
            write_remarks(out, report)
        }
    }
}

/// `3 requirements about 2 atoms`
pub(super) fn size(report: &Report) -> String {
    let requirements = counted(report.requirements.len(), "requirement");
    format!("{requirements} about {}", counted(report.atoms.len(), "atom"))
}

fn write_remarks(out: &mut dyn Write, report: &Report) -> Result<()> {
    write_redundant(out, report)?;
    write_vacuous(out, report)?;
    write_open(out, report)
}

fn write_conflicts(out: &mut dyn Write, report: &Report, conflicts: &Conflicts) -> Result<()> {
    let requirements = &report.requirements;
    for (number, conflict) in conflicts.list.iter().enumerate() {
        let size = conflict.members.len();
        let all = counted(requirements.len(), "requirement");
        writeln!(out, "conflict {}: {size} of {all}", number + 1)?;
        write_members(out, requirements, &conflict.members)?;
        for (&member, word) in conflict.members.iter().zip(&conflict.without) {
            let name = &requirements[member].name;
            match size {
                1 => writeln!(out, "  without {name}:")?,
                _ => writeln!(out, "  without {name}, the rest of this conflict holds on:")?,
            }
            lasso_lines(out, &report.atoms, word, "    ")?;
        }
    }
    for repair in &conflicts.repairs {
        writeln!(out, "consistent without: {}", named(report, repair))?;
    }
    if !conflicts.is_complete {
        let why = conflicts.exhausted.map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(out, "there may be more conflicts{why}")?;
    }
    if report.analysis.dropped.is_empty() {
        return Ok(());
    }
    writeln!(out, "of what is left without {}:", named(report, &report.analysis.dropped))?;
    write_remarks(out, report)
}

/// The names of some requirements in one line.
pub(super) fn named(report: &Report, members: &[usize]) -> String {
    let names: Vec<&str> =
        members.iter().map(|&member| &*report.requirements[member].name).collect();
    names.join(", ")
}

/// From what something follows.
pub(super) fn because(report: &Report, members: Option<&[usize]>) -> String {
    match members {
        None => "follows from the others".to_owned(),
        Some([]) => "is always true".to_owned(),
        Some(members) => format!("follows from {}", named(report, members)),
    }
}

fn write_redundant(out: &mut dyn Write, report: &Report) -> Result<()> {
    let redundant = &report.analysis.redundant;
    writeln!(out, "redundant:{}", if redundant.is_empty() { " none" } else { "" })?;
    for one in redundant {
        write_members(out, &report.requirements, &[one.member])?;
        writeln!(out, "    {}", because(report, one.because.as_deref()))?;
    }
    Ok(())
}

fn write_vacuous(out: &mut dyn Write, report: &Report) -> Result<()> {
    let vacuous = &report.analysis.vacuous;
    writeln!(out, "vacuous:{}", if vacuous.is_empty() { " none" } else { "" })?;
    for one in vacuous {
        write_members(out, &report.requirements, &[one.member])?;
        let reason = because(report, one.because.as_deref());
        writeln!(out, "    `{}` does not matter: `{}` {reason}", one.part, one.stronger)?;
    }
    Ok(())
}

fn write_open(out: &mut dyn Write, report: &Report) -> Result<()> {
    for open in &report.analysis.open {
        let name = &report.requirements[open.member].name;
        let what = if open.is_vacuity { "vacuous" } else { "redundant" };
        writeln!(out, "unknown whether {name} is {what}: {}", open.exhausted)?;
    }
    Ok(())
}

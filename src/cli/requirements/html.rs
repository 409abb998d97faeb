//! What there is to say about requirements, as one page that needs nothing else.

use super::text::{because, named};
use super::{Report, lasso_lines};
use lwaa::bench::html::escaped;
use lwaa::requirements::analysis::Consistency;
use lwaa::requirements::conflict::Conflicts;
use lwaa::word::{Lasso, Letter};
use std::io::{Result, Write};

/// The same as that of the page of `lwaa bench`.
const STYLE: &str = include_str!("../../bench/html/style.css");

/// Writes the page.
pub(super) fn write(out: &mut dyn Write, report: &Report) -> Result<()> {
    let (class, verdict) = match &report.analysis.consistency {
        Consistency::Consistent(_) => ("fine", "consistent".to_owned()),
        Consistency::Inconsistent(_) => ("wrong", "inconsistent".to_owned()),
        Consistency::Unknown(reason) => ("wrong", format!("unknown: {reason}")),
    };
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{file}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Requirements: {file}</h1>\n<p class=\"{class}\">{verdict}</p>\n<p class=\"facts\">lwaa \
         {version}, {count} requirements about {atoms} atoms, {searches} searches, {seconds:.1} s</p>",
        file = escaped(&report.file),
        version = env!("CARGO_PKG_VERSION"),
        count = report.requirements.len(),
        atoms = report.atoms.len(),
        searches = report.analysis.n_searches,
        seconds = report.time.as_secs_f64(),
    )?;
    match &report.analysis.consistency {
        Consistency::Inconsistent(conflicts) => write_conflicts(out, report, conflicts)?,
        Consistency::Consistent(word) => {
            writeln!(out, "<h2>A word on which all of them hold</h2>")?;
            write_word(out, report, word)?;
        }
        Consistency::Unknown(_) => (),
    }
    write_table(out, report)?;
    writeln!(out, "</body>\n</html>")
}

fn write_word(out: &mut dyn Write, report: &Report, word: &Lasso<Letter>) -> Result<()> {
    let mut lines = Vec::new();
    lasso_lines(&mut lines, &report.atoms, word, "")?;
    writeln!(out, "<pre>{}</pre>", escaped(&String::from_utf8_lossy(&lines)))
}

fn write_conflicts(out: &mut dyn Write, report: &Report, conflicts: &Conflicts) -> Result<()> {
    for (number, conflict) in conflicts.list.iter().enumerate() {
        writeln!(out, "<section>\n<h2>Conflict {}</h2>", number + 1)?;
        for (&member, word) in conflict.members.iter().zip(&conflict.without) {
            let one = &report.requirements[member];
            let (name, formula) = (escaped(&one.name), one.formula.to_string());
            writeln!(
                out,
                "<details>\n<summary>{name}: <code>{}</code></summary>",
                escaped(&formula)
            )?;
            writeln!(out, "<p>Without it, the others hold on this word:</p>")?;
            write_word(out, report, word)?;
            writeln!(out, "</details>")?;
        }
        writeln!(out, "</section>")?;
    }
    if !conflicts.repairs.is_empty() {
        writeln!(
            out,
            "<h2>Repairs</h2>\n<p>The set is consistent without any one of these:</p>\n<ul>"
        )?;
        for repair in &conflicts.repairs {
            writeln!(out, "<li>{}</li>", escaped(&named(report, repair)))?;
        }
        writeln!(out, "</ul>")?;
    }
    if !conflicts.is_complete {
        let why = conflicts.exhausted.map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(out, "<p>There may be more conflicts{}.</p>", escaped(&why))?;
    }
    Ok(())
}

/// All requirements with remarks.
fn write_table(out: &mut dyn Write, report: &Report) -> Result<()> {
    writeln!(
        out,
        "<h2>Requirements</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>name</th>\
         <th>formula</th><th>remarks</th></tr></thead>\n<tbody>"
    )?;
    for (member, one) in report.requirements.iter().enumerate() {
        let remarks: Vec<String> =
            remarks(report, member).iter().map(|remark| escaped(remark).into_owned()).collect();
        let (name, formula) = (escaped(&one.name), one.formula.to_string());
        let formula = escaped(&formula);
        let remarks = remarks.join("<br>");
        writeln!(out, "<tr><td>{name}</td><td><code>{formula}</code></td><td>{remarks}</td></tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}

fn remarks(report: &Report, member: usize) -> Vec<String> {
    let analysis = &report.analysis;
    let mut remarks = Vec::new();
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
    if let Consistency::Inconsistent(conflicts) = &analysis.consistency {
        for (number, conflict) in conflicts.list.iter().enumerate() {
            if conflict.members.contains(&member) {
                remarks.push(format!("conflict {}", number + 1));
            }
        }
    }
    remarks
}

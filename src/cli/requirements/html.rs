//! What there is to say about requirements, as one page that needs nothing else.
//!
//! It is read on screens of any width and on paper, so nothing is hidden, folded or wider
//! than the page.

use super::text::{because, named, size};
use super::{Report, counted, lasso_lines};
use lwaa::bench::html::escaped;
use lwaa::requirements::analysis::Consistency;
use lwaa::requirements::conflict::Conflicts;
use lwaa::word::{Lasso, Letter};
use std::io::{Result, Write};

/// The same as that of the page of `lwaa bench`, and what is different here.
const STYLES: [&str; 2] = [include_str!("../../bench/html/style.css"), include_str!("style.css")];

/// Writes the page. `date` is that of the analysis.
pub(super) fn write(out: &mut dyn Write, report: &Report, date: &str) -> Result<()> {
    let (class, verdict) = match &report.analysis.consistency {
        Consistency::Consistent(_) => ("fine", "consistent".to_owned()),
        Consistency::Inconsistent(_) => ("wrong", "inconsistent".to_owned()),
        Consistency::Unknown(reason) => ("wrong", format!("unknown: {reason}")),
    };
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{file}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{}{}</style>\n</head>\n<body>\n\
         <h1>Requirements: {file}</h1>\n<p class=\"{class}\">{verdict}</p>\n<p class=\"facts\">{date}, lwaa \
         {version}, {size}, {searches}, {seconds:.1} s</p>",
        STYLES[0],
        STYLES[1],
        file = escaped(&report.file),
        version = env!("CARGO_PKG_VERSION"),
        size = size(report),
        searches = match report.analysis.n_searches {
            1 => "1 search".to_owned(),
            count => format!("{count} searches"),
        },
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

/// The comment of a requirement as an element; nothing if there is none.
fn comment(report: &Report, member: usize) -> String {
    match &*report.requirements[member].comment {
        "" => String::new(),
        text => format!("<p class=\"comment\">{}</p>", escaped(text)),
    }
}

fn write_conflicts(out: &mut dyn Write, report: &Report, conflicts: &Conflicts) -> Result<()> {
    for (number, conflict) in conflicts.list.iter().enumerate() {
        let (size, all) = (conflict.members.len(), report.requirements.len());
        writeln!(
            out,
            "<section>\n<h2>Conflict {}: {size} of {}</h2>\n<ul class=\"members\">",
            number + 1,
            counted(all, "requirement")
        )?;
        for (&member, word) in conflict.members.iter().zip(&conflict.without) {
            let one = &report.requirements[member];
            let (name, formula) = (escaped(&one.name), one.formula.to_string());
            let formula = escaped(&formula);
            writeln!(
                out,
                "<li><strong>{name}</strong>: <code>{formula}</code>{}",
                comment(report, member)
            )?;
            if 1 < size {
                let sentence = "the other requirements of this conflict (not of the whole file) \
                                hold on this word";
                writeln!(out, "<p>Without it, {sentence}:</p>")?;
            } else {
                writeln!(out, "<p>It is never true, whatever the others are.</p>")?;
            }
            write_word(out, report, word)?;
            writeln!(out, "</li>")?;
        }
        writeln!(out, "</ul>\n</section>")?;
    }
    if !conflicts.repairs.is_empty() {
        writeln!(
            out,
            "<h2>Repairs</h2>\n<p>The whole set is consistent without the requirements of any one of \
             these lines:</p>\n<ul>"
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
    writeln!(out, "<h2>Requirements</h2>")?;
    let dropped = &report.analysis.dropped;
    if !dropped.is_empty() {
        writeln!(
            out,
            "<p>From requirements that contradict each other everything follows. So what is redundant \
             or vacuous is said about those that are left by the smallest repair, without {}.</p>",
            escaped(&named(report, dropped))
        )?;
    }
    writeln!(
        out,
        "<table class=\"requirements\">\n<thead><tr><th>name</th><th>formula</th><th>remarks</th></tr>\
         </thead>\n<tbody>"
    )?;
    for (member, one) in report.requirements.iter().enumerate() {
        let remarks = remarks(report, member);
        let remarks: Vec<String> = remarks
            .iter()
            .map(|remark| format!("<p class=\"remark\">{}</p>", escaped(remark)))
            .collect();
        let formula = one.formula.to_string();
        writeln!(
            out,
            "<tr><th class=\"name\" scope=\"row\">{}</th><td><code>{}</code>{}</td><td>{}</td></tr>",
            escaped(&one.name),
            escaped(&formula),
            comment(report, member),
            remarks.concat()
        )?;
    }
    writeln!(out, "</tbody>\n</table>")
}

fn remarks(report: &Report, member: usize) -> Vec<String> {
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

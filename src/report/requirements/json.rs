//! What there is to say about requirements, as one JSON object.
//!
//! Schema 1: `verdict` is `consistent`, `inconsistent` or `unknown` (then with `reason`);
//! `requirements` is a list of `name`, `formula` and, if there is one, `comment`. If consistent: `witness`, a word as in the
//! answers of `sat`; `redundant`, a list of `name` and `because` (names, or `null` where it is
//! not known); `vacuous`, with `part` and `stronger` besides; `open`, a list of `name`,
//! `question` (`redundant` or `vacuous`) and `reason`. If inconsistent: `conflicts`, each a list of
//! `name`, `formula` and `without`, a word on which all others hold; `repairs`, lists of names;
//! `complete`, whether there are no others; and if there is a repair, `dropped`, the smallest one, with
//! `redundant`, `vacuous` and `open` about what is left without it.

use super::RequirementsReport;
use crate::report::json::{SCHEMA, lasso};
use crate::requirements::Requirement;
use crate::requirements::analysis::Consistency;
use crate::requirements::conflict::Conflict;
use crate::word::Atoms;
use serde_json::{Map, Value, json};

/// The report as one object of the schema above.
#[must_use]
pub fn object(report: &RequirementsReport) -> Value {
    let analysis = &report.analysis;
    let mut object = Map::new();
    let mut insert = |field: &str, value: Value| object.insert(field.to_owned(), value);
    insert("schema", SCHEMA.into());
    let verdict = match &analysis.consistency {
        Consistency::Consistent(_) => "consistent",
        Consistency::Inconsistent(_) => "inconsistent",
        Consistency::Unknown(_) => "unknown",
    };
    insert("verdict", verdict.into());
    insert("requirements", report.requirements.iter().map(requirement).collect());
    match &analysis.consistency {
        Consistency::Unknown(reason) => {
            insert("reason", reason.to_string().into());
            insert("reason_code", reason.code().into());
        }
        Consistency::Inconsistent(conflicts) => {
            let list = conflicts.list.iter();
            let each = |conflict| self::conflict(&report.requirements, &report.atoms, conflict);
            insert("conflicts", list.map(each).collect());
            insert(
                "repairs",
                conflicts.repairs.iter().map(|repair| json!(report.names(repair))).collect(),
            );
            insert("complete", conflicts.is_complete.into());
            if let Some(reason) = conflicts.exhausted {
                insert("reason", reason.to_string().into());
                insert("reason_code", reason.code().into());
            }
            if !analysis.dropped.is_empty() {
                insert("dropped", json!(report.names(&analysis.dropped)));
            }
        }
        Consistency::Consistent(word) => {
            insert("witness", lasso(&report.atoms, word));
        }
    }
    // What is left without the smallest repair is consistent, too.
    let is_consistent = matches!(analysis.consistency, Consistency::Consistent(_));
    if is_consistent || !analysis.dropped.is_empty() {
        for (field, value) in remarks(report) {
            insert(field, value);
        }
    }
    insert(
        "statistics",
        json!({
            "searches": analysis.n_searches,
            "seconds": report.time.as_secs_f64(),
            "peak_bytes": report.peak_bytes,
        }),
    );
    object.into()
}

fn requirement(one: &Requirement) -> Value {
    let mut object = json!({"name": one.name, "formula": one.formula.to_string()});
    if !one.comment.is_empty() {
        object["comment"] = json!(one.comment);
    }
    object
}

/// A conflict: its members, each with a word on which all others hold.
pub(super) fn conflict(requirements: &[Requirement], atoms: &Atoms, conflict: &Conflict) -> Value {
    let members = conflict.members.iter().zip(&conflict.without);
    members
        .map(|(&member, word)| {
            let Requirement { name, formula, .. } = &requirements[member];
            let formula = formula.to_string();
            json!({"name": name, "formula": formula, "without": lasso(atoms, word)})
        })
        .collect()
}

/// What there is to say about requirements that are consistent.
fn remarks(report: &RequirementsReport) -> [(&'static str, Value); 3] {
    let analysis = &report.analysis;
    let name = |member: usize| &report.requirements[member].name;
    let because = |members: &Option<Vec<usize>>| members.as_deref().map(|list| report.names(list));
    let redundant = analysis
        .redundant
        .iter()
        .map(|one| json!({"name": name(one.member), "because": because(&one.because)}));
    let vacuous = analysis.vacuous.iter().map(|one| {
        let (part, stronger) = (one.part.to_string(), one.stronger.to_string());
        let because = because(&one.because);
        json!({"name": name(one.member), "part": part, "stronger": stronger, "because": because})
    });
    let open = analysis.open.iter().map(|one| {
        let question = if one.is_vacuity { "vacuous" } else { "redundant" };
        let (reason, code) = (one.exhausted.to_string(), one.exhausted.code());
        json!({"name": name(one.member), "question": question, "reason": reason, "reason_code": code})
    });
    [("redundant", redundant.collect()), ("vacuous", vacuous.collect()), ("open", open.collect())]
}

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

use super::{Report, conflict_json, lasso_json};
use lwaa::report::json::SCHEMA;
use lwaa::requirements::Requirement;
use lwaa::requirements::analysis::Consistency;
use serde_json::{Map, Value, json};

/// The whole report.
pub(super) fn object(report: &Report) -> Value {
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
        }
        Consistency::Inconsistent(conflicts) => {
            let list = conflicts.list.iter();
            let each = |conflict| conflict_json(&report.requirements, &report.atoms, conflict);
            insert("conflicts", list.map(each).collect());
            insert(
                "repairs",
                conflicts.repairs.iter().map(|repair| json!(names(report, repair))).collect(),
            );
            insert("complete", conflicts.is_complete.into());
            if let Some(reason) = conflicts.exhausted {
                insert("reason", reason.to_string().into());
            }
            if !analysis.dropped.is_empty() {
                insert("dropped", json!(names(report, &analysis.dropped)));
                for (field, value) in remarks(report) {
                    insert(field, value);
                }
            }
        }
        Consistency::Consistent(word) => {
            insert("witness", lasso_json(&report.atoms, word));
            for (field, value) in remarks(report) {
                insert(field, value);
            }
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

fn names<'a>(report: &'a Report, members: &[usize]) -> Vec<&'a str> {
    members.iter().map(|&member| &*report.requirements[member].name).collect()
}

/// What there is to say about requirements that are consistent.
fn remarks(report: &Report) -> [(&'static str, Value); 3] {
    let analysis = &report.analysis;
    let name = |member: usize| &report.requirements[member].name;
    let because = |members: &Option<Vec<usize>>| members.as_deref().map(|list| names(report, list));
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
        let reason = one.exhausted.to_string();
        json!({"name": name(one.member), "question": question, "reason": reason})
    });
    [("redundant", redundant.collect()), ("vacuous", vacuous.collect()), ("open", open.collect())]
}

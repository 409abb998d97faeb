//! Which properties `check` is asked for, and what is wrong with them.

use super::super::diagnostic::Document;
use super::super::model::{self, Loaded};
use super::super::request::method;
use super::super::request::model::Check;
use super::super::{Failure, input};
use lwaa::Formula;
use lwaa::check::model::{CheckError, Deadlock, Question};
use lwaa::lang::claim::Claim;
use lwaa::lang::program::Span;
use lwaa::lang::{OpenError, SourceError};
use lwaa::ltl::Syntax;
use lwaa::report::model::About;
use lwaa::scan::shortened;

/// How many characters of a formula may be its name.
const MAX_NAME: usize = 60;

/// A property to be checked.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) subject: Subject,
    origin: Origin,
}

/// What is to be checked.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    Formula(Formula),
    Claim(Claim),
    /// That no error and, unless something else was said, no deadlock can be reached.
    Errors,
}

impl Asked {
    /// The question that the checker is asked.
    pub(super) fn question(&self) -> Question<'_> {
        match &self.subject {
            Subject::Formula(formula) => Question::Formula(formula),
            Subject::Claim(claim) => Question::Claim(claim),
            Subject::Errors => Question::Errors,
        }
    }

    /// What kind of property it is.
    pub(super) fn about(&self, is_with_deadlocks: bool) -> About {
        match &self.subject {
            Subject::Formula(_) => About::Formula,
            Subject::Claim(_) => About::Claim,
            Subject::Errors if is_with_deadlocks => About::ErrorsAndDeadlocks,
            Subject::Errors => About::Errors,
        }
    }

    /// The formula, if it is one.
    pub(super) fn formula(&self) -> Option<&Formula> {
        match &self.subject {
            Subject::Formula(formula) => Some(formula),
            Subject::Claim(_) | Subject::Errors => None,
        }
    }
}

/// Where a formula comes from.
#[derive(Clone, Debug)]
enum Origin {
    /// It was typed: what messages call it, and its text.
    Typed(String, String),
    /// The model states it here.
    Model(Span),
    /// It is the property of this number, which is stated here.
    Property(usize, Span),
}

/// The properties: those that were typed, those in files, then those that were
/// named. If there are none of them, all that the model states, claims included.
pub(super) fn properties(check: &Check, loaded: &Loaded) -> Result<Vec<Asked>, Failure> {
    let stated = &loaded.model.properties;
    if check.nonprogress {
        return progress(loaded).map(|asked| vec![asked]);
    }
    let claims = loaded.model.bindings.claims();
    let mut asked = Vec::new();
    for (index, text) in check.formulas.iter().enumerate() {
        let number = index + 1;
        let title = match check.formulas.len() {
            1 => "<formula>".to_owned(),
            _ => format!("<formula {number}>"),
        };
        asked.push(typed(check, loaded, &format!("formula {number}"), &title, text)?);
    }
    for file in &check.files {
        let (name, text) = input::text(file)?;
        asked.push(typed(check, loaded, &name, &name, &text)?);
    }
    let is_all = asked.is_empty() && check.properties.is_empty();
    let all = stated.iter().map(|property| &property.name);
    let all = all.chain(claims.iter().map(|claim| &claim.name)).filter(|_| is_all);
    for name in all.chain(&check.properties) {
        if let Some(claim) = claims.iter().find(|claim| claim.name == *name) {
            let (subject, origin) = (Subject::Claim(claim.clone()), Origin::Model(claim.span));
            asked.push(Asked { name: name.clone(), subject, origin });
            continue;
        }
        let number = stated.iter().position(|property| property.name == *name);
        let number = number.ok_or_else(|| unknown_property(loaded, name))?;
        let property = &stated[number];
        asked.push(Asked {
            name: name.clone(),
            subject: Subject::Formula(property.formula.clone()),
            origin: Origin::Property(number, property.span),
        });
    }
    if asked.is_empty() {
        asked.push(errors(check, loaded)?);
    }
    Ok(asked)
}

/// That nothing goes wrong, if there is no property to check.
fn errors(check: &Check, loaded: &Loaded) -> Result<Asked, Failure> {
    let model = &loaded.name;
    if let Some(option) = check.about_formulas.first() {
        return Err(Failure::plain(format_args!(
            "{model} states no property, and {option} is about properties: give a formula with \
             -f or a file with -F"
        )));
    }
    let name = if asks_for_deadlocks(check) { "errors and deadlocks" } else { "errors" };
    let origin = Origin::Typed(format!("<{name}>"), String::new());
    Ok(Asked { name: name.to_owned(), subject: Subject::Errors, origin })
}

/// Whether a deadlock is an error where no property is asked for.
pub(super) fn asks_for_deadlocks(check: &Check) -> bool {
    !check.names_deadlock || check.options.deadlock == Deadlock::Report
}

/// That every run makes progress.
fn progress(loaded: &Loaded) -> Result<Asked, Failure> {
    let formula = loaded.model.bindings.progress().ok_or_else(|| {
        Failure::plain(format_args!(
            "{}: --nonprogress needs labels that begin with `progress`, which only Promela has",
            loaded.name
        ))
    })?;
    let text = formula.to_string();
    let origin = Origin::Typed("<progress>".to_owned(), text);
    Ok(Asked { name: "progress".to_owned(), subject: Subject::Formula(formula), origin })
}

/// A formula that the model does not state: what it is called if it is long, what
/// messages call it, and its text.
fn typed(
    check: &Check,
    loaded: &Loaded,
    long_name: &str,
    title: &str,
    text: &str,
) -> Result<Asked, Failure> {
    let formula = match check.syntax {
        // The language of the model may know more than formulas, such as
        // quantifiers.
        Syntax::Lwaa => loaded
            .model
            .bindings
            .formula(text)
            .map_err(|error| model::failure(Document { name: title, text }, &error))?,
        syntax => {
            let document = Document { name: title, text };
            input::parsed(document, syntax)?.formula
        }
    };
    let name = text.trim();
    let is_name = name.chars().count() <= MAX_NAME && !name.contains(char::is_control);
    let name = if is_name { name } else { long_name }.to_owned();
    let origin = Origin::Typed(title.to_owned(), text.to_owned());
    Ok(Asked { name, subject: Subject::Formula(formula), origin })
}

fn unknown_property(loaded: &Loaded, name: &str) -> Failure {
    let stated = loaded.model.properties.iter().map(|property| &property.name);
    let claimed = loaded.model.bindings.claims().iter().map(|claim| &claim.name);
    let known: Vec<String> = stated.chain(claimed).map(|name| format!("`{name}`")).collect();
    let model = &loaded.name;
    let others = if known.is_empty() {
        ", nor any other".to_owned()
    } else {
        format!("; there are {}", known.join(", "))
    };
    Failure::plain(format_args!("{model} states no property `{name}`{others}"))
}

/// The message about properties that cannot be checked.
pub(super) fn failure(error: &CheckError, asked: &[Asked], loaded: &Loaded) -> Failure {
    match error {
        CheckError::Open(OpenError::Unbound { question, atom, error }) => {
            unbound(&asked[*question], atom, error, loaded)
        }
        CheckError::Open(error) => loaded.failure(error),
        CheckError::Conflict(conflict) => method::failure(*conflict),
        CheckError::Refuted { formula, reason } => Failure::Internal(format!(
            "internal error: the run that was found for {} is refuted: {reason}\n\
             This is a bug of lwaa {}. Please report it together with the model.\n",
            asked[*formula].name,
            env!("CARGO_PKG_VERSION"),
        )),
    }
}

/// Shows the atom in the formula, or alone if it is not found there.
fn unbound(asked: &Asked, atom: &str, error: &SourceError, loaded: &Loaded) -> Failure {
    let moved = |offset| {
        let span = Span { start: error.span.start + offset, end: error.span.end + offset };
        SourceError::new(span, error.message.clone())
    };
    let stated = |document: Document<'_>, span: Span| {
        let found = find_atom(&document.text[span.start..span.end], atom);
        let message = format!("in the atom `{}`: {}", shortened(atom), error.message);
        let elsewhere = || SourceError::new(span, message);
        let error = found.map_or_else(elsewhere, |offset| moved(span.start + offset));
        model::failure(document, &error)
    };
    match &asked.origin {
        Origin::Typed(title, text) => match find_atom(text, atom) {
            Some(offset) => model::failure(Document { name: title, text }, &moved(offset)),
            None => model::failure(Document { name: "<atom>", text: atom }, error),
        },
        Origin::Model(span) => stated(loaded.document(), *span),
        Origin::Property(number, span) => stated(loaded.stating(*number), *span),
    }
}

/// Where `atom` stands in a formula, and not only as a part of a longer word.
fn find_atom(text: &str, atom: &str) -> Option<usize> {
    let is_word = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphanumeric() || character == '_')
    };
    text.match_indices(atom).map(|(start, _)| start).find(|&start| {
        let (before, behind) = (&text[..start], &text[start + atom.len()..]);
        let joins_before = is_word(before.chars().next_back()) && is_word(atom.chars().next());
        let joins_behind = is_word(behind.chars().next()) && is_word(atom.chars().next_back());
        !joins_before && !joins_behind
    })
}

#[cfg(test)]
mod tests {
    use super::find_atom;

    #[test]
    fn atoms_are_whole_words() {
        assert_eq!(find_atom("G (ab -> F b)", "b"), Some(11));
        assert_eq!(find_atom("G (ab -> F a_b)", "b"), None);
        assert_eq!(find_atom("G \"x[1] == 2\"", "x[1] == 2"), Some(3));
        assert_eq!(find_atom("G xx[1]", "x[1]"), None);
    }
}

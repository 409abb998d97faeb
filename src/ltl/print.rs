//! [`Formula`] to text, in one of four dialects.
//!
//! What is printed in a dialect that we can also read ([`Dialect::Lwaa`],
//! [`Dialect::Spot`], [`Dialect::Lbt`]) reads back as the same formula.
//! Parentheses are written only where precedence asks for them, or where two
//! different operators of the same or a debatable precedence meet, as in
//! `a U (b R c)`. An atom that would not be read as one word is quoted, and
//! what is unprintable in it is escaped.
//!
//! **Spin** has no `W`, `M` and exclusive or, which are rewritten: `a W b` to
//! `b V (a || b)`, `a M b` to `b U (a && b)`, and exclusive or to a negated
//! equivalence. Its binary operators are all parenthesized, since Spin's
//! precedences are not ours, except for chains of one `&&` or `||`. An atom
//! must be a lower-case word there: any other one, and any one that starts
//! with `a_`, becomes `a_` followed by its letters and digits, with every
//! other character as its number in hexadecimal between underscores
//! (`a_fork_5b_1_5d_`). No two atoms become the same. `X` is written as such,
//! but only a Spin that was built with `NXT` reads it.
//!
//! A formula is a shared graph, and its text can be exponentially longer than
//! the graph. [`print()`] writes all of it; [`bounded`] gives up at a limit, and
//! so does `Display`, which ends with `…` then: after [`DISPLAY_LIMIT`] bytes,
//! or after as many as the precision says (`{:.80}`).

use super::parse::is_plain_atom;
use super::{Formula, Syntax, Term, TermId, Terms};
use crate::printable::{is_unprintable, write_escape};
use std::fmt::{self, Write};

/// Where the `Display` of a formula is cut off, in bytes.
pub const DISPLAY_LIMIT: usize = 1 << 26;

/// How a formula is to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Our own, read by [`Syntax::Lwaa`].
    #[default]
    Lwaa,
    /// Read by Spot and [`Syntax::Spot`].
    Spot,
    /// Read by Spin, and up to rewriting by [`Syntax::Lwaa`].
    Spin,
    /// Prefix form, read by LBT, Spot and [`Syntax::Lbt`].
    Lbt,
}

/// The spelling of the outermost operator of `term`. An empty one is never used.
fn spelling(term: Term, dialect: Dialect) -> &'static str {
    let [infix, spin, lbt] = match term {
        Term::False | Term::Atom(_) => ["false", "false", "f"],
        Term::True => ["true", "true", "t"],
        Term::Not(_) => ["!", "!", "! "],
        Term::Next(_) => ["X ", "X ", "X "],
        Term::Finally(_) => ["F ", "<> ", "F "],
        Term::Globally(_) => ["G ", "[] ", "G "],
        Term::And(..) => [" & ", " && ", "& "],
        Term::Or(..) => [" | ", " || ", "| "],
        Term::Xor(..) => [" ^ ", "", "^ "],
        Term::Implies(..) => [" -> ", " -> ", "i "],
        Term::Iff(..) => [" <-> ", " <-> ", "e "],
        Term::Until(..) => [" U ", " U ", "U "],
        Term::Release(..) => [" R ", " V ", "V "],
        Term::WeakUntil(..) => [" W ", "", "W "],
        Term::StrongRelease(..) => [" M ", "", "M "],
    };
    match dialect {
        Dialect::Lwaa | Dialect::Spot => infix,
        Dialect::Spin => spin,
        Dialect::Lbt => lbt,
    }
}

/// The whole text of a formula, however long it is.
///
/// ```
/// use lwaa::ltl::{Formula, print::{Dialect, print}};
/// let formula = Formula::parse("G(request -> F grant)")?;
/// assert_eq!(print(&formula, Dialect::Spin), "[] (request -> <> grant)");
/// assert_eq!(print(&formula, Dialect::Lbt), "G i \"request\" F \"grant\"");
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn print(formula: &Formula, dialect: Dialect) -> String {
    let mut text = String::new();
    // A string takes any text, so there is no error to report.
    let _ = write(&mut text, formula, dialect);
    text
}

/// The text of a formula, unless it has more than `limit` bytes.
///
/// ```
/// use lwaa::ltl::{Formula, print::{Dialect, bounded}};
/// let formula = Formula::parse("a U b")?;
/// assert_eq!(bounded(&formula, Dialect::Lwaa, 5).as_deref(), Some("a U b"));
/// assert_eq!(bounded(&formula, Dialect::Lwaa, 4), None);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn bounded(formula: &Formula, dialect: Dialect, limit: usize) -> Option<String> {
    let mut text = String::new();
    let mut out = Limited::new(&mut text, limit);
    write(&mut out, formula, dialect).ok()?;
    Some(text)
}

/// Writes the whole text of a formula to `out`.
///
/// The time is linear in the length of the text, and the memory in the depth
/// of the formula.
///
/// # Errors
///
/// As soon as `out` takes no more.
pub fn write(out: &mut dyn Write, formula: &Formula, dialect: Dialect) -> fmt::Result {
    write_term(out, formula.terms(), formula.root(), dialect)
}

/// Writes the whole text of the subformula `root` to `out`, as [`write()`] does.
///
/// # Errors
///
/// As soon as `out` takes no more.
pub fn write_term(
    out: &mut dyn Write,
    terms: &Terms,
    root: TermId,
    dialect: Dialect,
) -> fmt::Result {
    let mut printer = Printer { terms, dialect, todo: vec![Item::Term(root, Place::Alone)] };
    while let Some(item) = printer.todo.pop() {
        match item {
            Item::Text(text) => out.write_str(text)?,
            Item::Term(id, place) => printer.term(out, terms.term(id), place)?,
        }
    }
    Ok(())
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = f.precision().unwrap_or(DISPLAY_LIMIT);
        let mut out = Limited::new(f, left);
        match write(&mut out, self, Dialect::Lwaa) {
            Err(fmt::Error) if out.cut => f.write_str("…"),
            result => result,
        }
    }
}

/// A writer that takes a limited number of bytes.
pub(crate) struct Limited<'a> {
    out: &'a mut dyn Write,
    left: usize,
    /// Whether the limit was reached.
    cut: bool,
}

impl<'a> Limited<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, limit: usize) -> Self {
        Self { out, left: limit, cut: false }
    }
}

impl Write for Limited<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() <= self.left {
            self.left -= text.len();
            return self.out.write_str(text);
        }
        self.cut = true;
        self.out.write_str(&text[..text.floor_char_boundary(self.left)])?;
        Err(fmt::Error)
    }
}

/// What is still to be written.
enum Item {
    Text(&'static str),
    Term(TermId, Place),
}

/// Where a subformula stands, as far as its parentheses depend on it.
#[derive(Clone, Copy)]
enum Place {
    /// In parentheses, on top, or in prefix form.
    Alone,
    /// Behind a unary operator, or beside a binary operator of Spin.
    Tight,
    /// Before the binary operator of this term.
    Left(Term),
    /// Behind the binary operator of this term.
    Right(Term),
}

struct Printer<'a> {
    terms: &'a Terms,
    dialect: Dialect,
    /// A stack: the last item is written next.
    todo: Vec<Item>,
}

impl Printer<'_> {
    /// Writes the beginning of `term` and leaves the rest in `todo`.
    fn term(&mut self, out: &mut dyn Write, term: Term, place: Place) -> fmt::Result {
        if needs_parentheses(term, place, self.dialect) {
            self.todo.push(Item::Text(")"));
            out.write_str("(")?;
        }
        let operator = spelling(term, self.dialect);
        let mut children = term.children();
        match (term, children.next(), children.next()) {
            (Term::Atom(atom), ..) => {
                write_atom(out, self.terms.atoms().name(atom), self.dialect)?;
            }
            (_, None, _) => out.write_str(operator)?,
            (_, Some(a), None) => self.next([Item::Text(operator), Item::Term(a, Place::Tight)]),
            (_, Some(a), Some(b)) => match self.dialect {
                Dialect::Lwaa | Dialect::Spot => self.next([
                    Item::Term(a, Place::Left(term)),
                    Item::Text(operator),
                    Item::Term(b, Place::Right(term)),
                ]),
                Dialect::Lbt => self.next([
                    Item::Text(operator),
                    Item::Term(a, Place::Alone),
                    Item::Text(" "),
                    Item::Term(b, Place::Alone),
                ]),
                Dialect::Spin => self.spin_binary(term, operator, a, b),
            },
        }
        Ok(())
    }

    /// Plans the text of `term`, whose operands are `a` and `b`, for Spin.
    fn spin_binary(&mut self, term: Term, operator: &'static str, a: TermId, b: TermId) {
        let [a, b, b_again] = [a, b, b].map(|id| Item::Term(id, Place::Tight));
        let text = Item::Text;
        match term {
            Term::Xor(..) => self.next([text("!("), a, text(" <-> "), b, text(")")]),
            Term::WeakUntil(..) => {
                self.next([b, text(" V ("), a, text(" || "), b_again, text(")")]);
            }
            Term::StrongRelease(..) => {
                self.next([b, text(" U ("), a, text(" && "), b_again, text(")")]);
            }
            Term::And(left, _) | Term::Or(left, _) => {
                self.next([Item::Term(left, Place::Left(term)), text(operator), b]);
            }
            _ => self.next([a, text(operator), b]),
        }
    }

    /// Plans to write `items`, from the first to the last, before all else.
    fn next<const N: usize>(&mut self, items: [Item; N]) {
        self.todo.extend(items.into_iter().rev());
    }
}

/// How strongly the operator of `term` binds, as the parser sees it.
fn strength(term: Term) -> u8 {
    match term {
        Term::Implies(..) | Term::Iff(..) => 1,
        Term::Or(..) => 2,
        Term::Xor(..) => 3,
        Term::And(..) => 4,
        Term::Until(..) | Term::Release(..) | Term::WeakUntil(..) | Term::StrongRelease(..) => 5,
        Term::Not(_) | Term::Next(_) | Term::Finally(_) | Term::Globally(_) => 6,
        Term::True | Term::False | Term::Atom(_) => 7,
    }
}

/// Whether `term` is to be put into parentheses in this `place`.
fn needs_parentheses(term: Term, place: Place, dialect: Dialect) -> bool {
    // What we write for an exclusive or in Spin starts with a negation.
    let is_tight =
        5 < strength(term) || (dialect == Dialect::Spin && matches!(term, Term::Xor(..)));
    if dialect == Dialect::Lbt || is_tight {
        return false;
    }
    let (outer, on_the_left) = match place {
        Place::Alone => return false,
        Place::Tight => return true,
        Place::Left(outer) => (outer, true),
        Place::Right(outer) => (outer, false),
    };
    let is_same = std::mem::discriminant(&term) == std::mem::discriminant(&outer);
    if is_same {
        let groups_to_the_left = matches!(term, Term::And(..) | Term::Or(..) | Term::Xor(..));
        return on_the_left != groups_to_the_left;
    }
    // Tools disagree on how strongly an exclusive or binds.
    let debatable = |term| matches!(term, Term::Xor(..));
    dialect == Dialect::Spin
        || strength(term) <= strength(outer)
        || (strength(term) < 5 && debatable(outer))
        || (1 < strength(outer) && debatable(term))
}

/// The atom called `name`, quoted or renamed if need be.
///
/// ```
/// use lwaa::ltl::print::{Dialect, atom_text};
/// assert_eq!(atom_text("p", Dialect::Lwaa), "p");
/// assert_eq!(atom_text("p", Dialect::Lbt), "\"p\"");
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a string takes any text")]
pub fn atom_text(name: &str, dialect: Dialect) -> String {
    let mut text = String::new();
    write_atom(&mut text, name, dialect).expect("a string takes any text");
    text
}

/// Writes the atom called `name`, quoted or renamed if need be.
fn write_atom(out: &mut dyn Write, name: &str, dialect: Dialect) -> fmt::Result {
    let is_plain = match dialect {
        Dialect::Lwaa => is_plain_atom(name, Syntax::Lwaa),
        // Other readers of this dialect have no dots, or more words.
        Dialect::Spot => !name.contains('.') && is_plain_atom(name, Syntax::Spot),
        // LBT itself knows no other atoms.
        Dialect::Lbt => name.strip_prefix('p').is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        }),
        Dialect::Spin => return write_spin_atom(out, name),
    };
    if is_plain {
        return out.write_str(name);
    }
    out.write_str("\"")?;
    // Pieces instead of characters, since a name can be long.
    let is_special = |c: char| matches!(c, '"' | '\\' | '\n' | '\t') || is_unprintable(c);
    for piece in name.split_inclusive(is_special) {
        let last = piece.chars().next_back().filter(|&last| is_special(last));
        out.write_str(&piece[..piece.len() - last.map_or(0, char::len_utf8)])?;
        match last {
            Some(mark @ ('"' | '\\')) => write!(out, "\\{mark}")?,
            Some(character) => write_escape(out, character)?,
            None => (),
        }
    }
    out.write_str("\"")
}

/// Writes the atom called `name` as a lower-case word. See the top of this
/// file.
fn write_spin_atom(out: &mut dyn Write, name: &str) -> fmt::Result {
    /// The words of Spin's formulas that are not words of ours.
    const RESERVED: &[&str] = &[
        "always",
        "equivalent",
        "eventually",
        "next",
        "release",
        "stronguntil",
        "until",
        "weakuntil",
    ];
    let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && is_plain_atom(name, Syntax::Lwaa)
        && !name.starts_with("a_")
        && !RESERVED.contains(&name);
    if is_plain {
        return out.write_str(name);
    }
    out.write_str("a_")?;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.write_char(c)?;
        } else {
            write!(out, "_{:x}_", u32::from(c))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

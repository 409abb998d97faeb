//! Automata as text for people: one line for each location.
//!
//! The lines show the automaton as it is, nothing is multiplied out. A
//! transition formula is a shared graph, so a part that is large and used more
//! than once gets a name and a line of its own: the text is linear in the
//! automaton. The formulas of locations, which have no such limit, are cut off.

use super::infix::{Top, expression};
use super::names::LocationNames;
use super::{Leaf, Location, LocationId, Lwaa, TransitionId};
use crate::dag::Shape;
use crate::hoa::Item;
use crate::id::{Id, IdVec};
use std::convert::Infallible;
use std::fmt::{self, Formatter};

/// The greatest number of leaves of a part that is written more than once.
const MAX_REPEATED: usize = 24;

/// The length in bytes at which the formulas of locations are cut off.
const NAME_LIMIT: usize = 200;

/// The width that the columns of formulas are brought to at most.
const MAX_WIDTH: usize = 40;

impl Lwaa {
    /// The automaton as text: its atoms, its initial configuration, and from
    /// the highest location to the lowest its number, its rank, whether it is
    /// until-like, release-like or left after one step, its formula, and its
    /// transition formula *δ*.
    ///
    /// ```
    /// use lwaa::{Formula, Lwaa};
    /// let automaton = Lwaa::from_formula(&Formula::parse("F G p")?);
    /// assert_eq!(automaton.to_text(), "\
    /// atoms: p
    /// initial: #1
    /// #1  rank 1  until    F G p  δ = p & #0 | #1
    /// #0  rank 0  release  G p    δ = p & #0
    /// ");
    /// # Ok::<(), lwaa::ltl::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        Printer::new(self).text()
    }
}

/// What a printed transition formula is about.
#[derive(Clone)]
enum Symbol {
    Leaf(Leaf),
    /// A part with a line of its own.
    Shared(usize),
}

struct Printer<'a> {
    lwaa: &'a Lwaa,
    names: LocationNames<'a>,
    /// The numbers of the parts that have lines of their own.
    shared: IdVec<TransitionId, Option<usize>>,
    /// The highest location that each formula asks for.
    highest: IdVec<TransitionId, Option<LocationId>>,
}

impl<'a> Printer<'a> {
    fn new(lwaa: &'a Lwaa) -> Self {
        Self { lwaa, names: LocationNames::new(lwaa), shared: shared(lwaa), highest: highest(lwaa) }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let atoms = self.lwaa.atoms().iter().map(|(atom, _)| self.names.atom(atom));
        push_line(&mut out, &format!("atoms: {}", atoms.collect::<Vec<_>>().join(", ")));
        let initial = self.lwaa.initial().iter().map(|id| format!("#{}", id.index()));
        match self.lwaa.initial() {
            [] => push_line(&mut out, "initial: true"),
            _ => push_line(
                &mut out,
                &format!("initial: {}", initial.collect::<Vec<_>>().join(" & ")),
            ),
        }
        self.write_locations(&mut out);
        let parts = self.shared.entries().filter_map(|(id, number)| Some((id, (*number)?)));
        let parts: Vec<(TransitionId, usize)> = parts.collect();
        for (id, number) in parts.into_iter().rev() {
            push_line(&mut out, &format!("${number} = {}", self.formula(id)));
        }
        out
    }

    fn write_locations(&self, out: &mut String) {
        let id_width = self.lwaa.n_locations().saturating_sub(1).to_string().len();
        let rank = self.lwaa.locations().map(|(_, location)| location.rank).max().unwrap_or(0);
        let rank_width = rank.to_string().len();
        let name = |id| self.names.name(id, NAME_LIMIT).unwrap_or_default();
        let names: Vec<String> = self.lwaa.locations().map(|(id, _)| name(id)).collect();
        let widths = names.iter().map(|name| name.chars().count());
        let name_width = widths.filter(|&width| width <= MAX_WIDTH).max().unwrap_or(0);
        for ((id, location), name) in self.lwaa.locations().zip(&names).rev() {
            let line = format!(
                "#{:<id_width$}  rank {:<rank_width$}  {:<7}  {name:<name_width$}  δ = {}",
                id.index(),
                location.rank,
                self.kind(id, location),
                self.transition(location.transition),
            );
            push_line(out, &line);
        }
    }

    fn kind(&self, id: LocationId, location: &Location) -> &'static str {
        if location.until {
            "until"
        } else if self.highest[location.transition] == Some(id) {
            "release"
        } else {
            "once"
        }
    }

    /// A transition formula, by its name if it has one.
    fn transition(&self, id: TransitionId) -> String {
        match self.shared[id] {
            Some(number) => format!("${number}"),
            None => self.formula(id),
        }
    }

    /// A transition formula, its parts by their names if they have any.
    fn formula(&self, root: TransitionId) -> String {
        let transitions = self.lwaa.transitions();
        let expression = expression(root, |id| {
            Ok::<_, Infallible>(match (self.shared[id], transitions.shape(id)) {
                (Some(number), _) if id != root => Top::Leaf(Symbol::Shared(number)),
                (_, Shape::Leaf(leaf)) => Top::Leaf(Symbol::Leaf(leaf)),
                (_, Shape::And(_)) => Top::Join(Item::And, self.operands(id)),
                (_, Shape::Or(_)) => Top::Join(Item::Or, self.operands(id)),
            })
        });
        let Ok(expression) = expression;
        expression.display(|symbol, f| self.write_symbol(symbol, f)).to_string()
    }

    /// The operands of `root`, and in place of each that has the same operator
    /// and no name its own operands.
    fn operands(&self, root: TransitionId) -> Vec<TransitionId> {
        let transitions = self.lwaa.transitions();
        let is_and = |id| matches!(transitions.shape(id), Shape::And(_));
        let mut operands = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let list = transitions.shape(id).operands();
            let is_part = self.shared[id].is_none() && !list.is_empty();
            if id == root || is_part && is_and(id) == is_and(root) {
                open.extend(list.iter().rev());
            } else {
                operands.push(id);
            }
        }
        operands
    }

    fn write_symbol(&self, symbol: &Symbol, f: &mut Formatter<'_>) -> fmt::Result {
        match *symbol {
            Symbol::Shared(number) => write!(f, "${number}"),
            Symbol::Leaf(Leaf::True) => f.write_str("true"),
            Symbol::Leaf(Leaf::False) => f.write_str("false"),
            Symbol::Leaf(Leaf::Literal { atom, positive }) => {
                f.write_str(if positive { "" } else { "!" })?;
                self.names.write_atom(atom, f)
            }
            Symbol::Leaf(Leaf::Location(id)) => write!(f, "#{}", id.index()),
            Symbol::Leaf(Leaf::Loop(id)) => write!(f, "loop({})", id.index()),
        }
    }
}

/// Numbers the parts that get lines of their own: those that would be written
/// more than once and are too large for that.
fn shared(lwaa: &Lwaa) -> IdVec<TransitionId, Option<usize>> {
    let transitions = lwaa.transitions();
    let n_uses = lwaa.n_uses(|location| location.transition);
    let mut n_leaves: IdVec<TransitionId, usize> = IdVec::filled(1, transitions.len());
    let mut shared = IdVec::filled(None, transitions.len());
    let mut numbers = 0..;
    for id in transitions.ids().filter(|&id| 0 < n_uses[id]) {
        let operands = transitions.shape(id).operands();
        let n = operands.iter().map(|&operand| n_leaves[operand]).sum::<usize>().max(1);
        if 1 < n_uses[id] && MAX_REPEATED < n {
            shared[id] = numbers.next();
        } else {
            n_leaves[id] = n;
        }
    }
    shared
}

/// The highest location that each formula asks for, if it asks for one.
fn highest(lwaa: &Lwaa) -> IdVec<TransitionId, Option<LocationId>> {
    let transitions = lwaa.transitions();
    let mut highest = IdVec::new();
    for id in transitions.ids() {
        let found = match transitions.shape(id) {
            Shape::Leaf(Leaf::Location(location)) => Some(location),
            shape => shape.operands().iter().filter_map(|&operand| highest[operand]).max(),
        };
        highest.push(found);
    }
    highest
}

/// Appends a line. Names may contain anything, line breaks too, so control
/// characters are escaped.
fn push_line(out: &mut String, line: &str) {
    for character in line.trim_end().chars() {
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use crate::ltl::{Formula, nnf};
    use crate::lwaa::build::{from_nnf, raw_from_nnf};

    fn text(formula: &str) -> String {
        from_nnf(nnf::from_formula(&Formula::parse(formula).unwrap())).to_text()
    }

    fn raw(formula: &str) -> String {
        raw_from_nnf(nnf::from_formula(&Formula::parse(formula).unwrap())).to_text()
    }

    #[test]
    fn a_response_property() {
        insta::assert_snapshot!(text("G (request -> F grant)"), @"
        atoms: request, grant
        initial: #1
        #1  rank 2  release  G (!request | F grant)  δ = (!request | grant | #0) & #1
        #0  rank 1  until    F grant                 δ = grant | #0
        ");
        insta::assert_snapshot!(raw("G (request -> F grant)"), @"
        atoms: request, grant
        initial: #6
        #6  rank 2  release  G (!request | F grant)  δ = (!request | grant | #4) & #6
        #5  rank 1  once     !request | F grant      δ = !request | grant | #4
        #4  rank 1  until    F grant                 δ = grant | #4
        #3  rank 0  once     grant                   δ = grant
        #2  rank 0  once     !request                δ = !request
        #1  rank 0  once     false                   δ = false
        #0  rank 0  once     true                    δ = true
        ");
    }

    #[test]
    fn a_property_with_nested_loops() {
        insta::assert_snapshot!(text("G X F G p"), @"
        atoms: p
        initial: #2
        #2  rank 2  release  G X F G p  δ = #1 & #2
        #1  rank 1  until    F G p      δ = p & #0 | #1
        #0  rank 0  release  G p        δ = p & #0
        ");
        insta::assert_snapshot!(raw("G X F G p"), @"
        atoms: p
        initial: #6
        #6  rank 2  release  G X F G p  δ = #4 & #6
        #5  rank 1  once     X F G p    δ = #4
        #4  rank 1  until    F G p      δ = p & #3 | #4
        #3  rank 0  release  G p        δ = p & #3
        #2  rank 0  once     p          δ = p
        #1  rank 0  once     false      δ = false
        #0  rank 0  once     true       δ = true
        ");
    }

    #[test]
    fn a_release_with_an_until_and_a_next() {
        insta::assert_snapshot!(text("(a U b) R (c | X d)"), @"
        atoms: a, b, c, d
        initial: #2
        #2  rank 2  release  (a U b) R (c | X d)  δ = (c | #1) & (b | a & #0 | #2)
        #1  rank 0  once     d                    δ = d
        #0  rank 1  until    a U b                δ = b | a & #0
        ");
    }

    #[test]
    fn names_that_are_no_words_stay_on_their_line() {
        insta::assert_snapshot!(text("\"a\nb\" U \"#0\" & b"), @r##"
        atoms: "a\x0ab", "#0", b
        initial: #0 & #1
        #1  rank 0  once     b                δ = b
        #0  rank 1  until    "a\x0ab" U "#0"  δ = "#0" | "a\x0ab" & #0
        "##);
    }

    #[test]
    fn automata_without_locations_have_a_text() {
        insta::assert_snapshot!(text("true"), @"
        atoms:
        initial: true
        ");
    }

    #[test]
    fn large_parts_that_are_shared_get_lines_of_their_own() {
        let list: Vec<String> = (0..30).map(|index| format!("a{index}")).collect();
        let large = list.join(" & ");
        let text = text(&format!("(x U ({large})) & (y U ({large}))"));
        assert!(text.ends_with(&format!("δ = $0 | x & #0\n$0 = {large}\n")), "{text}");
    }

    #[test]
    fn deep_formulas_take_no_longer_than_their_texts() {
        let conjunction: Vec<String> = (0..100_000).map(|index| format!("a{index}")).collect();
        let text = raw(&conjunction.join(" & "));
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 199_999);
        let nested = raw(&format!("{}p{}", "(".repeat(100_000), " U q)".repeat(100_000)));
        assert_eq!(nested.lines().filter(|line| line.starts_with('#')).count(), 100_002);
        let nested = raw(&format!("{}p{}", "a R (X ".repeat(100_000), ")".repeat(100_000)));
        assert_eq!(nested.lines().filter(|line| line.starts_with('#')).count(), 100_004);
    }

    #[test]
    fn the_text_is_linear_in_the_graph() {
        let mut formula = Formula::parse("p U q").unwrap();
        for index in 0..200 {
            let atom = Formula::parse(&format!("a{index}")).unwrap();
            let both = formula.combined(crate::ltl::Term::Until, &atom);
            formula = both.combined(crate::ltl::Term::And, &formula);
        }
        let text = from_nnf(nnf::from_formula(&formula)).to_text();
        assert!(text.len() < 300_000, "{}", text.len());
    }
}

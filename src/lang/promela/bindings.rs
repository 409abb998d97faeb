//! What formulas may say about a model, and the model made for what they need to see.

use super::super::claim::Claim;
use super::super::program::{Program, Proposition};
use super::super::{Bindings, Demand, Model, SourceError};
use super::formula::formula;
use super::lowering::{Lowering, Speaker};
use super::names::{KindId, SlotNames, Slots};
use super::needs::{Need, Needs};
use super::{ahead, opened, opened_for, parse};
use crate::ltl::{Formula, Term};

/// A model with so many processes gets room for several more at once.
const MANY: usize = 8;

/// The need of formulas and readers that count steps.
fn every_statement() -> Needs {
    Needs([Need::EveryStatement].into())
}

/// The slot that was missing, and those that should come with it.
fn room_for(growing: (usize, KindId)) -> Slots {
    let mut slots = vec![growing];
    slots.extend(ahead(&slots).into_iter().filter(|_| MANY <= growing.0));
    slots
}

impl SlotNames {
    /// What formulas need to see beyond what the model shows. If they do not agree, every
    /// statement is a step: then a run that was found for one of them can be taken again
    /// without knowing the others.
    fn missing_for(&self, formulas: &[Formula]) -> Result<Needs, SourceError> {
        let mut all: Option<Needs> = None;
        for formula in formulas {
            let needs = self.needs_of(formula)?;
            all = Some(match all {
                Some(before) if before != needs => before.with(needs).with(every_statement()),
                _ => needs,
            });
        }
        let mut missing = all.unwrap_or_default();
        missing.0.retain(|need| !self.module.needs.contains(need));
        Ok(missing)
    }

    /// What a formula needs to see beyond what the model shows.
    fn needs_of(&self, formula: &Formula) -> Result<Needs, SourceError> {
        let mut needs = Needs::default();
        for (_, name) in formula.atoms().iter() {
            let source = self.parsed.source.behind(name)?;
            needs = needs.with(Needs::of_formula(&source, &self.parsed.processes));
        }
        let steps_count =
            formula.terms().ids().any(|id| matches!(formula.terms().term(id), Term::Next(_)));
        // Where steps count, or who takes them, every statement is one.
        let of_processes = [Need::Last, Need::Progress, Need::Variables];
        if steps_count || of_processes.iter().any(|need| needs.contains(need)) {
            needs.0.insert(Need::EveryStatement);
        }
        needs.0.retain(|need| match need {
            Need::Name(name) if !self.is_left_out(name) => false,
            need => !self.module.needs.contains(need),
        });
        Ok(needs)
    }

    /// What the model is made for, in words for [`Demand::Purpose`].
    pub(super) fn purpose(&self) -> Vec<String> {
        let slots = self.slots.iter();
        let slots =
            slots.map(|&(slot, kind)| format!("{slot} {}", self.kinds[kind].process.name.text));
        self.module.needs.words().chain(slots).collect()
    }

    /// The slots that words speak of.
    fn slots_in(&self, words: &[String]) -> Slots {
        let slot = |text: &String| {
            let (slot, name) = text.split_once(' ')?;
            let mut kinds = self.kinds.entries();
            let (kind, _) = kinds.find(|(_, kind)| kind.process.name.text == name)?;
            Some((slot.parse().ok()?, kind))
        };
        words.iter().filter_map(slot).collect()
    }
}

impl Bindings for SlotNames {
    /// A text with an atom in quotation marks is read as it is in other languages, which
    /// is how formulas are printed: `&` then connects formulas. In Spin's syntax, which
    /// needs no quotation marks, `&` computes with the bits of numbers.
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        if text.contains('"')
            && let Ok(printed) = Formula::parse(text)
        {
            return Ok(printed);
        }
        let source = self.parsed.source.behind(text)?;
        let end = source.tokens.len().saturating_sub(1);
        formula(&source, &self.parsed.processes, &source.tokens[..end])
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        if let Some(atom) = self.claim_atom(program, name) {
            return atom;
        }
        let source = self.parsed.source.behind(name)?;
        let (expressions, atom) = parse::proposition(&source, &self.parsed.processes)?;
        let speaker = Speaker { expressions: &expressions, ..Speaker::global(self) };
        Lowering { program, names: self, speaker }.value(atom).map(Proposition::State)
    }

    fn remade(&self, demand: Demand<'_>) -> Result<Option<Model>, SourceError> {
        let (more, slots) = match demand {
            Demand::Formulas(formulas) => (self.missing_for(formulas)?, Vec::new()),
            Demand::Purpose(words) => (Needs::from_words(words), self.slots_in(words)),
            Demand::Everything => (every_statement(), Vec::new()),
            Demand::Room(failed) => match self.growing.get(&failed) {
                Some(&growing) => (Needs::default(), room_for(growing)),
                None => return Ok(None),
            },
        };
        let needs = self.module.needs.clone().with(more);
        if needs != self.module.needs {
            // Nothing is read again.
            return opened_for(&self.parsed, needs, slots).map(Some);
        }
        if slots.iter().all(|slot| self.slots.contains(slot)) {
            return Ok(None);
        }
        opened(&self.frame, self.slots.iter().copied().chain(slots).collect()).map(Some)
    }

    fn claims(&self) -> &[Claim] {
        &self.claims.list
    }

    fn progress(&self) -> Option<Formula> {
        Formula::parse("G F !np_").ok()
    }
}

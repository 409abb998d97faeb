//! What formulas may say about a net, and how the net is made again with more room.

use super::atom::{self, Atom, Sum};
use super::capacity::Capacities;
use super::knowledge::Knowledge;
use super::lower::{self, variable};
use super::net::{Net, Node};
use super::reductions::{self, Kept, Origin};
use crate::lang::SourceError;
use crate::lang::cursor::{Name, Result};
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, Proposition, TransitionId,
};
use crate::lang::smaller::{Rules, Smaller};
use crate::lang::suggest::suggestion;
use crate::lang::table::shortened;
use crate::lang::{Bindings, Demand, Model};
use crate::ltl::Formula;
use crate::ltl::parse::parse_with_atoms;
use std::sync::{Arc, Mutex, PoisonError};

/// The model of a net in which places have this much room.
pub(super) fn model(net: Arc<Net>, capacities: Capacities) -> Model {
    NetNames { net, origin: None, capacities, knowledge: Arc::default() }.into_model()
}

/// What the names of a net stand for, and how much room its places have.
#[derive(Debug)]
struct NetNames {
    /// The net that is searched.
    net: Arc<Net>,
    /// The net as read, to which names belong, if it is another one.
    origin: Option<Arc<Origin>>,
    capacities: Capacities,
    /// What is known about the net, once a formula has been asked about. It does not depend on how
    /// much room places have.
    knowledge: Arc<Mutex<Option<Knowledge>>>,
}

impl NetNames {
    fn into_model(self) -> Model {
        let program = lower::program(&self.net, &self.capacities);
        Model { program, properties: Vec::new(), bindings: Arc::new(self) }
    }

    /// The net to which names belong.
    fn named(&self) -> &Net {
        self.origin.as_ref().map_or(&self.net, |origin| &origin.net)
    }

    /// The transition that is enabled where one of the net as read is, if it ever is.
    fn left(&self, transition: TransitionId) -> Option<TransitionId> {
        self.origin.as_ref().map_or(Some(transition), |origin| origin.transitions[transition])
    }

    fn missing(&self, name: &Name, wanted: &str, is_wanted: fn(&Node) -> bool) -> SourceError {
        let other = match self.named().nodes.get(&name.text) {
            Some(Node::Place(_)) => Some("a place"),
            Some(Node::Transition(_)) => Some("a transition"),
            None => None,
        };
        if let Some(other) = other {
            return name.error(format!("is {other}, not a {wanted}"));
        }
        let known = self.named().nodes.iter().filter(|(_, node)| is_wanted(node));
        let hint = suggestion(&name.text, known.map(|(known, _)| known.as_str()));
        let shown = shortened(&name.text);
        SourceError::new(name.span, format!("the net has no {wanted} `{shown}`{hint}"))
    }

    fn tokens(&self, program: &mut Program, name: &Name) -> Result<ExpressionId> {
        let is_place = |node: &Node| matches!(node, Node::Place(_));
        let place = self.named().place(&name.text);
        let place = place.ok_or_else(|| self.missing(name, "place", is_place))?;
        let kept = self.origin.as_ref().map_or(Kept::Place(place), |origin| origin.places[place]);
        match kept {
            Kept::Place(place) => Ok(program.expression(Expression::Variable(variable(place)))),
            Kept::Constant(tokens) => Ok(program.constant(tokens)),
            Kept::Nothing => Err(name.error("is asked for by no formula".to_owned())),
        }
    }

    fn sum(&self, program: &mut Program, sum: &Sum) -> Result<ExpressionId> {
        let mut whole = None;
        for (factor, name) in &sum.counts {
            let tokens = self.tokens(program, name)?;
            let factor = program.constant(*factor);
            let product = if program.as_constant(factor) == Some(1) {
                tokens
            } else {
                program.binary(BinaryOperator::Multiply, factor, tokens)
            };
            whole = Some(match whole {
                None => product,
                Some(before) => program.binary(BinaryOperator::Add, before, product),
            });
        }
        let constant = program.constant(sum.constant);
        Ok(match whole {
            None => constant,
            Some(whole) if sum.constant == 0 => whole,
            Some(whole) => program.binary(BinaryOperator::Add, whole, constant),
        })
    }
}

impl Bindings for NetNames {
    fn formula(&self, text: &str) -> Result<Formula> {
        Ok(parse_with_atoms(text, atom::length)?)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition> {
        match atom::parse(name)? {
            Atom::Fireable(names) => {
                let mut transitions = Vec::with_capacity(names.len());
                for name in &names {
                    let is_transition = |node: &Node| matches!(node, Node::Transition(_));
                    let found = self.named().transition(&name.text);
                    let missing = || self.missing(name, "transition", is_transition);
                    transitions.extend(self.left(found.ok_or_else(missing)?));
                }
                transitions.sort_unstable();
                transitions.dedup();
                Ok(Proposition::Enabled(transitions))
            }
            Atom::Compare(left, operator, right) => {
                let (left, right) = (self.sum(program, &left)?, self.sum(program, &right)?);
                Ok(Proposition::State(program.binary(operator, left, right)))
            }
            Atom::Marked(name) => {
                let tokens = self.tokens(program, &name)?;
                let zero = program.constant(0);
                Ok(Proposition::State(program.binary(BinaryOperator::Less, zero, tokens)))
            }
        }
    }

    fn remade(&self, demand: Demand<'_>) -> Result<Option<Model>> {
        let capacities = match demand {
            Demand::Formulas(_) | Demand::Everything | Demand::Purpose([]) => None,
            Demand::Room(transition) => self.capacities.grown(&self.net, transition),
            Demand::Purpose(purpose) => Some(Capacities::of_purpose(&self.net, purpose)),
        };
        Ok(capacities.map(|capacities| {
            let (net, knowledge) = (Arc::clone(&self.net), Arc::clone(&self.knowledge));
            Self { net, origin: self.origin.clone(), capacities, knowledge }.into_model()
        }))
    }

    fn simplified(&self, formula: &Formula) -> Option<Formula> {
        if self.origin.is_some() {
            return None;
        }
        let mut knowledge = self.knowledge.lock().unwrap_or_else(PoisonError::into_inner);
        let knowledge = knowledge.get_or_insert_with(|| Knowledge::new(&self.net));
        Some(knowledge.simplified(&self.net, formula))
    }
    fn can_be_smaller(&self) -> bool {
        self.origin.is_none()
    }

    fn smaller(&self, formula: &Formula, rules: Rules) -> Option<Smaller> {
        if self.origin.is_some() {
            return None;
        }
        let mut knowledge = self.knowledge.lock().unwrap_or_else(PoisonError::into_inner);
        let knowledge = knowledge.get_or_insert_with(|| Knowledge::new(&self.net));
        let smaller = reductions::smaller(&self.net, knowledge, formula, rules)?;
        let (net, origin) = (Arc::new(smaller.net), Arc::new(smaller.origin));
        let names = Self {
            capacities: Capacities::new(&net),
            net,
            origin: Some(Arc::clone(&origin)),
            knowledge: Arc::default(),
        };
        Some(Smaller { model: names.into_model(), lifting: origin, size: smaller.size })
    }
}

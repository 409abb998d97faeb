//! Petri nets in PNML, as the Model Checking Contest publishes them.
//!
//! A place/transition net has places with tokens, and transitions that take tokens from some
//! places and put tokens on others:
//!
//! ```
//! let text = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
//!     <place id="p"><initialMarking><text>2</text></initialMarking></place>
//!     <place id="q"/>
//!     <transition id="t"/>
//!     <arc id="a" source="p" target="t"/>
//!     <arc id="b" source="t" target="q"/>
//! </page></net></pnml>"#;
//! let model = lwaa::lang::pnml::read(text, &[])?;
//! assert_eq!(model.program.transitions.len(), 1);
//! assert!(model.bindings.formula("F (q >= 2 & !fireable(t))").is_ok());
//! # Ok::<(), lwaa::lang::SourceError>(())
//! ```
//!
//! A place is a bounded variable, a transition a guarded action. How many tokens a place can hold
//! is not written in the text, so the program begins with little room (`capacity`), and a
//! transition that would put more tokens on a place than it has room for asks for a larger
//! program ([`Asserted::Capacity`]). This is never an error of the net.
//!
//! The text goes through these stages: an XML tree (`xml`), places, transitions and arcs (`read`,
//! `net`), room for tokens (`capacity`), a program (`lower`). What formulas may say is in `atom`
//! and `bindings`, what is known about a net without a search in `knowledge`, what makes it smaller in `reductions`; the formulas of the contest, which are XML as well, are read by
//! [`contest_formulas`].
//!
//! [`Asserted::Capacity`]: super::program::Asserted::Capacity

mod atom;
mod bindings;
mod capacity;
mod contest;
mod knowledge;
mod lower;
mod net;
mod nupn;
mod read;
mod reductions;
mod xml;

use super::{Definition, Model, Property, SourceError};
use crate::scan::Span;
use std::sync::Arc;

/// Reads a net as a model. It has no constants to be overridden.
///
/// # Errors
///
/// If `text` is no place/transition net, or if there is a definition.
pub fn read(text: &str, definitions: &[Definition]) -> Result<Model, SourceError> {
    if let Some(definition) = definitions.first() {
        let message = format!("a net has no constant `{}`", definition.name);
        return Err(SourceError::new(Span::default(), message));
    }
    let net = read::net(text)?;
    let capacities = capacity::Capacities::new(&net);
    Ok(bindings::model(Arc::new(net), capacities))
}

/// Reads a file of formulas of the Model Checking Contest: properties whose atoms the
/// [`Bindings`](super::Bindings) of the net know.
///
/// # Errors
///
/// If `text` is not such a file, or has formulas that are not linear-time.
pub fn contest_formulas(text: &str) -> Result<Vec<Property>, SourceError> {
    contest::properties(text)
}

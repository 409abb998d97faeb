//! Sections of nested-unit nets: which places never have more than one token.
//!
//! If a net is unit-safe, each unit has at most one token in its own places. This is what the
//! text promises; nothing relies on it but the room that places begin with.

use super::net::Net;
use super::xml::Element;
use crate::lang::cursor::{Result, fail};

/// Reads a section for tools, if it is one about units.
pub(super) fn read(section: Element<'_, '_>, net: &mut Net) -> Result<()> {
    if section.attribute("tool").is_none_or(|(tool, _)| tool != "nupn") {
        return Ok(());
    }
    let mut structures = section.children().filter(|element| element.name() == "structure");
    let Some(structure) = structures.next() else { return Ok(()) };
    if structure.attribute("safe").is_none_or(|(safe, _)| safe != "true") {
        return Ok(());
    }
    for unit in structure.children().filter(|element| element.name() == "unit") {
        for places in unit.children().filter(|element| element.name() == "places") {
            let (names, span) = places.text();
            for name in names.split_ascii_whitespace() {
                let Some(place) = net.place(name) else {
                    return fail(span, format!("there is no place `{name}`"));
                };
                net.claimed_safe.push(place);
            }
        }
    }
    Ok(())
}

//! XML tree to net.
//!
//! What is only about looks is passed over, and so are sections of other tools. Whatever else we
//! do not know changes what the net means, and is refused.

use super::net::{Net, NetTransition, Node, Place};
use super::nupn;
use super::xml::{self, Element};
use crate::id::Id;
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::scan::Span;

/// The greatest number of tokens and the greatest weight.
pub(super) const MOST: i64 = (1 << 32) - 1;

/// Elements that say nothing about what a net does.
const LOOKS: &[&str] = &["name", "graphics", "toolspecific"];

/// An arc whose ends are not looked up yet.
struct Arc<'a> {
    source: (&'a str, Span),
    target: (&'a str, Span),
    weight: i64,
}

#[derive(Default)]
struct Reader<'a> {
    net: Net,
    arcs: Vec<Arc<'a>>,
}

/// Reads a net.
pub(super) fn net(text: &str) -> Result<Net> {
    xml::with_root(text, |root| {
        if root.name() != "pnml" {
            let message = format!("expected <pnml>, found <{}>", root.name());
            return fail(root.span(), message);
        }
        let mut nets = root.children().filter(|element| !LOOKS.contains(&element.name()));
        let Some(element) = nets.next() else { return fail(root.span(), "there is no <net>") };
        if element.name() != "net" {
            return Err(element.unexpected(&["net"]));
        }
        if let Some(second) = nets.next() {
            return fail(second.span(), "there is a second net, and only one can be read");
        }
        check_type(element)?;
        Reader::default().read(element)
    })
}

/// Refuses nets with coloured tokens, and types that we do not know.
fn check_type(net: Element<'_, '_>) -> Result<()> {
    let (kind, span) = net.required("type")?;
    let kind_name = kind.rsplit('/').next().unwrap_or(kind);
    match kind_name {
        "ptnet" | "PTNet" | "P/T net" | "PT-Net" => Ok(()),
        "symmetricnet" | "highlevelnet" | "pt-hlpng" | "hlcore" => fail(
            span,
            "this is a coloured net, and only place/transition nets are read: unfold it first",
        ),
        _ => fail(
            span,
            format!("`{kind}` is not the type of place/transition nets, which ends in ptnet"),
        ),
    }
}

impl<'a> Reader<'a> {
    fn read(mut self, net: Element<'a, '_>) -> Result<Net> {
        // Pages are inside of pages; those that are still to be read.
        let mut pages = vec![net];
        let mut sections = Vec::new();
        while let Some(page) = pages.pop() {
            for element in page.children() {
                match element.name() {
                    "place" => self.place(element)?,
                    "transition" => self.transition(element)?,
                    "arc" => self.arc(element)?,
                    "page" => pages.push(element),
                    "toolspecific" => sections.push(element),
                    "name" | "graphics" => (),
                    "referencePlace" | "referenceTransition" => {
                        return fail(element.span(), "references between pages are not read");
                    }
                    _ => return Err(element.unexpected(&["place", "transition", "arc", "page"])),
                }
            }
        }
        self.connect()?;
        for section in sections {
            nupn::read(section, &mut self.net)?;
        }
        Ok(self.net)
    }

    fn declare(&mut self, element: Element<'a, '_>, node: Node) -> Result<String> {
        let (id, span) = element.required("id")?;
        match self.net.nodes.insert(id.to_owned(), node) {
            None => Ok(id.to_owned()),
            Some(_) => fail(span, format!("there is another node `{id}`")),
        }
    }

    fn place(&mut self, element: Element<'a, '_>) -> Result<()> {
        let name = self.declare(element, Node::Place(Id::new(self.net.places.len())))?;
        let mut initial = 0;
        for part in element.children() {
            match part.name() {
                "initialMarking" => initial = tokens(part)?,
                looks if LOOKS.contains(&looks) => (),
                _ => return Err(part.unexpected(&["initialMarking"])),
            }
        }
        self.net.places.push(Place { name, initial });
        Ok(())
    }

    fn transition(&mut self, element: Element<'a, '_>) -> Result<()> {
        let name = self.declare(element, Node::Transition(Id::new(self.net.transitions.len())))?;
        for part in element.children() {
            if !LOOKS.contains(&part.name()) {
                return Err(part.unexpected(LOOKS));
            }
        }
        let (_, span) = element.required("id")?;
        let (inputs, outputs) = (Vec::new(), Vec::new());
        self.net.transitions.push(NetTransition { name, span, inputs, outputs });
        Ok(())
    }

    fn arc(&mut self, element: Element<'a, '_>) -> Result<()> {
        let mut weight = 1;
        for part in element.children() {
            match part.name() {
                "inscription" => weight = tokens(part)?,
                "type" => check_arc_type(part)?,
                looks if LOOKS.contains(&looks) => (),
                _ => return Err(part.unexpected(&["inscription"])),
            }
        }
        let (source, target) = (element.required("source")?, element.required("target")?);
        self.arcs.push(Arc { source, target, weight });
        Ok(())
    }

    /// Gives the transitions their arcs, several between the same nodes as one.
    fn connect(&mut self) -> Result<()> {
        for Arc { source, target, weight } in std::mem::take(&mut self.arcs) {
            if weight == 0 {
                continue;
            }
            match (self.node(source)?, self.node(target)?) {
                (Node::Place(place), Node::Transition(transition)) => {
                    self.net.transitions[transition].inputs.push((place, weight));
                }
                (Node::Transition(transition), Node::Place(place)) => {
                    self.net.transitions[transition].outputs.push((place, weight));
                }
                _ => return fail(target.1, "an arc leads from a place to a transition or back"),
            }
        }
        for (_, transition) in self.net.transitions.entries_mut() {
            for arcs in [&mut transition.inputs, &mut transition.outputs] {
                arcs.sort_unstable();
                arcs.dedup_by(|arc, before| {
                    let is_same = arc.0 == before.0;
                    before.1 += if is_same { arc.1 } else { 0 };
                    is_same
                });
                if arcs.iter().any(|arc| MOST < arc.1) {
                    return fail(transition.span, too_many());
                }
            }
        }
        Ok(())
    }

    fn node(&self, (name, span): (&str, Span)) -> Result<Node> {
        let missing = || SourceError::new(span, format!("there is no node `{name}`"));
        self.net.nodes.get(name).copied().ok_or_else(missing)
    }
}

/// The number of tokens in `<text>`.
fn tokens(label: Element<'_, '_>) -> Result<i64> {
    let mut number = None;
    for part in label.children() {
        match part.name() {
            "text" if number.is_none() => number = Some((part.number()?, part.text().1)),
            "text" => return fail(part.span(), "there is another number before"),
            looks if LOOKS.contains(&looks) => (),
            _ => return Err(part.unexpected(&["text"])),
        }
    }
    let Some((number, span)) = number else {
        return fail(label.span(), format!("<{}> has no <text>", label.name()));
    };
    if MOST < number { fail(span, too_many()) } else { Ok(number) }
}

fn too_many() -> String {
    format!("at most {MOST} tokens can be counted")
}

/// Refuses arcs that are none of place/transition nets.
fn check_arc_type(part: Element<'_, '_>) -> Result<()> {
    match part.attribute("value") {
        None | Some(("normal", _)) => Ok(()),
        Some((kind, span)) => fail(span, format!("arcs of the type `{kind}` are not read")),
    }
}

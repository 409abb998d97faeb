//! How much memory does hybrid storage save? Table 1 of [GH93], rerun: Dekker's
//! algorithm alone, with the automaton of one property, and with that of the
//! same property under fairness.
//!
//! `cargo bench --bench dekker` prints CSV: for each automaton what classical
//! storage stores (nodes, once for each value of the magic bit) and what hybrid
//! storage does (packets), with bytes for heads of our own size and of the 20
//! bytes of the paper. Letters are read in the source of an edge, as the paper
//! defines its product, or in its target, as its figures seem to have been
//! made; and the search halts at an error, or goes on.
//!
//! [GH93]: lwaa::references::gh93

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use lwaa::baseline::enabled::{AutomatonProduct, EnabledEdges};
use lwaa::baseline::magic_search::MagicSearch;
use lwaa::baseline::nba::Builder;
use lwaa::baseline::translation::{Translation, buchi};
use lwaa::baseline::visited::packets::Packets;
use lwaa::baseline::{Cube, Nba};
use lwaa::check::explore::explore;
use lwaa::check::model::Deadlock;
use lwaa::id::{Id, IdVec};
use lwaa::lang::compile::Compiled;
use lwaa::lang::program::Proposition;
use lwaa::lang::{Model, lwm};
use lwaa::ltl::{Formula, nnf, simplify};
use lwaa::product::MoveRules;
use lwaa::product::moves::Moves;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::store::{Store, StoreKind};
use lwaa::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};
use lwaa::word::{AtomId, Atoms};
use std::path::Path;

/// The size of a state in the paper.
const PRINTED_HEAD: usize = 20;

/// A system in which the letter of an edge is that of its target: what is true
/// there is told as if it were about the transition.
struct InTarget<S> {
    system: S,
    n_atoms: usize,
}

impl<S: TransitionSystem> TransitionSystem for InTarget<S> {
    fn n_words(&self) -> usize {
        self.system.n_words()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.system.initial_states()
    }

    fn n_lanes(&self) -> u32 {
        self.system.n_lanes()
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.system.lane(TransitionId::new(transition.index() >> self.n_atoms))
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let Some(taken) = self.system.next(state, cursor, target)? else { return Ok(None) };
        let mut letter = [0];
        self.system.observe(target, &mut letter)?;
        let seen = usize::try_from(letter[0]).unwrap();
        Ok(Some(TransitionId::new(taken.index() << self.n_atoms | seen)))
    }

    fn observe(&mut self, _: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        letter.fill(0);
        Ok(())
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        letter[0] |= (transition.index() & ((1 << self.n_atoms) - 1)) as u64;
        self.system.takes(TransitionId::new(transition.index() >> self.n_atoms), letter);
    }

    fn observe_atom(&mut self, _: &[u64], _: AtomId) -> Result<bool, Fault> {
        Ok(false)
    }
}

/// The automaton of figure 2 of the paper, for `!G (p -> F q)`.
fn figure_2(formula: &Formula) -> Nba {
    let names: Vec<&str> = formula.atoms().iter().map(|(_, name)| name).collect();
    let mut atoms = Atoms::default();
    let [p, q] = [names[0], names[1]].map(|name| atoms.intern(name));
    let (p, no_q) = (Cube::literal(p, true), Cube::literal(q, false));
    let mut builder = Builder::new(atoms, 1);
    let (wait, bad) = (builder.add_state(), builder.add_state());
    builder.add_initial(wait);
    builder.add_edge(wait, &Cube::truth(), [], wait);
    builder.add_edge(wait, &p.and(&no_q).unwrap(), [], bad);
    builder.add_edge(bad, &no_q, builder.all_sets(), bad);
    builder.finish()
}

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm/dekker.lwm");
    let model = lwm::read(&std::fs::read_to_string(path).unwrap(), &[]).unwrap();
    let monitor = Monitor::default();
    let program = &model.program;
    let limits = Limits::default();
    let found = explore(program, StoreKind::Exact, Deadlock::Stutter, limits, &monitor)
        .expect("a program has room")
        .0;
    let (states, transitions) = (found.states, found.transitions);
    println!("the model alone: {states} states, {transitions} transitions");
    println!(
        "property,automaton,states,edges,letters,halts,error,nodes,classical,classical bytes,\
         of 20+,packets,packet bytes,of 20+"
    );
    for property in ["response", "response_if_both_move"] {
        let known = model.properties.iter().find(|known| known.name == property).unwrap();
        let wanted = known.formula.negated();
        if property == "response" {
            rows(&model, &wanted, property, "figure 2", &figure_2(&known.formula));
        }
        for method in Translation::ALL {
            let mut budget = Budget::new(Limits::default(), &monitor);
            let plain = nnf::from_formula(&wanted);
            let raw = buchi(&plain, method, true, &mut budget).unwrap();
            rows(&model, &wanted, property, &format!("{} --raw", method.name()), &raw);
            let small = simplify::simplify(&plain);
            let automaton = buchi(&small, method, false, &mut budget).unwrap();
            rows(&model, &wanted, property, method.name(), &automaton);
        }
    }
}

/// All readings of one automaton.
fn rows(model: &Model, formula: &Formula, property: &str, name: &str, automaton: &Nba) {
    let (program, bound) = model.bound(formula).unwrap();
    let find = |name: &str| formula.atoms().find(name).unwrap();
    let atoms: Vec<Proposition> =
        automaton.atoms().iter().map(|(_, name)| bound[find(name).index()].clone()).collect();
    let size = (automaton.n_states(), automaton.n_edges());
    for halts in [true, false] {
        let is_action: IdVec<AtomId, bool> =
            atoms.iter().map(|atom| matches!(atom, Proposition::Taken(_))).collect();
        let system = Compiled::new(&program, &atoms);
        let row = row(product(system, automaton, is_action), halts);
        println!("{property},{name},{},{},source,{halts},{row}", size.0, size.1);
        let system = InTarget { system: Compiled::new(&program, &atoms), n_atoms: atoms.len() };
        let is_action: IdVec<AtomId, bool> = atoms.iter().map(|_| true).collect();
        let row = self::row(product(system, automaton, is_action), halts);
        println!("{property},{name},{},{},target,{halts},{row}", size.0, size.1);
    }
}

fn product<S: TransitionSystem>(
    system: S,
    automaton: &Nba,
    is_action: IdVec<AtomId, bool>,
) -> AutomatonProduct<'_, S> {
    let rules = MoveRules { n_read: automaton.atoms().len(), is_action, ..MoveRules::default() };
    Moves::new(system, EnabledEdges::of(automaton), &rules)
}

fn row<S: TransitionSystem>(mut product: AutomatonProduct<'_, S>, halts: bool) -> String {
    let n_words = product.system().n_words();
    let mut store = Store::new(StoreKind::Hybrid, n_words);
    let mut packets = Packets::new(&mut store, product.automaton().automaton().n_states());
    let mut search = MagicSearch::new(n_words);
    if !halts {
        search = search.exhaustive();
    }
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let error = search.run(&mut product, &mut packets, &mut budget).unwrap();
    let (own, printed) = (packets.size(n_words * 8), packets.size(PRINTED_HEAD));
    format!(
        "{error},{},{},{},{},{},{},{}",
        search.counters().first,
        own.states,
        own.state_bytes,
        printed.state_bytes,
        own.packets,
        own.packet_bytes,
        printed.packet_bytes,
    )
}

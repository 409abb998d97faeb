//! How large is the automaton that a translator has printed?
//!
//! Understands HOA, and never claims as Spin and its imitators write
//! them. A claim is only counted, not read: a place with labels is a state, an
//! option is an edge, and so is `skip`.

use crate::hoa;

/// The size of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of states.
    pub states: usize,
    /// Number of edges.
    pub edges: usize,
}

/// The size of the first automaton in `text`, or what is wrong with it.
///
/// ```
/// use lwaa::bench::automaton_size::{Size, size};
/// let claim = "never { /* F p */\nT0_init:\n\tdo\n\t:: atomic { ((p)) -> assert(!((p))) }\n\
///              \t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
/// assert_eq!(size(claim), Ok(Size { states: 2, edges: 3 }));
/// ```
///
/// # Errors
///
/// If it is neither HOA nor a never claim.
pub fn size(text: &str) -> Result<Size, String> {
    if let Some(claim) = text.find("never").map(|at| &text[at..])
        && claim["never".len()..].trim_start().starts_with('{')
    {
        return Ok(claim_size(claim));
    }
    if !text.trim_start().starts_with("HOA:") {
        return Err("it has printed no automaton".to_owned());
    }
    let automaton = hoa::documents(text)
        .next()
        .unwrap_or_else(|| hoa::read(text))
        .map_err(|error| format!("its automaton cannot be read: {error}"))?;
    let states = automaton.states.len();
    let edges = automaton.states.iter().map(|state| state.edges.len()).sum();
    Ok(Size { states, edges })
}

fn claim_size(claim: &str) -> Size {
    let (mut states, mut edges) = (0, 0);
    let mut was_label = false;
    for line in claim.lines().skip(1) {
        let line = line.trim();
        let label = line.split_once(':').map_or("", |(label, _)| label);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_label = !label.is_empty() && label.chars().all(is_word) && !line.starts_with("::");
        if is_label && !was_label {
            states += 1;
        }
        let is_option = line.starts_with("::");
        let is_skip = line.trim_end_matches(';').ends_with("skip");
        edges += usize::from(is_option || is_skip);
        // Several labels may stand at one place.
        was_label = is_label && line.ends_with(':');
        if line.starts_with('}') {
            break;
        }
    }
    Size { states, edges }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, states: usize, edges: usize) {
        assert_eq!(size(text), Ok(Size { states, edges }), "{text}");
    }

    #[test]
    fn hoa_is_read() {
        check(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
             --BODY--\nState: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1\n--END--\n",
            2,
            3,
        );
    }

    #[test]
    fn claims_are_counted() {
        // As `spin -f '[]<>p'` prints it.
        check(
            "never  {    /* []<>p */\nT0_init:\n\tdo\n\t:: ((p)) -> goto accept_S9\n\
             \t:: (1) -> goto T0_init\n\tod;\naccept_S9:\n\tdo\n\t:: (1) -> goto T0_init\n\tod;\n}\n",
            2,
            3,
        );
        check("never {\naccept_init:\nT0_init:\n\tfalse;\n}\n", 1, 0);
    }

    #[test]
    fn other_things_are_no_automata() {
        assert!(size("").is_err());
        assert!(size("error: never say never").is_err());
        assert!(size("HOA: v1\nnonsense").is_err());
    }
}

//! The papers, one item each, so that rustdoc checks every citation.

/// Hammer. *Linear weak alternating automata and the model checking problem.*
/// 2004.
pub mod ham04 {}

/// Hammer, Knapp, Merz. *Truly On-The-Fly LTL Model Checking.* TACAS 2005.
pub mod hkm05 {}

/// Couvreur. *On-the-fly Verification of Linear Temporal Logic.* FM 1999.
pub mod cou99 {}

/// Tauriainen, Heljanko. *Testing LTL formula translation into Büchi
/// automata.* STTT 4(1), 2002.
pub mod th02 {}

/// Aloul, Markov, Sakallah. *FORCE: a fast and easy-to-implement
/// variable-ordering heuristic.* GLSVLSI 2003.
pub mod ams03 {}

/// Babiak et al. *The Hanoi Omega-Automata Format.* CAV 2015.
pub mod hoa15 {}

/// De Giacomo, Vardi. *Linear Temporal Logic and Linear Dynamic Logic on Finite
/// Traces.* IJCAI 2013.
pub mod gv13 {}

/// Eisner, Fisman, Havlicek et al. *Reasoning with Temporal Logic on Truncated Paths.* CAV 2003.
pub mod efh03 {}

/// Beer, Ben-David, Chockler et al. *Explaining Counterexamples Using Causality.* CAV 2009.
pub mod bbc09 {}

/// Etessami. *Stutter-Invariant Languages, ω-Automata, and Temporal Logic.* CAV 1999.
pub mod ete99 {}

/// Valmari. *A stubborn attack on state explosion.* Formal Methods in System Design 1, 1992.
pub mod val92 {}

/// Murata. *Petri Nets: Properties, Analysis and Applications.* Proceedings of
/// the IEEE 77(4), 1989.
pub mod mur89 {}

/// Rozier, Vardi. *LTL Satisfiability Checking.* SPIN 2007.
pub mod rv07 {}

/// Etessami, Holzmann. *Optimizing Büchi Automata.* CONCUR 2000.
pub mod eh00 {}

/// Somenzi, Bloem. *Efficient Büchi Automata from LTL Formulae.* CAV 2000.
pub mod sb00 {}

/// Laarman, van de Pol, Weber. *Parallel Recursive State Compression for
/// Free.* SPIN 2011.
pub mod lpw11 {}

/// Kupferman, Vardi. *Weak Alternating Automata Are Not That Weak.* ACM TOCL
/// 2(3), 2001.
pub mod kv01 {}

/// Schewe. *Büchi Complementation Made Tight.* STACS 2009.
pub mod sch09 {}

/// Godefroid, Holzmann. *On the Verification of Temporal Properties.* PSTV
/// 1993.
pub mod gh93 {}

/// Courcoubetis, Vardi, Wolper, Yannakakis. *Memory-efficient algorithms for
/// the verification of temporal properties.* Formal Methods in System Design
/// 1(2/3), 1992.
pub mod cvwy92 {}

/// Holzmann, Peled, Yannakakis. *On nested depth first search.* SPIN 1996.
pub mod hpy96 {}

/// Holzmann. *An improved protocol reachability analysis technique.*
/// Software, Practice and Experience 18(2), 1988.
pub mod hol88 {}

/// van Wyk. *An LTL Verification System Based on Automata Theory.* 1999.
pub mod wyk99 {}

/// Gerth, Peled, Vardi, Wolper. *Simple On-the-fly Automatic Verification of
/// Linear Temporal Logic.* PSTV 1995.
pub mod gpvw95 {}

/// Biere, Cimatti, Clarke, Zhu. *Symbolic Model Checking without BDDs.* TACAS
/// 1999.
pub mod bccz99 {}

/// Heljanko, Junttila, Latvala. *Incremental and Complete Bounded Model Checking
/// for Full PLTL.* CAV 2005.
pub mod hjl05 {}

/// Bradley. *SAT-Based Model Checking without Unrolling.* VMCAI 2011.
pub mod bra11 {}

/// Claessen, Sörensson. *A Liveness Checking Algorithm that Counts.* FMCAD 2012.
pub mod cs12 {}

/// Eén, Mishchenko, Brayton. *Efficient Implementation of Property Directed
/// Reachability.* FMCAD 2011.
pub mod emb11 {}

/// Gastin, Oddoux. *Fast LTL to Büchi Automata Translation.* CAV 2001.
pub mod go01 {}

/// Reiter. *A Theory of Diagnosis from First Principles.* Artificial Intelligence
/// 32(1), 1987.
pub mod rei87 {}

/// Beer, Ben-David, Eisner, Rodeh. *Efficient Detection of Vacuity in Temporal Model
/// Checking.* Formal Methods in System Design 18, 2001.
pub mod bber01 {}

#![doc = include_str!("ARCHITECTURE.md")]
#![deny(unsafe_code)]

pub mod bdd;
pub mod id;
pub mod ltl;
pub mod testbench;
pub mod word;

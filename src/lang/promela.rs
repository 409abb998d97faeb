//! Promela, the language of Spin.

#![allow(dead_code, reason = "the front end is being built")]

mod condition;
mod lex;
mod preprocess;

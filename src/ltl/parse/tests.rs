//! Tests of the parsers, by comparison with formulas in prefix form.

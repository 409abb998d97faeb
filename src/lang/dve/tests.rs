//! Small models and what becomes of them.

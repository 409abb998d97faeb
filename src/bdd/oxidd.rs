//! stub
/// stub
#[derive(Debug)]
pub struct OxiddDiagrams;

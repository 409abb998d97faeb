//! stub
use super::nnf::Nnf;
/// stub
pub fn simplify(n: &Nnf) -> Nnf {
    n.clone()
}
/// stub
pub fn push_next(n: &Nnf) -> Nnf {
    n.clone()
}

//! The numbers of symbols.

use super::ast::Module;
use super::names::Map;
use super::{SourceError, error};

/// The numbers of symbols. Spin counts every declaration from its end, and those of
/// sets with names by themselves.
pub(super) fn symbols(module: &Module) -> Result<Map<String, i64>, SourceError> {
    let mut numbers = Map::default();
    let mut used: Map<&str, i64> = Map::default();
    for (set, names) in &module.symbols {
        let set = set.as_ref().map_or("", |set| &set.text);
        let used = used.entry(set).or_default();
        for name in names.iter().rev() {
            *used += 1;
            if numbers.insert(name.text.clone(), *used).is_some() {
                return error(name.place, format!("there are two symbols `{}`", name.text));
            }
        }
        if 255 < *used {
            return error(names[0].place, "there are more than 255 symbols");
        }
    }
    Ok(numbers)
}

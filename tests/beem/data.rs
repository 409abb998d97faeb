//! The files of the benchmark set, where they are present.

use std::path::PathBuf;

/// A model with its parameters chosen.
pub(crate) struct Instance {
    pub(crate) model: String,
    pub(crate) name: String,
    pub(crate) states: usize,
    /// Whether the published exploration was complete.
    pub(crate) is_complete: bool,
    /// The published number of transitions, where there is one.
    pub(crate) edges: Option<usize>,
}

impl Instance {
    /// Its source text.
    pub(crate) fn text(&self) -> String {
        let path = folder().unwrap().join(&self.model).join(format!("{}.dve", self.name));
        String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
    }
}

/// The folder of the benchmark set, if it is there.
pub(crate) fn folder() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/beem");
    path.is_dir().then_some(path)
}

/// All instances; none if the benchmark set is not there, which is said.
pub(crate) fn instances() -> Vec<Instance> {
    let Some(folder) = folder() else {
        eprintln!("skipped: there is no BEEM benchmark set beside the project");
        return Vec::new();
    };
    let index = std::fs::read_to_string(folder.join("INDEX-instances.tsv")).unwrap();
    index
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            Instance {
                model: columns[0].to_owned(),
                name: columns[1].to_owned(),
                states: columns[2].parse().unwrap(),
                is_complete: columns[3] == "yes",
                edges: columns[4].parse().ok(),
            }
        })
        .collect()
}

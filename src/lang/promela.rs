//! Promela, the language of Spin.

#![allow(dead_code, reason = "the front end is being built")]

mod ast;
mod condition;
mod expression;
mod lex;
mod parse;
mod preprocess;
mod statement;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// What others wrote is read without complaint.
    #[test]
    fn public_models_are_read() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
        let mut n_read = 0;
        let mut failures = Vec::new();
        for folder in ["promela", "beem"] {
            let mut open = vec![data.join(folder)];
            while let Some(path) = open.pop() {
                if path.is_dir() {
                    open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                    continue;
                }
                let extension = path.extension().and_then(|extension| extension.to_str());
                if !matches!(extension, Some("pml" | "pm")) {
                    continue;
                }
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let folder = path.parent().unwrap().to_owned();
                let mut include = |name: &str| {
                    std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())
                };
                let result = super::preprocess::preprocess(&text, &[], &mut include)
                    .and_then(|source| super::parse::module(&source).map(|_| ()));
                n_read += 1;
                if let Err(error) = result {
                    let line = text[..error.span.start.min(text.len())].lines().count();
                    failures.push(format!("{}:{line}: {error}", path.display()));
                }
            }
        }
        assert!(failures.is_empty(), "{n_read} read\n{}", failures.join("\n"));
    }
}

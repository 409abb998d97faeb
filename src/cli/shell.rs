//! The command line that was typed, as it can be typed again.

/// The whole command, its words quoted for a shell where they need it.
pub(super) fn command() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    std::iter::once("lwaa".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain =
        |character: char| character.is_alphanumeric() || "-_./=:,+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        assert_eq!(quoted("models/a.lwm"), "models/a.lwm");
        assert_eq!(quoted("G !p"), "'G !p'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}

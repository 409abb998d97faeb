//! What the conditions of never claims are called for people: their text, made of what was parsed.

use super::ast::{About, Expression, ExpressionId, Expressions, Part, Question};

/// Longer texts are cut.
const MAX_TEXT: usize = 200;

/// A piece of a text that is being written.
enum Piece {
    Text(String),
    /// An expression; in parentheses where it is an operand.
    Expression(ExpressionId, bool),
}

/// The text of an expression.
pub(super) fn text(expressions: &Expressions, id: ExpressionId) -> String {
    let mut text = String::new();
    let mut open = vec![Piece::Expression(id, false)];
    while let Some(piece) = open.pop() {
        if MAX_TEXT < text.len() {
            text.push('…');
            break;
        }
        match piece {
            Piece::Text(words) => text.push_str(&words),
            Piece::Expression(id, is_operand) => {
                let expression = &expressions[id].0;
                let is_compound = matches!(expression, Expression::Binary(..)) && is_operand;
                let mut pieces = pieces(expression);
                if is_compound {
                    pieces.insert(0, word("("));
                    pieces.push(word(")"));
                }
                open.extend(pieces.into_iter().rev());
            }
        }
    }
    text
}

fn word(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn operand(id: ExpressionId) -> Piece {
    Piece::Expression(id, true)
}

/// Something that is asked like a function.
fn call(name: &str, of: impl IntoIterator<Item = ExpressionId>, close: &str) -> Vec<Piece> {
    let mut pieces = vec![word(name)];
    for (number, id) in of.into_iter().enumerate() {
        pieces.extend((0 < number).then(|| word(", ")));
        pieces.push(Piece::Expression(id, false));
    }
    pieces.push(word(close));
    pieces
}

fn parts(list: &[Part]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (number, Part { name, index }) in list.iter().enumerate() {
        pieces.extend((0 < number).then(|| word(".")));
        pieces.push(word(&name.text));
        if let Some(index) = index {
            pieces.extend([word("["), Piece::Expression(*index, false), word("]")]);
        }
    }
    pieces
}

fn pieces(expression: &Expression) -> Vec<Piece> {
    match expression {
        Expression::Number(number) => vec![word(&number.to_string())],
        Expression::Reference(list) => parts(list),
        Expression::RemoteLabel { process, label } => {
            let mut pieces = parts(std::slice::from_ref(process));
            pieces.extend([word("@"), word(&label.text)]);
            pieces
        }
        Expression::RemoteVariable { process, variable } => {
            let mut pieces = parts(std::slice::from_ref(process));
            pieces.push(word(":"));
            pieces.extend(parts(variable));
            pieces
        }
        Expression::Unary(sign, of) => vec![word(sign), operand(*of)],
        Expression::Binary(sign, left, right) => {
            vec![operand(*left), word(&format!(" {sign} ")), operand(*right)]
        }
        Expression::Conditional(condition, yes, no) => {
            let parts = [word("("), operand(*condition), word(" -> "), operand(*yes)];
            parts.into_iter().chain([word(" : "), operand(*no), word(")")]).collect()
        }
        Expression::Run { process, arguments, .. } => {
            call(&format!("run {}(", process.text), arguments.iter().copied(), ")")
        }
        Expression::Channel(question, of) => {
            let name = match question {
                Question::Len => "len(",
                Question::Empty => "empty(",
                Question::NotEmpty => "nempty(",
                Question::Full => "full(",
                Question::NotFull => "nfull(",
            };
            call(name, [*of], ")")
        }
        Expression::Process(about, of) => {
            let name = match about {
                About::Enabled => "enabled(",
                About::ProgramCounter => "pc_value(",
                About::Priority => "get_priority(",
            };
            call(name, [*of], ")")
        }
        Expression::Eval(of) => call("eval(", [*of], ")"),
        Expression::Poll { channel, anywhere, arguments } => {
            let sign = if *anywhere { "??[" } else { "?[" };
            let mut pieces = vec![operand(*channel)];
            pieces.extend(call(sign, arguments.iter().copied(), "]"));
            pieces
        }
        Expression::Timeout => vec![word("timeout")],
        Expression::LastIndex(of) => vec![word("the last index of "), operand(*of)],
        Expression::NoProgress => vec![word("np_")],
        Expression::Last => vec![word("_last")],
    }
}

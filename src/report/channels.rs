//! What channels hold, as text and as JSON.
//!
//! A message is written as a call if its first field has a name, `ping(1, true)`, else
//! as its value, or as a list in parentheses if there are several.

use crate::lang::program::Values;
use crate::lang::source::Channel;
use serde_json::{Value, json};

/// How many messages a channel holds.
fn n_messages(channel: &Channel, values: &Values) -> usize {
    let (variable, element) = channel.len;
    usize::try_from(values.value(variable, element)).unwrap_or(0)
}

/// A channel and all its messages: `q = [ping(1), pong(0)]`.
pub(super) fn entry(channel: &Channel, values: &Values) -> String {
    let messages = (0..n_messages(channel, values)).map(|position| {
        let fields: Vec<String> = channel
            .message(position)
            .map(|(field, element)| field.value_name(values.value(field.variable, element)))
            .collect();
        match &*fields {
            [only] => only.clone(),
            [first, others @ ..] if !channel.fields[0].value_names.is_empty() => {
                format!("{first}({})", others.join(", "))
            }
            fields => format!("({})", fields.join(", ")),
        }
    });
    format!("{} = [{}]", channel.name, messages.collect::<Vec<_>>().join(", "))
}

/// Whether a channel exists.
pub(super) fn exists(channel: &Channel, values: &Values) -> bool {
    channel.presence.is_none_or(|presence| presence.holds(values))
}

/// Whether a channel holds something else after a step than before it.
pub(super) fn differs(channel: &Channel, before: &Values, after: &Values) -> bool {
    let n_messages = n_messages(channel, after);
    let is_same = |position: usize| {
        channel.message(position).all(|(field, element)| {
            before.value(field.variable, element) == after.value(field.variable, element)
        })
    };
    n_messages != self::n_messages(channel, before) || !(0..n_messages).all(is_same)
}

/// The messages of a channel, each a list of its fields.
pub(super) fn messages(channel: &Channel, values: &Values) -> Value {
    let messages = (0..n_messages(channel, values)).map(|position| {
        let fields = channel.message(position).map(|(field, element)| {
            let value = values.value(field.variable, element);
            let name = field.value_name(value);
            match &*name {
                "true" => json!(true),
                "false" => json!(false),
                _ if name == value.to_string() => json!(value),
                _ => json!(name),
            }
        });
        fields.collect::<Value>()
    });
    messages.collect()
}

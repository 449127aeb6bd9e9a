//! One declaration for each key of a scene: its name, field, type, unit, range, default and
//! meaning.
//!
//! [`table!`] generates the struct of the [`super::super::Scene`], the table that the reader,
//! `--set`, schema, reference and `check --show` walk, and the decoder from a checked [`Record`] to
//! the struct. A field is decoded by its type ([`Field`]), or by the function in brackets: `field
//! as "key": Type [function] = kind, default, "meaning";`. After `@` stands the field for the
//! table's place in the text; after `with`, fields without a key.

pub(super) use super::names::{Names, body_of, find_body};
pub(super) use crate::diagnostics::quoted;
pub(super) use crate::keys::{Absent, KeyPart, PartContent, TableKeys, Tag};
pub(super) use crate::place::{Choice, Moment, Place, Places};
pub(super) use crate::record::{Piece, Record};
use std::collections::BTreeMap;
pub(super) use stiction_core::math::Vector;
pub(super) use stiction_core::registry::Fallback::{self, Flag, Number, Optional, Required, Text};
pub(super) use stiction_core::registry::Range::{self, Any, Between, NonNegative, Positive};
pub(super) use stiction_core::registry::{Key, Kind};
pub(super) use stiction_core::world::Selection;

/// Declares a table of the scene; `known` declares one whose struct is defined in another room.
macro_rules! table {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@take $record:ident $names:ident $key:expr, $type:ty) => {
        <$type as Field>::take($record, $key, $names)
    };
    (@take $record:ident $names:ident $key:expr, $type:ty, $by:path) => {
        $by($record, $key, $names)
    };
    ($(#[$meta:meta])* pub struct $struct:ident: $table:ident $(@ $place:ident)? { $($body:tt)* }) => {
        table!(@struct [$(#[$meta])*] [$($place)?] $struct { $($body)* });
        table!(known $struct: $table $(@ $place)? { $($body)* });
    };
    (@struct [$(#[$meta:meta])*] [$($place:ident)?] $struct:ident {
        $(with { $($(#[$with_meta:meta])* $with:ident: $with_type:ty = $with_by:path;)* })?
        $(tag $tag:ident = $rows:expr, $tag_default:expr, $tag_about:literal;)?
        $(keys { $(
            $key:ident $(as $key_name:literal)?: $type:ty $([$by:path])?
                = $kind:expr, $default:expr, $about:literal
                $(, also $also:literal = $also_kind:expr, $also_default:expr, $also_about:literal)*;
        )* })?
        $(parts { $(
            $part:ident $(as $part_name:literal)?: $part_type:ty $([$part_by:path])?
                = $content:expr, $absent:expr, $part_about:literal;
        )* })?
    }) => {
        $(#[$meta])*
        // the meaning of a key is written for authors of scenes: `[time]` in it is no link
        #[allow(rustdoc::broken_intra_doc_links)]
        pub struct $struct {
            $(#[doc = "Where the table starts."] pub $place: Place,)?
            $($($(#[$with_meta])* pub $with: $with_type,)*)?
            $(#[doc = $tag_about] pub $tag: Choice,)?
            $($(#[doc = $about] pub $key: $type,)*)?
            $($(#[doc = $part_about] pub $part: $part_type,)*)?
        }
    };
    (known $struct:ident: $table:ident $(@ $place:ident)? {
        $(with { $($(#[$with_meta:meta])* $with:ident: $with_type:ty = $with_by:path;)* })?
        $(tag $tag:ident = $rows:expr, $tag_default:expr, $tag_about:literal;)?
        $(keys { $(
            $key:ident $(as $key_name:literal)?: $type:ty $([$by:path])?
                = $kind:expr, $default:expr, $about:literal
                $(, also $also:literal = $also_kind:expr, $also_default:expr, $also_about:literal)*;
        )* })?
        $(parts { $(
            $part:ident $(as $part_name:literal)?: $part_type:ty $([$part_by:path])?
                = $content:expr, $absent:expr, $part_about:literal;
        )* })?
    }) => {
        #[doc = concat!("The keys of [`", stringify!($struct), "`].")]
        pub static $table: TableKeys = TableKeys {
            keys: &[$($(
                Key {
                    name: table!(@name $key $($key_name)?),
                    kind: $kind,
                    default: $default,
                    about: $about,
                },
                $(Key {
                    name: $also, kind: $also_kind, default: $also_default, about: $also_about,
                },)*
            )*)?],
            parts: &[$($(KeyPart {
                name: table!(@name $part $($part_name)?),
                about: $part_about,
                absent: $absent,
                content: $content,
            },)*)?],
            tag: only(&[$(Tag {
                key: stringify!($tag), rows: $rows, default: $tag_default, about: $tag_about,
            })?]),
            later: &[],
        };

        impl Decode for $struct {
            #[allow(unused_variables)]
            fn decode(record: &Record, names: &mut Names) -> Self {
                $struct {
                    $($place: record.place,)?
                    $($($with: $with_by(record, names),)*)?
                    $($tag: record.choice.clone().unwrap_or_default() as Choice,)?
                    $($($key: table!(
                        @take record names table!(@name $key $($key_name)?), $type $(, $by)?
                    ),)*)?
                    $($($part: table!(
                        @take record names table!(@name $part $($part_name)?), $part_type $(, $part_by)?
                    ),)*)?
                }
            }
        }
    };
}
pub(super) use table;

/// The only tag of a table, if it has one.
pub(super) const fn only(tags: &[Tag]) -> Option<Tag> {
    match tags {
        [tag, ..] => Some(*tag),
        [] => None,
    }
}

/// A number with a unit, `""` for a ratio.
pub(super) const fn number(unit: &'static str, range: Range) -> Kind {
    Kind::Number { unit, range }
}

/// Three numbers.
pub(super) const fn vector(unit: &'static str) -> Kind {
    Kind::Vector { unit, nonzero: false }
}

/// Three numbers, not all zero.
pub(super) const DIRECTION: Kind = Kind::Vector { unit: "", nonzero: true };

/// The zero vector.
pub(super) const ZERO: Fallback = Fallback::Vector([0.0, 0.0, 0.0]);

/// A value decoded from a table of the scene.
pub trait Decode: Sized {
    /// Decodes checked values; conditions between several tables are checked by the caller.
    fn decode(record: &Record, names: &mut Names) -> Self;
}

/// A field decoded from a record by its type; zero or empty if its key is absent or was refused.
pub trait Field: Sized {
    /// The value of a key.
    fn take(record: &Record, key: &'static str, names: &mut Names) -> Self;
}

macro_rules! fields {
    ($($type:ty => |$record:ident, $key:ident| $take:expr;)*) => {$(
        impl Field for $type {
            fn take($record: &Record, $key: &'static str, _: &mut Names) -> Self {
                $take
            }
        }
    )*};
}

fields! {
    f64 => |record, key| record.number(key);
    bool => |record, key| record.flag(key);
    i64 => |record, key| record.integer(key);
    Vector => |record, key| record.vector(key);
    String => |record, key| record.text(key).unwrap_or_default().to_string();
    Vec<String> => |record, key| record.values.texts(key).to_vec();
    BTreeMap<String, f64> => |record, key| record.values.constants(key);
    &'static str => |record, key| record.name(key).unwrap_or_default();
    Choice => |record, key| record.variant(key);
    Selection => |record, key| match record.parts.get(key) {
        Some(Piece::Selection(selection)) => (**selection).clone(),
        _ => Selection::All,
    };
    Moment => |record, key| match record.parts.get(key) {
        Some(Piece::Moment(moment)) => *moment,
        _ => Moment::End,
    };
}

impl<T: Field> Field for Option<T> {
    fn take(record: &Record, key: &'static str, names: &mut Names) -> Self {
        let there = record.values.has(key) || record.parts.contains_key(key);
        there.then(|| T::take(record, key, names))
    }
}

impl<T: Decode> Field for T {
    fn take(record: &Record, key: &'static str, names: &mut Names) -> Self {
        match record.table(key) {
            Some(table) => T::decode(table, names),
            None => T::decode(&Record::empty(record.keys, record.place), names),
        }
    }
}

/// The row chosen inside a part, such as the law of `normal = { law = ... }`.
pub(super) fn chosen(record: &Record, key: &str, _: &mut Names) -> Choice {
    record.table(key).and_then(|table| table.choice.clone()).unwrap_or_default()
}

/// NAME of `[section.NAME]`.
pub(super) fn own_name(record: &Record, _: &mut Names) -> String {
    record.name.clone()
}

/// Places of a table's keys in the text.
pub(super) fn own_places(record: &Record, _: &mut Names) -> Places {
    record.places.clone()
}

//! Tables of named rows, to which a program may add its own.

use std::iter::Chain;
use std::sync::{PoisonError, RwLock};

/// A row of a table.
pub trait Named {
    /// The name written in scene files and on the command line.
    fn name(&self) -> &'static str;
}

/// A table of named things: the rows of this crate, in their order, and after them the rows that a
/// program registered, in the order of registration.
pub struct Table<R: 'static> {
    what: &'static str,
    built_in: &'static [R],
    registered: RwLock<Vec<&'static R>>,
}

/// The rows of a table, one after the other.
pub type Rows<R> = Chain<std::slice::Iter<'static, R>, std::vec::IntoIter<&'static R>>;

/// Why a row was not registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// The table has a row of this name.
    #[error("there is a {what} `{name}` already")]
    Taken {
        /// Kind of the rows, for example `friction law`.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
    /// The name cannot stand in a scene or on the command line.
    #[error("`{name}` cannot name a {what}: use small letters, digits and hyphens, a letter first")]
    Name {
        /// Kind of the rows.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
}

impl<R: Named> Table<R> {
    /// The table of `built_in` rows; `what` is what a row is, for messages.
    pub const fn new(what: &'static str, built_in: &'static [R]) -> Self {
        Table { what, built_in, registered: RwLock::new(Vec::new()) }
    }

    /// All rows.
    pub fn iter(&self) -> Rows<R> {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner).clone();
        self.built_in.iter().chain(registered)
    }

    /// The rows of this crate, without those that a program registered.
    pub fn built_in(&self) -> &'static [R] {
        self.built_in
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<&'static R> {
        self.iter().find(|row| row.name() == name)
    }

    /// The names of all rows.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(R::name).collect()
    }

    /// Adds a row for the rest of the program: from now on scenes and commands know its name.
    ///
    /// # Errors
    /// The name is taken, or no scene could write it.
    pub fn register(&self, row: R) -> Result<&'static R, RegistrationError> {
        let (what, name) = (self.what, row.name());
        let letter = |c: char| c.is_ascii_lowercase();
        let sign = |c: char| letter(c) || c.is_ascii_digit() || c == '-';
        if !name.starts_with(letter) || !name.chars().all(sign) {
            return Err(RegistrationError::Name { what, name });
        }
        // one lock for check and insertion, so that of two equal names at once one is refused
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.built_in.iter().chain(registered.iter().copied());
        if all.any(|row| row.name() == name) {
            return Err(RegistrationError::Taken { what, name });
        }
        let row: &'static R = Box::leak(Box::new(row));
        registered.push(row);
        Ok(row)
    }
}

impl<R: Named> IntoIterator for &Table<R> {
    type Item = &'static R;
    type IntoIter = Rows<R>;

    fn into_iter(self) -> Rows<R> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Entry;

    static COLOURS: Table<Entry<u8>> = Table::new(
        "colour",
        &[Entry::new("red", "", |_| Ok(Box::new(1))), Entry::new("green", "", |_| Ok(Box::new(2)))],
    );

    #[test]
    fn registered_rows_follow_those_of_the_crate_and_no_name_is_given_twice() {
        let blue = || Entry::new("light-blue", "", |_| Ok(Box::new(3)));
        assert!(COLOURS.find("light-blue").is_none());
        assert_eq!(COLOURS.register(blue()).map(|row| row.name), Ok("light-blue"));
        assert_eq!(COLOURS.names(), ["red", "green", "light-blue"]);
        assert_eq!((COLOURS.len(), (&COLOURS).into_iter().count()), (3, 3));
        let found = COLOURS.find("light-blue").map(Entry::from_defaults);
        assert_eq!(found, Some(Ok(Box::new(3))));
        for name in ["light-blue", "red"] {
            let again = COLOURS.register(Entry { name, ..blue() }).map(|row| row.name);
            assert_eq!(again, Err(RegistrationError::Taken { what: "colour", name }));
        }
        for name in ["", "Blue", "a b", "a:b", "2-blue", "a=b", "a,b"] {
            let refused = COLOURS.register(Entry { name, ..blue() }).map(|row| row.name);
            assert_eq!(refused, Err(RegistrationError::Name { what: "colour", name }));
        }
        assert_eq!(COLOURS.len(), 3);
    }
}

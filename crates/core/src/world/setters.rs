//! Macro that declares each field together with its setter.

/// Declares a struct with a constructor `new` for its required fields. Every other field has a default
/// and a setter of its name; fields in `keeps` have methods of their own.
macro_rules! described {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(#[$new_doc:meta])*
            new($($given:ident: $given_type:ty),*)
            $(keeps { $($kept:ident: $kept_type:ty = $kept_default:expr;)* })?;
            $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr;)*
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $(pub(super) $given: $given_type,)*
            $($(pub(super) $kept: $kept_type,)*)?
            $(pub(super) $field: $type,)*
        }

        impl $name {
            $(#[$new_doc])*
            pub fn new($($given: impl Into<$given_type>),*) -> Self {
                $name {
                    $($given: $given.into(),)*
                    $($($kept: $kept_default,)*)?
                    $($field: $default,)*
                }
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}
pub(super) use described;

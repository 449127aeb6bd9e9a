//! A field and the method that sets it are declared together.

/// Declares a struct made by `new` from what it cannot do without. Every other field has a default,
/// and a method of its name that sets it; what it `keeps` has methods of another form.
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

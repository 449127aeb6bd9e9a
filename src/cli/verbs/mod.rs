//! One file per verb: its options and its action.

pub(super) mod check;
pub(super) mod compare;
pub(super) mod creep;
pub(super) mod exam;
pub mod explain;
pub(super) mod export;
pub(super) mod import;
pub(super) mod inspect;
pub(super) mod judge;
pub(super) mod list;
pub(super) mod new;
pub(super) mod render;
pub(super) mod run;
pub(super) mod stiffness;
pub(super) mod sweep;
pub(super) mod tune;
pub(super) mod validate;
pub(super) mod watch;

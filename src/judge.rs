//! Facts plus output become a judgement.

pub mod compare;

//! To come.

listed![];

//! How agents and teams decide: state machines, fuzzy control, strategies.
//!
//! A mind is data: tables that are checked when they are made and then run over columns. Nothing
//! here knows a world; what is perceived comes in as columns, and what is decided goes out as such.

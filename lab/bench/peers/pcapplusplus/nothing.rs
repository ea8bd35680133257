//! Nothing: what counts is what building the dependency leaves behind.

//! Path networks: nodes and edges that agents may leave.

//! Sectors and the portals between them: hierarchical search.

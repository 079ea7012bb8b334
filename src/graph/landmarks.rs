//! Landmarks: lower bounds on distances from a few exact ones.

//! Minds in scenario files: what they turn into, and what is refused, with its place.

mod fuzzy;
mod machines;
mod refused;

/// The file up to its first machine, which begins in line 8: two groups, of which the first thinks.
const TOP: &str = "ticks = 9\n\
                   signals = [\"alarm\", \"all-clear\"]\n\
                   map = { size = [40, 20], walls = [{ rect = [20, 0, 30, 10] }] }\n\
                   group = [\n  { name = \"red\", machine = \"m\", spawn = { point = [5, 5] } },\n  \
                   { name = \"blue\", spawn = { point = [9, 9] } },\n]\n";

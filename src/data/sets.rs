//! Sets without a member in common, which are joined until no two have to be.
//!
//! **Method.** Every member names one before it that is in its set, or itself: the root, which is the
//! first of its set. Paths are halved as they are walked (van Leeuwen and van der Weide 1977).

/// The root of a member's set.
pub(crate) fn root(parents: &mut [u32], mut member: u32) -> u32 {
    while parents[member as usize] != member {
        let up = parents[parents[member as usize] as usize];
        parents[member as usize] = up;
        member = up;
    }
    member
}

/// Joins the sets of two members; whether they were two.
pub(crate) fn join(parents: &mut [u32], a: u32, b: u32) -> bool {
    let [a, b] = [a, b].map(|member| root(parents, member));
    parents[a.max(b) as usize] = a.min(b);
    a != b
}

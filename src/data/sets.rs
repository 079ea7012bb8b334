//! Sets without a member in common: joined one by one, or found by walking through each.
//!
//! **Method.** Every member names one before it that is in its set, or itself: the root, which is the
//! first of its set. Paths are halved as they are walked (van Leeuwen and van der Weide 1977).

use crate::math::each::Each;

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
    let [a, b] = [a, b].each(|member| root(parents, member));
    parents[a.max(b) as usize] = a.min(b);
    a != b
}

/// The piece of each of `count` nodes, as far as `takes` takes them: two are in one piece when a way
/// leads from one to the other. Pieces are numbered in the order of their first nodes; nodes that are
/// not taken have [`u32::MAX`]. Also how many there are. `each` calls what it is given with the nodes
/// beside one.
pub(crate) fn pieces(
    count: usize,
    takes: impl Fn(usize) -> bool,
    each: impl Fn(usize, &mut dyn FnMut(usize)),
) -> (Vec<u32>, u32) {
    let mut pieces = vec![u32::MAX; count];
    let (mut number, mut stack) = (0, Vec::new());
    for start in 0..count {
        if pieces[start] != u32::MAX || !takes(start) {
            continue;
        }
        pieces[start] = number;
        stack.push(start as u32);
        while let Some(at) = stack.pop() {
            each(at as usize, &mut |other| {
                if pieces[other] == u32::MAX && takes(other) {
                    pieces[other] = number;
                    stack.push(other as u32);
                }
            });
        }
        number += 1;
    }
    (pieces, number)
}

/// Items in order, each once.
pub(crate) fn distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items.dedup();
    items
}

//! The order of expansion, and ties: as in a binary heap of (sum, estimate, node).

use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng::graph::{Csr, Found, NONE, Search};

/// Nodes in the order in which a textbook search expands them, and the parents.
fn textbook(
    graph: &Csr,
    nodes: u32,
    starts: &[(u32, u32)],
    goals: &[u32],
    estimates: &[u32],
) -> (Vec<u32>, Vec<u32>, Option<Found>) {
    let (mut order, mut heap) = (Vec::new(), BinaryHeap::new());
    let (mut costs, mut parents) = (vec![None; nodes as usize], vec![NONE; nodes as usize]);
    let mut lower =
        |heap: &mut BinaryHeap<_>, costs: &mut Vec<Option<u32>>, node: u32, cost, from| {
            if costs[node as usize].is_none_or(|old| cost < old) {
                costs[node as usize] = Some(cost);
                parents[node as usize] = from;
                let left = estimates[node as usize];
                heap.push(Reverse((cost + left, left, node)));
            }
        };
    for &(node, cost) in starts {
        lower(&mut heap, &mut costs, node, cost, NONE);
    }
    let mut found = None;
    while let Some(Reverse((sum, left, node))) = heap.pop() {
        let cost = sum - left;
        if costs[node as usize] != Some(cost) {
            continue;
        }
        order.push(node);
        if goals.contains(&node) {
            found = Some(Found { node, cost });
            break;
        }
        for &(to, step) in graph.edges(node) {
            lower(&mut heap, &mut costs, to, cost + step, node);
        }
    }
    (order, parents, found)
}

#[derive(Clone, Debug)]
struct Case {
    nodes: u32,
    edges: Vec<(u32, u32, u32)>,
    starts: Vec<(u32, u32)>,
    goals: Vec<u32>,
    estimates: Vec<u32>,
}

/// Graphs whose costs are of one size or of all, with zeros; estimates are anything.
fn cases() -> impl Strategy<Value = Case> {
    let sizes = prop_oneof![Just(1_u32), Just(3), Just(400), Just(9_000), Just(10_000_000)];
    (2_u32..60, sizes.clone(), sizes, any::<bool>()).prop_flat_map(|(nodes, most, guess, mixed)| {
        let cost = (0..most + 1, 0_u32..24).prop_map(
            move |(cost, shift)| {
                if mixed { cost >> shift } else { cost }
            },
        );
        let edges = prop::collection::vec((0..nodes, 0..nodes, cost), 0..4 * nodes as usize);
        let starts = prop::collection::vec((0..nodes, 0..guess), 1..4);
        let goals = prop::collection::vec(0..nodes, 0..3);
        let estimates = prop::collection::vec(0..guess, nodes as usize);
        (edges, starts, goals, estimates).prop_map(move |(edges, starts, goals, estimates)| Case {
            nodes,
            edges,
            starts,
            goals,
            estimates,
        })
    })
}

proptest! {
    #![proptest_config(crate::common::cases(4_000))]

    #[test]
    fn nodes_are_expanded_in_the_textbook_order(case in cases(), again in cases()) {
        let mut search = Search::default();
        // A search before it leaves no trace.
        for Case { nodes, edges, starts, goals, estimates } in [again, case] {
            let graph = Csr::new(nodes, &edges);
            let (order, parents, expected) = textbook(&graph, nodes, &starts, &goals, &estimates);
            let estimate = |node: u32| estimates[node as usize];
            let is_goal = |node: u32| goals.contains(&node);
            prop_assert_eq!(search.find(&graph, &starts, is_goal, estimate), expected);
            prop_assert_eq!(search.expansions(), order.len() as u32);
            for node in 0..nodes {
                prop_assert_eq!(search.parent(node), parents[node as usize]);
            }
            // The same, a step at a time.
            let mut expanded = Vec::new();
            search.begin(&graph, &starts, estimate);
            while let Some(found) = search.pop() {
                expanded.push(found.node);
                if is_goal(found.node) {
                    break;
                }
                search.expand(&graph, found.node, estimate);
            }
            prop_assert_eq!(expanded, order);
        }
    }

    #[test]
    fn greedy_takes_the_least_estimate(case in cases()) {
        let Case { nodes, edges, starts, goals, estimates } = case;
        let graph = Csr::new(nodes, &edges);
        let mut heap = BinaryHeap::new();
        let mut seen = vec![false; nodes as usize];
        let (mut count, mut expected) = (0, None);
        let meet = |heap: &mut BinaryHeap<_>, seen: &mut Vec<bool>, node: u32| {
            if !std::mem::replace(&mut seen[node as usize], true) {
                heap.push(Reverse((estimates[node as usize], node)));
            }
        };
        starts.iter().for_each(|&(node, _)| meet(&mut heap, &mut seen, node));
        while let Some(Reverse((_, node))) = heap.pop() {
            count += 1;
            if goals.contains(&node) {
                expected = Some(node);
                break;
            }
            graph.edges(node).iter().for_each(|&(to, _)| meet(&mut heap, &mut seen, to));
        }
        let mut search = Search::default();
        let is_goal = |node: u32| goals.contains(&node);
        let found = search.greedy(&graph, &starts, is_goal, |node| estimates[node as usize]);
        prop_assert_eq!(found.map(|found| found.node), expected);
        prop_assert_eq!(search.expansions(), count);
    }
}

#[test]
fn sums_stop_at_the_largest_number() {
    let far = u32::MAX - 5;
    let graph = Csr::new(4, &[(0, 1, far), (1, 2, far), (0, 3, 7), (3, 2, far)]);
    let mut search = Search::default();
    let found = search.find(&graph, &[(0, 0)], |node| node == 2, |_| far);
    assert_eq!(found, Some(Found { node: 2, cost: u32::MAX - 1 }));
}

#[test]
fn what_was_not_reached_has_no_way() {
    let graph = Csr::new(3, &[(0, 1, 1)]);
    let mut search = Search::default();
    let mut path = vec![1];
    search.path(0, &mut path);
    assert!(path.is_empty());
    assert_eq!(search.find(&graph, &[(0, 0)], |node| node == 2, |_| 0), None);
    search.path(2, &mut path);
    assert_eq!((path.len(), search.cost(2), search.parent(2)), (0, None, NONE));
    search.path(1, &mut path);
    assert_eq!((&path[..], search.cost(1), search.parent(1)), (&[0, 1][..], Some(1), 0));
}

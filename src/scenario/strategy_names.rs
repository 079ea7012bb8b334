//! What the strategies of a team can name.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::mind::{MAX_COMMANDED, MAX_STRATEGIES};
use crate::scenario::def::GroupEntry;
use crate::scenario::def_mind::MachineEntry;
use crate::scenario::parse_name::{group_of, named};
use crate::scenario::read::{Node, Table};

/// What the strategies of a team can name.
pub(super) struct Known<'a> {
    pub(super) groups: &'a [GroupEntry],
    pub(super) machines: &'a [MachineEntry],
    /// The groups of the team, and the names of all.
    pub(super) own: Vec<GroupId>,
    pub(super) names: BTreeMap<&'a str, GroupId>,
    pub(super) strategies: BTreeMap<&'a str, u8>,
    pub(super) inputs: Vec<String>,
}

impl Known<'_> {
    /// The other strategies that a list names.
    pub(super) fn excluded(&self, node: &Node<'_>, table: &Table<'_>) -> Vec<u8> {
        let what = "an array of names of strategies of the team";
        let nodes = node.array(what, MAX_STRATEGIES).unwrap_or_default();
        let own = table.get("name").and_then(|node| node.value.as_str());
        let mut excludes = Vec::new();
        for node in nodes {
            let Some(other) = named(&node, "strategy", &self.strategies) else {
                continue;
            };
            if node.value.as_str() == own {
                let expected = "the name of another strategy";
                node.bad_value("is the strategy itself", expected);
            }
            excludes.push(other);
        }
        excludes
    }

    /// The groups of the team that a list names.
    pub(super) fn groups(&self, node: &Node<'_>) -> Vec<GroupId> {
        let what = "an array of names of groups of the team";
        let nodes = node.array(what, MAX_COMMANDED);
        if nodes.as_ref().is_some_and(Vec::is_empty) {
            node.bad_value("names no group", what);
        }
        let mut groups: Vec<GroupId> = Vec::new();
        for node in nodes.unwrap_or_default() {
            let Some(group) = group_of(&node, &self.names) else { continue };
            if !self.own.contains(&group) {
                node.bad_value("is a group of another team", "a group of the team");
            } else if groups.contains(&group) {
                node.bad_value("is listed twice", "every group once");
            }
            groups.push(group);
        }
        groups
    }
}

//! `follow`: the leaders of a group of a scenario file.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::scenario::parse_name::needed_group;
use crate::scenario::read::{Node, Table, keys};
use crate::world::{FollowDef, Leader};

/// Keys of `follow` beside those that the engine declares.
pub(super) const FOLLOW: [&str; 1] = ["group"];

const A_LEADER: &str = "a table, as in { group = \"guide\", gap = 1 }";

/// `follow` of a group.
pub(super) fn follow(
    node: &Node<'_>,
    own: Option<GroupId>,
    names: &BTreeMap<&str, GroupId>,
) -> Option<FollowDef> {
    let table = node.table(A_LEADER, &keys::<FollowDef>(&FOLLOW))?;
    let def = table.fields(FollowDef::default());
    let leaders = leaders(&table, "group", own, names)?;
    Some(FollowDef { leader: Leader::Group(leaders), ..def })
}

/// The group that a key names, which is another one.
pub(super) fn leaders(
    table: &Table<'_>,
    key: &str,
    own: Option<GroupId>,
    names: &BTreeMap<&str, GroupId>,
) -> Option<GroupId> {
    let leaders = needed_group(table, key, names)?;
    if Some(leaders) == own {
        table.bad_value(key, "is the group itself", "the name of another group");
        return None;
    }
    Some(leaders)
}

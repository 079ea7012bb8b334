//! `[[company]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::scenario::def::{AreaDef, CompanyEntry, GroupEntry, MAX_GROUPS};
use crate::scenario::parse_name::{group_of, name_of};
use crate::scenario::parse_shape::area;
use crate::scenario::read::{Node, Table};
use crate::world::limits::SPACING;
use crate::world::{CompanyDef, Formation, MAX_FILES};

pub(super) const COMPANY: [&str; 6] = ["name", "groups", "formation", "spacing", "files", "goal"];

const FORMATION: [&str; 5] = ["none", "line", "column", "block", "wedge"];

pub(super) fn companies(top: &Table<'_>, groups: &[GroupEntry]) -> Vec<CompanyEntry> {
    let Some(node) = top.get("company") else { return Vec::new() };
    let entries = node.array("`[[company]]` tables, at most 65,535", MAX_GROUPS);
    let mut group_names = BTreeMap::new();
    for (i, group) in groups.iter().enumerate() {
        group_names.entry(group.name.as_str()).or_insert(GroupId::new(i as u16));
    }
    // By group: index of its company.
    let mut owners = vec![None; groups.len()];
    let mut companies: Vec<CompanyEntry> = Vec::new();
    let mut company_names = BTreeMap::<String, usize>::new();
    for (i, node) in entries.unwrap_or_default().iter().enumerate() {
        let Some(table) = node.table("a table `[[company]]`", &COMPANY) else { continue };
        let name = name_of(&table);
        let of_company = company_names.get(&name);
        let of_group = group_names.get(name.as_str()).map(|group| format!("group[{group}]"));
        let first = of_group.or(of_company.map(|company| format!("company[{company}]")));
        if let Some(first) = first.filter(|_| !name.is_empty()) {
            let expected = "a name that no group and no other company has";
            table.bad_value("name", &format!("is already the name of {first}"), expected);
        }
        company_names.entry(name.clone()).or_insert(companies.len());
        let members = members(&table, i, &group_names, &mut owners);
        let follows = |group: &&GroupId| groups[usize::from(**group)].follow.is_some();
        if let (Some(group), Some(node)) = (members.iter().find(follows), table.get("groups")) {
            let wrong = format!("\"{}\" follows others", groups[usize::from(*group)].name);
            node.problem(wrong, "groups without `follow`");
        }
        let def = CompanyDef {
            groups: members,
            formation: formation(&table).flatten(),
            spacing: table.get("spacing").and_then(|node| node.number(&SPACING.limits)),
            files: files(&table),
        };
        let goal: Option<AreaDef> = table.get("goal").and_then(|node| area(&node));
        companies.push(CompanyEntry { name, def, goal });
    }
    companies
}

/// The groups of a company, none of which may have another owner.
fn members(
    table: &Table<'_>,
    company: usize,
    names: &BTreeMap<&str, GroupId>,
    owners: &mut [Option<usize>],
) -> Vec<GroupId> {
    let Some(node) =
        table.needed("groups", "the names of its groups, as in [\"pikes\", \"archers\"]")
    else {
        return Vec::new();
    };
    let what = "an array of names of groups";
    let entries: Option<Vec<Node<'_>>> = node.array(what, MAX_GROUPS);
    if entries.as_ref().is_some_and(Vec::is_empty) {
        node.bad_value("is empty", "the name of at least one group");
    }
    let mut groups = Vec::new();
    for entry in entries.unwrap_or_default() {
        let Some(group) = group_of(&entry, names) else { continue };
        match owners[usize::from(group)].replace(company) {
            Some(other) => {
                let wrong = format!("belongs to company[{other}] already");
                entry.bad_value(&wrong, "each group in one company, once");
            }
            None => groups.push(group),
        }
    }
    groups
}

/// `formation`; the inner `None` is the word "none".
pub(super) fn formation(table: &Table<'_>) -> Option<Option<Formation>> {
    table.word("formation", &FORMATION).map(Formation::from_name)
}

fn files(table: &Table<'_>) -> Option<u32> {
    let node = table.get("files")?;
    node.whole("members side by side", [1, MAX_FILES.into()]).map(|files| files as u32)
}

//! `[[weapon]]` and `[[team]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::WeaponId;
use crate::scenario::def::{TeamEntry, WeaponEntry};
use crate::scenario::parse_name::{Taken, color, indices, named, own_name};
use crate::scenario::read::{Table, keys};
use crate::world::{GroupDef, MAX_WEAPONS, TEAMS, WeaponDef};

/// Keys of a weapon beside what it is like.
pub(super) const WEAPON: [&str; 2] = ["name", "preset"];
pub(super) const TEAM: [&str; 5] = ["name", "color", "allies", "review", "strategy"];

/// Teams that a scenario has at most; the last of [`TEAMS`] is that of groups without one.
pub(super) const MAX_TEAMS: usize = TEAMS as usize - 1;

pub(super) fn weapons(top: &Table<'_>) -> Vec<WeaponEntry> {
    let known = keys::<WeaponDef>(&WEAPON);
    let tables = top.tables("weapon", MAX_WEAPONS, "a table `[[weapon]]`", &known);
    let (mut weapons, mut names) = (Vec::new(), Taken::default());
    for table in tables {
        let name = own_name(&table, "weapon", &mut names);
        weapons.push(WeaponEntry { name, def: weapon(&table) });
    }
    weapons
}

/// A weapon: its preset, changed by what its table says.
fn weapon(table: &Table<'_>) -> WeaponDef {
    let preset = table.word("preset", &WeaponDef::PRESETS);
    let plain = preset.and_then(WeaponDef::preset).unwrap_or_default();
    let def = table.fields(plain);
    if def.min_range > def.range {
        let at = table.get("min_range").or_else(|| table.get("range"));
        let at = at.map_or(table.at.clone(), |node| node.at);
        let wrong = format!("the smallest distance is {} m", def.min_range);
        table.problems.problem(&at, wrong, format!("at most the `range` of {} m", def.range));
    }
    def
}

pub(super) fn teams(top: &Table<'_>) -> Vec<TeamEntry> {
    let tables = top.tables("team", MAX_TEAMS, "a table `[[team]]`", &TEAM);
    let (mut teams, mut names) = (Vec::new(), Taken::default());
    let mut allies = Vec::new();
    for table in tables {
        let name = own_name(&table, "team", &mut names);
        let color = table.get("color").and_then(|node| color(&node));
        let friends = table
            .get("allies")
            .and_then(|node| node.array("an array of names of teams", MAX_TEAMS));
        allies.push(friends.unwrap_or_default());
        teams.push(TeamEntry { name, color, foes: 0, strategies: None });
    }
    let all = (1_u32 << teams.len()) - 1;
    (0..).zip(&mut teams).for_each(|(own, team)| team.foes = all & !(1 << own));
    let names = indices::<u16>(teams.iter().map(|team| team.name.as_str()));
    let mut peace = Vec::new();
    for (own, friends) in allies.iter().enumerate() {
        for node in friends {
            let Some(friend) = named(node, "team", &names) else { continue };
            if usize::from(friend) == own {
                node.bad_value("is the team itself", "the name of another team");
            }
            peace.push((own, usize::from(friend)));
        }
    }
    // One of two says it for both.
    for (a, b) in peace {
        teams[a].foes &= !(1 << b);
        teams[b].foes &= !(1 << a);
    }
    teams
}

/// What groups can name: weapons and teams.
#[derive(Debug)]
pub(super) struct Armoury<'a> {
    teams: &'a [TeamEntry],
    team_names: BTreeMap<&'a str, u16>,
    weapon_names: BTreeMap<&'a str, WeaponId>,
}

impl<'a> Armoury<'a> {
    pub(super) fn new(weapons: &'a [WeaponEntry], teams: &'a [TeamEntry]) -> Self {
        Self {
            teams,
            team_names: indices(teams.iter().map(|team| team.name.as_str())),
            weapon_names: indices(weapons.iter().map(|weapon| weapon.name.as_str())),
        }
    }

    /// The colour of a group's team.
    pub(super) fn color(&self, def: &GroupDef) -> Option<[u8; 3]> {
        self.teams.get(usize::from(def.team)).and_then(|team| team.color)
    }

    /// A group's side and arms.
    pub(super) fn arm(&self, table: &Table<'_>, plain: GroupDef) -> GroupDef {
        let team_node = table.get("team");
        let team = team_node.as_ref().and_then(|node| named(node, "team", &self.team_names));
        let weapon_node = table.get("weapon");
        let weapon =
            weapon_node.as_ref().and_then(|node| named(node, "weapon", &self.weapon_names));
        if let (Some(node), None) = (&weapon_node, &team_node)
            && !table.misspelt(&["team"])
        {
            let wrong = "has a weapon, but is on no team and so has no foes";
            node.problem(format!("the group {wrong}"), "a `team` beside `weapon`");
        }
        let nobody = if self.teams.is_empty() { plain.team } else { TEAMS - 1 };
        GroupDef {
            team: team.map_or(nobody, |team| team as u8),
            foes: team.map_or(0, |team| self.teams[usize::from(team)].foes),
            weapon,
            ..plain
        }
    }
}

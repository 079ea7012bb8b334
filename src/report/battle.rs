//! What became of a battle: of each team, and of each weapon's shots.

use std::fmt;

use serde::Serialize;

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::report::number::thousands;
use crate::world::{TEAMS, World};

/// What is left of a team that has foes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The team.
    pub team: u8,
    /// The teams that it fights, one bit a team.
    pub foes: u32,
    /// Agents that it has left.
    pub left: u64,
    /// Agents of it that have been killed.
    pub fallen: u64,
}

impl Side {
    /// Whether at least such a share (above 0) of all agents that it has had has fallen. Agents
    /// that an order took away do not count, and a team without any has yet to come.
    pub fn is_beaten(&self, share: f64) -> bool {
        self.fallen > 0 && self.fallen as f64 >= share * (self.left + self.fallen) as f64
    }
}

/// The teams that have foes, by number.
pub fn sides<N: Numbers>(world: &World<N>) -> Vec<Side> {
    let side = |team| Side { team, foes: 0, left: 0, fallen: 0 };
    let mut sides: Vec<Side> = (0..TEAMS).map(side).collect();
    for group in world.groups().iter().filter(|group| !group.is_removed()) {
        let side = &mut sides[usize::from(group.def.team)];
        side.foes |= group.def.foes;
        side.left += u64::from(group.members());
        side.fallen += u64::from(group.fallen());
    }
    sides.retain(|side| side.foes != 0);
    sides
}

/// The teams that are not beaten, one bit a team, once no two of them are foes; `None` while the
/// battle goes on. A team is beaten with the fall of such a share of its agents.
pub fn victors(sides: &[Side], share: f64) -> Option<u32> {
    let stands = |side: &&Side| !side.is_beaten(share);
    let standing = sides.iter().filter(stands).fold(0, |bits, side| bits | 1 << side.team);
    let fights = |side: &Side| standing >> side.team & 1 != 0 && side.foes & standing != 0;
    (!sides.iter().any(fights)).then_some(standing)
}

/// Counts kills by the shooter's team: feed it every tick.
#[derive(Clone, Debug, Default)]
pub struct BattleMeter {
    /// By team: foes killed, and others.
    kills: [[u64; 2]; TEAMS as usize],
}

impl BattleMeter {
    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        let groups = world.groups();
        for fallen in world.fallen() {
            let Some(shot) = fallen.shot else { continue };
            let [killer, killed] =
                [shot.group, fallen.group.index()].each(|group| &groups[usize::from(group)].def);
            let is_foe = killer.foes >> killed.team & 1 != 0;
            self.kills[usize::from(killer.team)][usize::from(!is_foe)] += 1;
        }
    }

    /// Foes that each team has killed, and others, by the team's number.
    pub fn kills(&self) -> &[[u64; 2]; TEAMS as usize] {
        &self.kills
    }
}

/// Names of teams and weapons; teams and weapons without a name are numbered.
#[derive(Clone, Copy, Debug, Default)]
pub struct BattleNames<'a> {
    /// Names of teams.
    pub teams: &'a [String],
    /// Names of weapons.
    pub weapons: &'a [String],
}

impl BattleNames<'_> {
    /// The name of a team.
    pub fn team(&self, team: u8) -> String {
        let name = self.teams.get(usize::from(team));
        name.cloned().unwrap_or_else(|| format!("team {team}"))
    }

    /// What several teams are called, one bit a team.
    pub fn teams(&self, bits: u32) -> String {
        let teams = (0..TEAMS).filter(|team| bits >> team & 1 != 0);
        teams.map(|team| self.team(team)).collect::<Vec<_>>().join(" and ")
    }
}

/// The outcome of a battle for a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeamOutcome {
    /// Its name.
    pub name: String,
    /// Agents that it has had, without agents that an order took away.
    pub began: u64,
    /// Agents that it has left.
    pub left: u64,
    /// Agents that were killed.
    pub losses: u64,
    /// Foes that its shots have killed; `None` where kills were not counted.
    pub kills: Option<u64>,
    /// Others that its shots have killed.
    pub friends_killed: Option<u64>,
}

/// What became of a weapon's shots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeaponOutcome {
    /// Its name.
    pub name: String,
    /// Shots fired.
    pub fired: u64,
    /// Projectiles that struck an agent.
    pub struck: u64,
    /// Projectiles that came down on the ground.
    pub ground: u64,
    /// Projectiles that met a wall or a cliff.
    pub walls: u64,
    /// Projectiles that left the map or grew too old.
    pub lost: u64,
    /// Projectiles in the air.
    pub in_flight: u64,
    /// Shots fired that are neither in the air nor ended: 0, or the engine has a fault.
    pub leaked: i64,
    /// How often an agent was hurt, by a hit or by splash.
    pub hurt: u64,
    /// Agents killed.
    pub kills: u64,
    /// Health taken.
    pub damage: f64,
    /// Share of the shots fired that struck an agent.
    pub hit_rate: f64,
    /// How often an agent was hurt, for each shot fired.
    pub hurt_per_shot: f64,
}

/// What became of a battle. The text of `Display` is made for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Battle {
    /// Names of the teams that have won; "nobody"; `None` while it goes on.
    pub winner: Option<String>,
    /// The teams that have foes.
    pub teams: Vec<TeamOutcome>,
    /// The weapons.
    pub weapons: Vec<WeaponOutcome>,
}

impl Battle {
    /// The battle in a world; `None` in one without weapons. A team is beaten with the fall of a
    /// `share` of its agents.
    pub fn new<N: Numbers>(
        world: &World<N>,
        share: f64,
        names: BattleNames<'_>,
        meter: Option<&BattleMeter>,
    ) -> Option<Self> {
        if world.weapons().is_empty() {
            return None;
        }
        let sides = sides(world);
        let winner = victors(&sides, share).map(|bits| match bits {
            0 => "nobody".to_owned(),
            bits => names.teams(bits),
        });
        let team = |side: &Side| {
            let kills = meter.map(|meter| meter.kills[usize::from(side.team)]);
            TeamOutcome {
                name: names.team(side.team),
                began: side.left + side.fallen,
                left: side.left,
                losses: side.fallen,
                kills: kills.map(|kills| kills[0]),
                friends_killed: kills.map(|kills| kills[1]),
            }
        };
        let mut in_flight = vec![0; world.weapons().len()];
        for shot in world.projectiles().shot.iter() {
            in_flight[usize::from(shot.weapon)] += 1;
        }
        let weapons = world.weapons().iter().zip(in_flight).enumerate();
        let weapon = |(index, (weapon, in_flight)): (usize, (&crate::world::Weapon<N>, u64))| {
            let tally = weapon.tally;
            let ended = tally.struck + tally.ground + tally.walls + tally.lost;
            let per_shot = |count: u64| count as f64 / tally.fired.max(1) as f64;
            let name = names.weapons.get(index).cloned();
            WeaponOutcome {
                name: name.unwrap_or_else(|| format!("weapon {index}")),
                fired: tally.fired,
                struck: tally.struck,
                ground: tally.ground,
                walls: tally.walls,
                lost: tally.lost,
                in_flight,
                leaked: tally.fired as i64 - (ended + in_flight) as i64,
                hurt: tally.hurt,
                kills: tally.kills,
                damage: tally.damage,
                hit_rate: per_shot(tally.struck),
                hurt_per_shot: per_shot(tally.hurt),
            }
        };
        let (teams, weapons) = (sides.iter().map(team).collect(), weapons.map(weapon).collect());
        Some(Self { winner, teams, weapons })
    }

    /// The winner, in a few words.
    pub fn verdict(&self) -> String {
        match &self.winner {
            None => "undecided".to_owned(),
            Some(winner) => format!("{winner} won"),
        }
    }

    /// How many each team has left, for a line below a picture.
    pub fn strengths(&self) -> String {
        let teams = self.teams.iter();
        teams
            .map(|team| format!("{} {}", team.name, thousands(team.left)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl fmt::Display for Battle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: Option<u64>| count.map_or("?".to_owned(), thousands);
        let friendly = self.teams.iter().any(|team| team.friends_killed.is_some_and(|n| n > 0));
        let mut rows = vec![vec!["team", "began", "left", "losses", "kills"]];
        rows[0].extend(friendly.then_some("own kills"));
        let mut rows: Vec<Vec<String>> =
            rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect();
        for team in &self.teams {
            let mut row = vec![team.name.clone()];
            row.extend([team.began, team.left, team.losses].map(thousands));
            row.push(count(team.kills));
            row.extend(friendly.then(|| count(team.friends_killed)));
            rows.push(row);
        }
        write_table(f, &rows)?;
        writeln!(f)?;
        let head = ["weapon", "fired", "struck", "ground", "walls", "lost", "in flight"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for weapon in &self.weapons {
            let WeaponOutcome { fired, struck, ground, walls, lost, in_flight, .. } = *weapon;
            let fates = [fired, struck, ground, walls, lost, in_flight].map(thousands);
            rows.push([weapon.name.clone()].into_iter().chain(fates).collect());
        }
        write_table(f, &rows)?;
        writeln!(f)?;
        let head = ["weapon", "hit rate", "hurt", "hurt a shot", "kills", "damage"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for weapon in &self.weapons {
            rows.push(vec![
                weapon.name.clone(),
                format!("{:.1} %", weapon.hit_rate * 100.0),
                thousands(weapon.hurt),
                format!("{:.2}", weapon.hurt_per_shot),
                thousands(weapon.kills),
                thousands(weapon.damage.round() as u64),
            ]);
        }
        write_table(f, &rows)?;
        for weapon in self.weapons.iter().filter(|weapon| weapon.leaked != 0) {
            writeln!(f, "  {} SHOTS OF {} ARE LOST TRACK OF", weapon.leaked, weapon.name)?;
        }
        Ok(())
    }
}

/// Rows of one length, the first cell to the left and the others to the right.
fn write_table(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    let width = |cell: &String| cell.chars().count();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    for row in rows {
        write!(f, "  {:<15}", row[0])?;
        for (column, cell) in row.iter().enumerate().skip(1) {
            write!(f, " {cell:>width$}", width = widest(column).max(9))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

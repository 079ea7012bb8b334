//! In what the agents of one group differ.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::map::placement::{MAX_RADIUS, MIN_RADIUS};
use crate::math::{hash2, hash3};
use crate::world::own_traits::note;
use crate::world::{Distribution, GroupDef, Settings, World, WorldError};

/// Longest time that an agent waits before it sets off, in seconds.
pub const MAX_WAIT: f64 = 1.0e6;

/// The parts of a speed in which paces are kept.
const PACE_STEPS: f64 = 64.0;

/// The pace of an agent that stays where it is.
const STANDS: u8 = -64_i8 as u8;

/// The times in which agents can take on a new velocity, as those of groups.
pub(crate) const RESPONSES: [f64; 2] = [0.02, 60.0];

/// Streams of random numbers.
const SPEED: u64 = 0x0053_7065_6564;
const WAIT: u64 = 0x5761_6974;
const RADIUS: u64 = 0x5261_6469_7573;
const RESPONSE: u64 = 0x5265_7370_6f6e;
const PATIENCE: u64 = 0x5061_7469_656e;

/// In what the agents of a group differ: each draws for itself, by its id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct VaryDef {
    /// The speed that an agent likes on plain ground, m/s, up to twice that of its group; in 64ths of
    /// the group's speed.
    #[serde(default)]
    pub speed: Option<Distribution>,
    /// How long an agent stays where it is before it sets off, s: from when it appears or its group is
    /// first sent somewhere, whichever is later.
    #[serde(default)]
    pub wait: Option<Distribution>,
    /// Its radius, m, up to that of its group, which ways and places are made for.
    #[serde(default)]
    pub radius: Option<Distribution>,
    /// Time in which it takes on a new velocity, s. The group's `response` becomes the shortest.
    #[serde(default)]
    pub response: Option<Distribution>,
    /// How long it keeps to the exit that it has chosen before it looks for another, s, in place of
    /// [`ExitsDef::every`](crate::world::ExitsDef): to the next quarter of that.
    #[serde(default)]
    pub patience: Option<Distribution>,
}

/// What agents differ in as bytes have it: shorter where it is speed and time to wait alone.
#[derive(Serialize, Deserialize)]
enum Packed {
    Wait(Option<Distribution>),
    SpeedAndWait(Distribution, Option<Distribution>),
    All([Option<Distribution>; 5]),
}

impl Serialize for VaryDef {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return Self::serialize(self, to);
        }
        let Self { speed, wait, radius, response, patience } = *self;
        let packed = match (speed, radius, response, patience) {
            (None, None, None, None) => Packed::Wait(wait),
            (Some(speed), None, None, None) => Packed::SpeedAndWait(speed, wait),
            _ => Packed::All([speed, wait, radius, response, patience]),
        };
        packed.serialize(to)
    }
}

impl<'de> Deserialize<'de> for VaryDef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return Self::deserialize(from);
        }
        let [speed, wait, radius, response, patience] = match Packed::deserialize(from)? {
            Packed::Wait(wait) => [None, wait, None, None, None],
            Packed::SpeedAndWait(speed, wait) => [Some(speed), wait, None, None, None],
            Packed::All(all) => all,
        };
        Ok(Self { speed, wait, radius, response, patience })
    }
}

impl VaryDef {
    /// Refuses what agents of a group cannot have.
    ///
    /// # Errors
    /// The value that is out of range.
    pub fn check(&self, group: &GroupDef) -> Result<(), WorldError> {
        let check = |distribution: &Option<Distribution>, name, [least, most]: [f64; 2]| {
            distribution.as_ref().map_or(Ok(()), |own| own.check(name, least, most))
        };
        check(&self.speed, "speed", speeds(group))?;
        check(&self.wait, "wait", [0.0, MAX_WAIT])?;
        check(&self.radius, "radius", [MIN_RADIUS, group.radius])?;
        check(&self.response, "response", RESPONSES)?;
        Ok(check(&self.patience, "patience", [0.0, MAX_WAIT])?)
    }

    /// The multiple of a group's speed that its quickest agents like, 1 at least.
    pub fn sprint(&self, group: &GroupDef) -> f64 {
        let [least, most] = speeds(group);
        let quickest = |speed: &Distribution| speed.bounds(least, most)[1] / group.speed;
        self.speed.as_ref().map_or(1.0, quickest).max(1.0)
    }

    /// The traits of a group whose agents differ so: its `sprint` serves the quickest of them, and its
    /// `response` is the shortest.
    pub fn traits(&self, group: &GroupDef) -> GroupDef {
        let [least, most] = RESPONSES;
        let shortest = self.response.map(|response| response.bounds(least, most)[0]);
        GroupDef {
            sprint: group.sprint.max(self.sprint(group)),
            response: shortest.unwrap_or(group.response),
            ..group.clone()
        }
    }

    /// The radius of a group whose agents differ so: the largest that there can be, which is up to twice
    /// that of the group as declared.
    pub fn widest(&self, group: &GroupDef) -> f64 {
        let most = (2.0 * group.radius).min(MAX_RADIUS);
        self.radius.map_or(group.radius, |radius| radius.bounds(MIN_RADIUS, most)[1])
    }
}

/// The least and the largest speed of agents of a group.
fn speeds(group: &GroupDef) -> [f64; 2] {
    [group.speed / PACE_STEPS, group.speed * 2.0]
}

/// In what the agents of a group of the world differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Variety {
    pub(crate) group: GroupId,
    pub(crate) def: VaryDef,
    /// Whether the group has been sent somewhere since.
    pub(crate) is_sent: bool,
}

impl Variety {
    /// The pace of an agent under way, as 64ths of its group's speed by which it is quicker.
    fn pace(&self, group: &GroupDef, seed: u64, id: Id) -> u8 {
        let Some(speed) = &self.def.speed else { return 0 };
        let [least, most] = speeds(group);
        let own = speed.draw(hash2(bits(seed, id), SPEED), least, most) / group.speed;
        ((own - 1.0) * PACE_STEPS).round_ties_even().clamp(-63.0, 64.0) as i8 as u8
    }

    /// The share of its group's radius by which an agent is smaller.
    fn smaller(&self, group: &GroupDef, seed: u64, id: Id) -> f64 {
        let Some(radius) = &self.def.radius else { return 0.0 };
        let bits = hash2(bits(seed, id), RADIUS);
        1.0 - radius.draw(bits, MIN_RADIUS, group.radius) / group.radius
    }

    /// The share by which an agent's rate of taking on a velocity is less than that of its group.
    fn slower(&self, group: &GroupDef, seed: u64, id: Id, dt: f64) -> f64 {
        let Some(response) = &self.def.response else { return 0.0 };
        let [least, most] = RESPONSES;
        let own = response.draw(hash2(bits(seed, id), RESPONSE), least, most);
        // No agent responds within less than a tick.
        1.0 - group.response.max(dt) / own.max(dt)
    }

    /// The ticks for which an agent keeps to an exit, if that is its own affair.
    fn patience(&self, seed: u64, id: Id, tick_rate: u32) -> Option<u64> {
        let patience = self.def.patience?;
        let seconds = patience.draw(hash2(bits(seed, id), PATIENCE), 0.0, MAX_WAIT);
        Some((seconds * f64::from(tick_rate)).round_ties_even() as u64)
    }

    /// The ticks for which an agent waits.
    fn wait(&self, seed: u64, id: Id, tick_rate: u32) -> u64 {
        let Some(wait) = &self.def.wait else { return 0 };
        let seconds = wait.draw(hash2(bits(seed, id), WAIT), 0.0, MAX_WAIT);
        (seconds * f64::from(tick_rate)).round_ties_even() as u64
    }
}

/// The random bits of an agent.
fn bits(seed: u64, id: Id) -> u64 {
    hash3(seed, u64::from(id.index), u64::from(id.generation))
}

impl<N: Numbers> World<N> {
    /// In what the agents of a group differ; nothing where they are alike.
    pub fn variety(&self, group: GroupId) -> Option<&VaryDef> {
        let own = self.traffic.varieties.iter().find(|variety| variety.group == group);
        own.map(|variety| &variety.def)
    }

    /// Whether agents have radii of their own.
    pub fn differ_in_size(&self) -> bool {
        !self.groups.own.smaller.is_empty()
    }

    /// The radius of the agent in a row, in metres.
    pub fn radius(&self, row: usize) -> f64 {
        self.groups.radius(self.agents.rows.tag[row])
    }

    /// The tick in which an agent sets off, while it still waits.
    pub fn sets_off(&self, id: Id) -> Option<u64> {
        let tick = self.agents.waits.get(id.index as usize).copied().filter(|&tick| tick > 0);
        tick.filter(|_| self.is_alive(id))
    }

    /// Whether the agent with an id index waits before it sets off.
    #[inline]
    pub(crate) fn waits(&self, id: u32) -> bool {
        self.agents.waits.get(id as usize).is_some_and(|&tick| tick > 0)
    }

    /// The agents of a group differ so from now on, those that it has and those that join it.
    pub(crate) fn vary(&mut self, group: GroupId, def: &VaryDef) -> Result<u32, WorldError> {
        let base = &self.groups.list[usize::from(group)].def;
        def.check(base)?;
        self.traffic.varieties.retain(|variety| variety.group != group);
        let has_goal = self.groups.list[usize::from(group)].goal.is_some();
        let is_sent = has_goal || self.following(group).is_some();
        self.traffic.varieties.push(Variety { group, def: def.clone(), is_sent });
        Ok(self.draw_all(group.index()))
    }

    /// All agents of a group draw anew, and wait from now on.
    fn draw_all(&mut self, group: u16) -> u32 {
        let rows = (0..self.len()).filter(|&row| self.base_group(self.tags()[row].group) == group);
        let ids: Vec<Id> = rows.map(|row| self.id(row)).collect();
        ids.iter().for_each(|&id| self.draw_traits(id, group));
        ids.len() as u32
    }

    /// A group has been sent somewhere: the first time, its agents draw anew, and wait from now on.
    pub(crate) fn note_sent(&mut self, group: u16) {
        let id = self.groups.id(group);
        let first = self.traffic.varieties.iter_mut().find(|v| v.group == id && !v.is_sent);
        let Some(variety) = first else { return };
        variety.is_sent = true;
        if variety.def.wait.is_some() {
            self.draw_all(group);
        }
    }

    /// An agent gets what it does not share with its group.
    pub(crate) fn draw_traits(&mut self, id: Id, group: u16) {
        let base = self.groups.id(self.base_group(group));
        let Some(variety) = self.traffic.varieties.iter().find(|v| v.group == base) else { return };
        let index = id.index as usize;
        let wait = variety.wait(self.settings.seed, id, self.settings.tick_rate);
        let def = &self.groups.list[usize::from(base)].def;
        let pace = variety.pace(def, self.settings.seed, id);
        let capacity = self.agents.ids.capacity();
        if wait > 0 {
            self.agents.waits.resize(capacity, 0);
            self.agents.waits[index] = self.log.tick + wait;
        } else if let Some(wait) = self.agents.waits.get_mut(index) {
            *wait = 0;
        }
        let pace = if wait > 0 { STANDS } else { pace };
        if pace != 0 || !self.agents.paces.is_empty() {
            self.agents.paces.resize(capacity, 0);
            self.agents.paces[index] = pace;
        }
        let (seed, dt) = (self.settings.seed, self.settings.dt());
        let (smaller, slower) = (variety.smaller(def, seed, id), variety.slower(def, seed, id, dt));
        let own = &mut self.groups.own;
        note(&mut own.smaller, id.index, smaller, capacity);
        note(&mut own.slower, id.index, slower, capacity);
    }

    /// Whether the agents of a group keep to an exit each for a time of its own.
    pub(crate) fn differ_in_patience(&self, group: GroupId) -> bool {
        self.variety(group).is_some_and(|def| def.patience.is_some())
    }

    /// Whether the agent with an id index keeps to its exit.
    pub(crate) fn keeps_to_exit(&self, id: u32) -> bool {
        self.agents.chooses.get(id as usize).is_some_and(|&tick| tick > self.log.tick)
    }

    /// The agent in a row has looked at all exits: it does so again when its patience is over.
    pub(crate) fn note_look(&mut self, row: usize) {
        let (id, tag) = (self.id(row), self.agents.rows.tag[row]);
        let base = self.groups.id(self.base_group(tag.group));
        let Settings { seed, tick_rate, .. } = self.settings;
        let variety = self.traffic.varieties.iter().find(|variety| variety.group == base);
        if let Some(ticks) = variety.and_then(|own| own.patience(seed, id, tick_rate)) {
            self.agents.chooses.resize(self.agents.ids.capacity(), 0);
            self.agents.chooses[id.index as usize] = self.log.tick + ticks;
        }
    }

    /// Agents whose time has come set off.
    pub(crate) fn set_off(&mut self) {
        if self.agents.waits.is_empty() {
            return;
        }
        let (tick, mut waiting) = (self.log.tick, 0);
        for row in 0..self.len() {
            let tag = self.agents.rows.tag[row];
            match self.agents.waits.get(tag.id as usize) {
                None | Some(0) => {}
                Some(&until) if until > tick => waiting += 1,
                Some(_) => {
                    self.agents.waits[tag.id as usize] = 0;
                    let (id, base) = (self.id(row), self.groups.id(self.base_group(tag.group)));
                    let variety = self.traffic.varieties.iter().find(|v| v.group == base);
                    let def = &self.groups.list[usize::from(base)].def;
                    let pace = variety.map_or(0, |v| v.pace(def, self.settings.seed, id));
                    self.agents.paces[tag.id as usize] = pace;
                }
            }
        }
        if waiting == 0 {
            self.agents.waits.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VaryDef;
    use crate::data::bytes::{Reader, Write};
    use crate::world::Distribution;

    #[test]
    fn bytes_of_speed_and_wait_alone_are_as_if_there_were_nothing_else() {
        let all = [None, Some(Distribution::uniform(0.5, 1.0)), Some(Distribution::constant(3.0))];
        for (speed, wait) in all.iter().flat_map(|speed| all.iter().map(move |wait| (speed, wait)))
        {
            let def = VaryDef { speed: *speed, wait: *wait, ..VaryDef::default() };
            let (mut own, mut pair) = (Vec::new(), Vec::new());
            own.value(&def);
            pair.value(&(speed, wait));
            assert_eq!(own, pair);
            let more = [
                VaryDef { radius: Some(Distribution::normal(0.3, 0.1)), ..def.clone() },
                VaryDef { response: Some(Distribution::constant(0.5)), ..def.clone() },
                VaryDef { patience: Some(Distribution::log_normal(9.0, 2.0)), ..def.clone() },
                def,
            ];
            for def in more {
                let mut bytes = Vec::new();
                bytes.value(&def);
                let mut reader = Reader::new(&bytes);
                assert_eq!(reader.value::<VaryDef>("vary").unwrap(), def);
                assert_eq!(reader.left(), 0);
            }
        }
    }
}

//! Orders, in the words of scenario files.

use serde::Deserialize;
use throng::world::{AgentOrder, Formation, Order};
use throng::{
    AnySimulation, CompanyId, FollowDef, GroupId, Id, Leader, StructureId, WeaponId, either,
};
use wasm_bindgen::prelude::*;

use crate::area::Area;
use crate::names::{Name, Names};
use crate::options;
use crate::{Result, wrong};

/// All keys that an order can have.
const KEYS: [&str; 22] = [
    "move",
    "stop",
    "spawn",
    "remove",
    "form",
    "launch",
    "follow",
    "attack",
    "build",
    "demolish",
    "goal",
    "opposite",
    "area",
    "count",
    "formation",
    "weapon",
    "from",
    "velocity",
    "leaders",
    "leader",
    "gap",
    "structure",
];

/// Their values.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Words {
    r#move: Option<Name>,
    stop: Option<Name>,
    spawn: Option<Name>,
    remove: Option<Name>,
    form: Option<Name>,
    launch: Option<Name>,
    follow: Option<Name>,
    attack: Option<Name>,
    build: Option<Area>,
    demolish: Option<Area>,
    goal: Option<Area>,
    opposite: Option<[f64; 2]>,
    area: Option<Area>,
    count: Option<u32>,
    formation: Option<String>,
    weapon: Option<Name>,
    from: Option<[f64; 3]>,
    velocity: Option<[f64; 3]>,
    leaders: Option<Name>,
    leader: Option<u64>,
    gap: Option<f64>,
    structure: Option<Name>,
}

/// What the agents of an order are told.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum AgentWords {
    Stop,
    Rejoin,
    Remove,
    Send(Area),
    SendEach(Vec<[f64; 2]>),
    Teleport(Vec<[f64; 2]>),
    Push([f64; 2]),
    Damage(f64),
    Heal(f64),
    Pace(f64),
    Label(u64),
    Assign(Name),
}

/// What an order can name: the names, and the simulation that has the handles.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) names: &'a Names,
    pub(crate) engine: &'a AnySimulation,
}

/// The order that an object says.
pub(crate) fn read(object: JsValue, known: Known<'_>) -> Result<Order> {
    let words: Words = options::read(object, "orders", &KEYS)?;
    let order = match words.verb()? {
        ("build", _) => Order::Build { area: words.build.unwrap_or_else(none).shapes() },
        ("demolish", _) => Order::Demolish { area: words.demolish.unwrap_or_else(none).shapes() },
        (verb, Some(name)) => words.of_group(verb, name, known)?,
        (verb, None) => return Err(wrong(format!("`{verb}` names nothing"))),
    };
    Ok(order)
}

/// The order to agents that a value says.
pub(crate) fn read_of_agents(agents: &[u64], value: JsValue, known: Known<'_>) -> Result<Order> {
    let words: AgentWords = serde_wasm_bindgen::from_value(value)?;
    let agents: Vec<Id> = agents.iter().map(|&id| id_of(id)).collect();
    let order = match words {
        AgentWords::Assign(name) => {
            return Ok(Order::Assign { agents, group: known.group(&name)? });
        }
        AgentWords::Stop => AgentOrder::Stop,
        AgentWords::Rejoin => AgentOrder::Rejoin,
        AgentWords::Remove => AgentOrder::Remove,
        AgentWords::Send(area) => AgentOrder::Send { goal: area.shapes() },
        AgentWords::SendEach(to) => AgentOrder::SendEach { to },
        AgentWords::Teleport(to) => AgentOrder::Teleport { to },
        AgentWords::Push(by) => AgentOrder::Push { by },
        AgentWords::Damage(health) => AgentOrder::Damage { health },
        AgentWords::Heal(health) => AgentOrder::Heal { health },
        AgentWords::Pace(factor) => AgentOrder::Pace { factor },
        AgentWords::Label(label) => AgentOrder::Label { label },
    };
    Ok(Order::Agents { agents, order })
}

/// An id as one number: the index in the low half, the generation in the high one.
pub(crate) fn id_word(id: Id) -> u64 {
    u64::from(id.generation) << 32 | u64::from(id.index)
}

/// The id of such a number.
fn id_of(word: u64) -> Id {
    Id { index: word as u32, generation: (word >> 32) as u32 }
}

fn none() -> Area {
    Area::Any(Vec::new())
}

/// The value of a key that an order must have.
fn needed<T>(value: Option<T>, verb: &str, key: &str) -> Result<T> {
    value.ok_or_else(|| wrong(format!("`{verb}` needs `{key}`")))
}

impl Known<'_> {
    /// The group of a name, or of an index: the one that has it now.
    pub(crate) fn group(self, name: &Name) -> Result<GroupId> {
        let index = self.names.index("group", name)?;
        // Whether there is one, the engine finds out.
        Ok(either!(self.engine, sim => match usize::from(index) < sim.world().groups().len() {
            true => sim.world().group_id(index),
            false => GroupId::new(index),
        }))
    }

    /// The company with this name or index. Companies of the scenario have the first indices.
    fn company(self, name: &Name) -> Result<CompanyId> {
        self.names.index("company", name).map(CompanyId::new)
    }

    fn weapon(self, name: &Name) -> Result<WeaponId> {
        self.names.index("weapon", name).map(WeaponId::new)
    }

    /// Whether a name is a company's, and no group's.
    fn is_company(self, name: &Name) -> bool {
        match name {
            Name::Word(word) => {
                self.names.find("group", word).is_none()
                    && self.names.find("company", word).is_some()
            }
            Name::Index(_) => false,
        }
    }
}

impl Words {
    /// The one verb, and the group or company that it names.
    fn verb(&self) -> Result<(&'static str, Option<&Name>)> {
        let named = [
            ("move", &self.r#move),
            ("stop", &self.stop),
            ("spawn", &self.spawn),
            ("remove", &self.remove),
            ("form", &self.form),
            ("launch", &self.launch),
            ("follow", &self.follow),
            ("attack", &self.attack),
        ];
        let named = named.into_iter().filter_map(|(verb, name)| Some((verb, Some(name.as_ref()?))));
        let areas = [("build", &self.build), ("demolish", &self.demolish)];
        let areas = areas.into_iter().filter(|(_, area)| area.is_some());
        let found: Vec<_> = named.chain(areas.map(|(verb, _)| (verb, None))).collect();
        let [(verb, name)] = found[..] else {
            let verbs: Vec<_> = found.iter().map(|(verb, _)| format!("`{verb}`")).collect();
            let verbs = if verbs.is_empty() { "no verb".to_owned() } else { verbs.join(" and ") };
            let all = "move, stop, spawn, remove, form, launch, follow, attack, build or demolish";
            return Err(wrong(format!("an order has one verb, not {verbs}: {all}")));
        };
        self.check_keys(verb)?;
        Ok((verb, name))
    }

    /// Refuses keys that a verb does not take.
    fn check_keys(&self, verb: &str) -> Result<()> {
        let taken: &[&str] = match verb {
            "move" => &["goal", "opposite"],
            "spawn" => &["area", "count"],
            "remove" => &["area"],
            "form" => &["formation"],
            "launch" => &["weapon", "from", "velocity"],
            "follow" => &["leaders", "leader", "gap"],
            "attack" => &["structure"],
            _ => &[],
        };
        let given = [
            ("goal", self.goal.is_some()),
            ("opposite", self.opposite.is_some()),
            ("area", self.area.is_some()),
            ("count", self.count.is_some()),
            ("formation", self.formation.is_some()),
            ("weapon", self.weapon.is_some()),
            ("from", self.from.is_some()),
            ("velocity", self.velocity.is_some()),
            ("leaders", self.leaders.is_some()),
            ("leader", self.leader.is_some()),
            ("gap", self.gap.is_some()),
            ("structure", self.structure.is_some()),
        ];
        match given.iter().find(|(key, is_given)| *is_given && !taken.contains(key)) {
            Some((key, _)) => Err(wrong(format!("`{verb}` takes no `{key}`"))),
            None => Ok(()),
        }
    }

    /// An order to a group, or to a company.
    fn of_group(&self, verb: &str, name: &Name, known: Known<'_>) -> Result<Order> {
        if verb == "form" {
            let company = known.company(name)?;
            return Ok(Order::Form { company, formation: self.formation()? });
        }
        if known.is_company(name) {
            let company = known.company(name)?;
            return match verb {
                "move" => {
                    let goal = needed(self.goal.clone(), "move", "goal")?.shapes();
                    Ok(Order::MoveCompany { company, goal })
                }
                "stop" => Ok(Order::StopCompany { company }),
                _ => Err(wrong(format!("`{verb}` takes a group, not a company"))),
            };
        }
        let group = known.group(name)?;
        let area = self.area.clone().map(Area::shapes);
        Ok(match verb {
            "move" => match (&self.goal, self.opposite) {
                (Some(goal), None) => Order::Move { group, goal: goal.clone().shapes() },
                (None, Some(centre)) => Order::Opposite { group, centre },
                _ => return Err(wrong("`move` needs `goal` or `opposite`")),
            },
            "stop" => Order::Stop { group },
            "spawn" => {
                let (area, count) =
                    (needed(area, verb, "area")?, needed(self.count, verb, "count")?);
                Order::Spawn { group, area, count }
            }
            "remove" => Order::Remove { group, area },
            "follow" => Order::Follow { group, def: self.following(known)? },
            "attack" => {
                let name = needed(self.structure.as_ref(), verb, "structure")?;
                let structure = StructureId::new(known.names.index("structure", name)?);
                Order::Attack { group, structure }
            }
            _ => {
                let weapon = known.weapon(needed(self.weapon.as_ref(), verb, "weapon")?)?;
                let from = needed(self.from, verb, "from")?;
                let velocity = needed(self.velocity, verb, "velocity")?;
                Order::Launch { group, weapon, from, velocity }
            }
        })
    }

    /// What an order to follow says.
    fn following(&self, known: Known<'_>) -> Result<FollowDef> {
        let leader = match (&self.leaders, self.leader) {
            (Some(name), None) => Leader::Group(known.group(name)?),
            (None, Some(word)) => Leader::Agent(id_of(word)),
            _ => return Err(wrong("`follow` needs `leaders` or `leader`")),
        };
        let plain = FollowDef { leader, ..FollowDef::default() };
        Ok(self.gap.map_or(plain.clone(), |gap| plain.gap(gap)))
    }

    fn formation(&self) -> Result<Option<Formation>> {
        let word = needed(self.formation.as_deref(), "form", "formation")?;
        if word == "none" {
            return Ok(None);
        }
        let expected = "expected line, column, block, wedge or none";
        let unknown = || wrong(format!("`formation` is `{word}`; {expected}"));
        Formation::from_name(word).ok_or_else(unknown).map(Some)
    }
}

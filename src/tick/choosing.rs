//! Choosing: agents choose among the exits of their group.
//!
//! A group that chooses has a party for each exit: a detachment whose goal is that exit. An agent chooses
//! when the fields to all exits are done, and again once in four rounds. All agents decide by the state
//! before the first decision, so the order does not matter.

use crate::lane::Numbers;
use crate::nav::field::UNREACHED;
use crate::world::{Exits, World};

/// Metres of a way that queues are counted by.
const BUCKET: f64 = 1.0;

/// Agents on the way to an exit, by the length of the way that they have still to go.
#[derive(Default)]
struct Queue {
    /// How many agents have less to go than so many buckets; by number of buckets.
    nearer: Vec<u32>,
}

impl Queue {
    fn note(&mut self, metres: f64) {
        let bucket = (metres / BUCKET) as usize;
        if self.nearer.len() <= bucket + 1 {
            self.nearer.resize(bucket + 2, 0);
        }
        self.nearer[bucket + 1] += 1;
    }

    fn sum_up(&mut self) {
        for bucket in 1..self.nearer.len() {
            self.nearer[bucket] += self.nearer[bucket - 1];
        }
    }

    /// How many agents are nearer than so many metres.
    fn ahead(&self, metres: f64) -> u32 {
        let bucket = (metres / BUCKET) as usize;
        let last = self.nearer.last().copied().unwrap_or(0);
        self.nearer.get(bucket).copied().unwrap_or(last)
    }
}

/// Fields to the exits of a group, and metres of a unit of them.
struct Ways<'a> {
    fields: Vec<&'a [i32]>,
    scale: f64,
    stride: usize,
}

impl<'a> Ways<'a> {
    /// The fields to the exits of a choice, once all of them are done.
    fn new<N: Numbers>(world: &'a World<N>, choice: &Exits) -> Option<Self> {
        let fields = &world.routes.fields;
        let field = |&party: &u16| {
            let row = &world.groups.list[usize::from(party)];
            let field = row.field.filter(|_| row.next_field.is_none() || row.field.is_some())?;
            fields.distances(field)
        };
        let map = &world.ground.map;
        Some(Self {
            fields: choice.parties.iter().map(field).collect::<Option<_>>()?,
            scale: map.cell_size() / 256.0,
            stride: map.stride() as usize,
        })
    }

    /// Metres from a cell to an exit; nothing where no way leads there.
    fn metres(&self, exit: usize, cell: usize) -> Option<f64> {
        let field = self.fields[exit];
        let own = field[cell];
        if own != UNREACHED {
            return Some(f64::from(own) * self.scale);
        }
        // An agent that touches a wall may have its centre in a cell that is too near to it.
        let corner = cell.saturating_sub(self.stride + 1);
        let around = (0..9).map(|i| field[corner + i / 3 * self.stride + i % 3]);
        around.filter(|&units| units != UNREACHED).min().map(|units| f64::from(units) * self.scale)
    }
}

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    for index in 0..world.traffic.choices.len() {
        let moves = moves(world, &world.traffic.choices[index]);
        for (row, party) in moves {
            world.note_look(row);
            if let Some(party) = party {
                world.join_group(row, party);
            }
        }
    }
}

/// Rows of agents that change to another party, with that party; where the group's agents differ in
/// patience, the rows of all agents that looked, with `None` for no change.
fn moves<N: Numbers>(world: &World<N>, choice: &Exits) -> Vec<(usize, Option<u16>)> {
    let (tick, base) = (world.log.tick, choice.group.index());
    let round = choice.round(world.settings.tick_rate);
    let new = world.groups.list[usize::from(base)].members > 0;
    let is_round = tick.is_multiple_of(round);
    if !(new || is_round) {
        return Vec::new();
    }
    let Some(ways) = Ways::new(world, choice) else { return Vec::new() };
    let tags = &world.agents.rows.tag[..];
    let cell = |row: usize| world.ground.cell_of(world.agents.rows.pos[row]) as usize;
    let party = |group: u16| choice.parties.iter().position(|&party| party == group);
    let mut queues: Vec<Queue> = choice.parties.iter().map(|_| Queue::default()).collect();
    for (row, tag) in tags.iter().enumerate().filter(|(_, tag)| !tag.is_done()) {
        if let Some(exit) = party(tag.group)
            && let Some(metres) = ways.metres(exit, cell(row))
        {
            queues[exit].note(metres);
        }
    }
    queues.iter_mut().for_each(Queue::sum_up);
    let (turn, differ) = ((tick / round) as u32, world.differ_in_patience(choice.group));
    let looks = |id: u32| match differ {
        true => !world.keeps_to_exit(id),
        false => id % 4 == turn % 4,
    };
    let mut moves = Vec::new();
    for (row, tag) in tags.iter().enumerate() {
        let own = party(tag.group);
        let is_due = match own {
            None => tag.group == base && !world.waits(tag.id),
            Some(_) => is_round && looks(tag.id) && !tag.is_done(),
        };
        if !is_due {
            continue;
        }
        let best = best(world, choice, row, own, |exit| {
            let metres = ways.metres(exit, cell(row))?;
            Some((metres, queues[exit].ahead(metres)))
        });
        let other = best.filter(|&exit| Some(exit) != own).map(|exit| choice.parties[exit]);
        if other.is_some() || differ {
            moves.push((row, other));
        }
    }
    moves
}

/// The exit that the agent in a row goes to: `own` is that which it has chosen before, and `look` gives
/// the metres to an exit and how many are ahead there.
fn best<N: Numbers>(
    world: &World<N>,
    choice: &Exits,
    row: usize,
    own: Option<usize>,
    look: impl Fn(usize) -> Option<(f64, u32)>,
) -> Option<usize> {
    let (id, tag) = (world.id(row), world.agents.rows.tag[row]);
    let pace = world.agents.paces.get(tag.id as usize).map_or(0, |&pace| pace as i8);
    let pace = f64::from(i32::from(pace) + 64).max(1.0) / 64.0;
    let speed = world.groups.list[usize::from(tag.group)].def.speed * pace;
    let expected = |exit: usize| {
        let (metres, ahead) = look(exit)?;
        let queue = choice.def.crowd * f64::from(ahead) / choice.def.exits[exit].flow;
        let way = metres / speed;
        let seconds = if queue > way { queue } else { way };
        // Of two queues alike, the nearer one.
        let kept = if Some(exit) == own { 1.0 - choice.def.stay } else { 1.0 };
        Some((seconds * kept, metres, exit))
    };
    let least = |exits: &mut dyn Iterator<Item = usize>| {
        let timed = exits.filter_map(expected);
        timed.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)))
    };
    let exits = 0..choice.parties.len();
    let known = |&exit: &usize| choice.knows(world.settings.seed, id, exit);
    let found = least(&mut exits.clone().filter(known));
    let near = |&exit: &usize| look(exit).map(|(metres, _)| metres);
    let nearest = || {
        let all = exits.clone().filter_map(|exit| Some((near(&exit)?, exit)));
        all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, exit)| exit)
    };
    found.map(|(.., exit)| exit).or_else(nearest)
}

//! Orders about what agents differ in, whom they follow, and how they come and go; structures.

use super::world::Draw;
use throng::data::Id;
use throng::world::{
    Distribution, Exit, ExitsDef, FollowDef, GroupDef, Inflow, Order, SourceDef, StructureDef,
    VaryDef,
};
use throng::{GroupId, SourceId, StructureId};

impl Draw {
    /// A distribution of numbers, mostly between two.
    fn distribution(&mut self, [low, high]: [f64; 2]) -> Distribution {
        let [a, b] = [self.between(low, high), self.between(low, high)];
        let drawn = match self.below(4) {
            0 => Distribution::constant(a),
            1 => Distribution::uniform(a.min(b), a.max(b)),
            2 => Distribution::normal(a, (high - low) / 4.0),
            _ => Distribution::log_normal(a.max(0.01), (high - low) / 4.0),
        };
        if self.once_in(8) { drawn } else { drawn.within(low, high) }
    }

    fn maybe(&mut self, range: [f64; 2]) -> Option<Distribution> {
        self.once_in(2).then(|| self.distribution(range))
    }

    /// What the agents of a group differ in, which is of this kind if it is still the one that was drawn.
    pub(super) fn vary(&mut self, group: GroupId, def: &GroupDef) -> Order {
        let slowest = def.speed / 64.0;
        let def = VaryDef {
            speed: self.maybe([slowest, 2.0 * def.speed]),
            wait: self.maybe([0.0, 3.0]),
            radius: self.maybe([0.05, def.radius]),
            response: self.maybe([0.02, 2.0]),
            patience: self.maybe([0.0, 5.0]),
        };
        Order::Vary { group, def }
    }

    /// A group follows another, or an agent that may live.
    fn follow(&mut self, group: GroupId) -> Order {
        let def = match self.once_in(4) {
            true => FollowDef::agent(Id { index: self.below(60), generation: 1 }),
            false => FollowDef::group(self.group()),
        };
        Order::Follow { group, def: def.gap(self.between(0.0, 3.0)) }
    }

    fn choose(&mut self, group: GroupId) -> Order {
        let mut exit = || {
            let (flow, known) = (self.between(0.1, 4.0), self.of(&[1.0, 1.0, 0.5, 0.0]));
            Exit { known, ..Exit::new(self.shapes(), flow) }
        };
        let exits: Vec<Exit> = [exit(), exit()].into();
        let every = self.between(0.05, 2.0);
        Order::Choose { group, def: ExitsDef { every, ..ExitsDef::among(exits) } }
    }

    fn source(&mut self, group: GroupId) -> Order {
        let rate = self.between(0.1, 20.0);
        let def = match self.below(3) {
            0 => SourceDef::at_rate(rate),
            1 => SourceDef::poisson(rate),
            _ => {
                let batches = vec![[self.between(0.0, 1.0), f64::from(self.below(30))]];
                SourceDef { inflow: Inflow::Batches(batches), ..SourceDef::default() }
            }
        };
        let count = self.of(&[0, 0, 5, 50]);
        Order::Source { group, area: self.shapes(), def: SourceDef { count, ..def } }
    }

    /// An order of one of these kinds.
    pub(super) fn traffic(&mut self) -> Order {
        let group = self.group();
        match self.below(12) {
            0 | 1 => {
                let known = self.defs.len().max(1);
                let index = usize::from(group.index()) % known;
                let def = self.defs.get(index).cloned().unwrap_or_default();
                self.vary(group, &def)
            }
            2..=4 => self.follow(group),
            5 => self.choose(group),
            6 => {
                self.sources += 1;
                self.source(group)
            }
            7 => {
                let sources = self.sources;
                Order::CloseSource { source: SourceId::new(self.index(sources)) }
            }
            8 | 9 => {
                let groups = if self.once_in(2) { vec![group] } else { Vec::new() };
                Order::Sink { area: self.shapes(), groups }
            }
            10 => {
                self.structures += 1;
                let team = self.of(&[None, None, Some(0), Some(1)]);
                let health = self.number([1.0, 300.0], [0.5, 1.0e9]);
                let def = StructureDef { team, ..StructureDef::new(health) };
                Order::Structure { area: self.shapes(), def }
            }
            _ => {
                let structures = self.structures;
                Order::Attack { group, structure: StructureId::new(self.index(structures)) }
            }
        }
    }
}

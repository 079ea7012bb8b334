//! Companies: several groups under one order, at the pace of the slowest, perhaps in formation.
//!
//! A company in formation follows its anchor: a point with a heading that goes along a flow field
//! and waits for members that lag. Every member has a slot at a fixed offset from the anchor.

use serde::{Deserialize, Serialize};

use crate::data::record::record;
use crate::data::{CompanyId, GroupId};
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::world::error::check;
use crate::world::limits::SPACING;
use crate::world::{Formation, MAX_GROUPS, World, WorldError};

/// Most files of a formation.
pub const MAX_FILES: u32 = 1 << 24;

/// The groups of a company and how they go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompanyDef {
    /// Its groups, at least one, none of them in another company. In a formation they
    /// stand in this order, the first in front.
    pub groups: Vec<GroupId>,
    /// The shape that they keep; none when each group goes by itself, as fast as the slowest.
    pub formation: Option<Formation>,
    /// Metres between neighbours in the formation, 0.1 ..= 100. Without it 1.25 × the largest
    /// distance at which two members of a group push each other.
    pub spacing: Option<f64>,
    /// Members side by side in the widest rank, 1 ..= [`MAX_FILES`]; as the formation has it
    /// without it.
    pub files: Option<u32>,
}

/// A company of a world.
#[derive(Clone, Debug)]
pub struct Company<N: Numbers> {
    /// Its groups and how they go.
    pub def: CompanyDef,
    /// Where it was ordered to, and the middle of that.
    pub(crate) goal: Option<CompanyGoal<N>>,
    /// What its formation stands around; none before the first tick of an order, and while it has
    /// no formation.
    pub(crate) anchor: Option<Anchor<N>>,
    /// Whether it is to keep its formation now.
    pub(crate) forms: bool,
    /// Slots of the members in the formation; `World::place_of` names an agent's slot.
    pub(crate) slots: Vec<Slot<N>>,
    /// How many companies had its index before.
    pub(crate) generation: u16,
    /// Whether it was removed: it has no groups.
    pub(crate) is_removed: bool,
}

/// The goal of a company.
#[derive(Clone, Debug)]
pub(crate) struct CompanyGoal<N> {
    /// As ordered.
    pub(crate) shapes: Vec<Shape>,
    /// Where the anchor comes to rest.
    pub(crate) target: [N; 2],
}

record! {
    /// The point that a formation stands around, half way between its front and its rear.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Anchor<N: Numbers> {
        /// Where it is, in metres.
        pub pos: [N; 2],
        /// The direction of the front, a unit vector.
        pub heading: [N; 2],
        /// How fast it goes, m/s.
        pub speed: N,
        /// Share of full speed that the members' lag leaves it.
        pub(crate) speed_factor: N,
        /// Distance of the farthest slot, m.
        pub(crate) reach: N,
        /// Whether it has taken up the direction of its field.
        pub(crate) has_set_out: bool,
        /// Whether it is where it is to stay.
        pub rests: bool,
        /// Whether slots are to be given anew.
        pub(crate) reform: bool,
        /// Whether a member is far from its slot.
        pub(crate) is_untidy: bool,
    }
}

record! {
    /// A member's place in a formation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Slot<N: Numbers> {
        /// Index part of the member's id.
        pub(crate) id: u32,
        /// Metres to the right of the anchor and in front of it.
        pub(crate) offset: [N; 2],
    }
}

impl CompanyDef {
    fn check<N: Numbers>(&self, world: &World<N>) -> Result<(), WorldError> {
        if self.groups.is_empty() {
            return Err(WorldError::Company("a company needs at least one group".to_owned()));
        }
        for (i, &group) in self.groups.iter().enumerate() {
            if !world.groups.has(group) {
                let groups = world.groups.list.len();
                return Err(WorldError::NoSuchGroup { group, groups });
            }
            if let Some(other) = world.groups.list[usize::from(group)].company {
                let why = format!("group {group} belongs to company {other}");
                return Err(WorldError::Company(why));
            }
            if self.groups[..i].contains(&group) {
                return Err(WorldError::Company(format!("group {group} is named twice")));
            }
        }
        self.check_numbers()
    }

    /// Indices of its groups.
    pub(crate) fn indices(&self) -> Vec<u16> {
        self.groups.iter().map(|group| group.index()).collect()
    }

    /// Refuses numbers that are out of range.
    pub(crate) fn check_numbers(&self) -> Result<(), WorldError> {
        if let Some(spacing) = self.spacing {
            SPACING.check(spacing)?;
        }
        check("files", f64::from(self.files.unwrap_or(1)), 1.0, f64::from(MAX_FILES))
    }
}

impl<N: Numbers> Company<N> {
    fn new(def: CompanyDef, generation: u16) -> Self {
        let (goal, anchor, slots) = (None, None, Vec::new());
        Self { def, goal, anchor, forms: false, slots, generation, is_removed: false }
    }

    /// Whether it was removed: it has no groups, and its index can be that of another company.
    pub fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// What the formation stands around, while the company keeps one.
    pub fn anchor(&self) -> Option<Anchor<N>> {
        self.anchor
    }
}

impl<N: Numbers> World<N> {
    /// Adds a company; it gets the index of a removed one, or the next. Its groups go on as they did until
    /// its first order.
    ///
    /// # Errors
    /// When it has no group, one that does not exist, is named twice or belongs to another company,
    /// when a number is out of range, or there are too many companies.
    pub fn add_company(&mut self, def: CompanyDef) -> Result<CompanyId, WorldError> {
        def.check(self)?;
        let is_free = |company: &Company<N>| company.is_removed && company.generation < u16::MAX;
        let free = self.groups.companies.iter().position(is_free);
        if free.is_none() && self.groups.companies.len() == MAX_GROUPS {
            let asked = MAX_GROUPS as u64 + 1;
            return Err(WorldError::TooMany { what: "companies", asked, most: MAX_GROUPS as u64 });
        }
        let index = free.unwrap_or(self.groups.companies.len()) as u16;
        for &group in &def.groups {
            self.groups.list[usize::from(group)].company = Some(index);
        }
        match self.groups.companies.get_mut(usize::from(index)) {
            Some(former) => *former = Company::new(def, former.generation + 1),
            None => self.groups.companies.push(Company::new(def, 0)),
        }
        Ok(self.groups.company_id(index))
    }

    /// The companies, in the order they were added.
    pub fn companies(&self) -> &[Company<N>] {
        &self.groups.companies
    }

    /// The metres between neighbours in a company's formation.
    ///
    /// # Panics
    /// When there is no such company.
    pub fn spacing(&self, company: CompanyId) -> f64 {
        self.groups.spacing(company.index())
    }
}

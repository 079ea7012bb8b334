//! All kept state as columns: the one list that digests, snapshots and differences share.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::definition::Definition;
use crate::data::{ColumnView, Kind, Row, Word, row};
use crate::lane::Numbers;
use crate::nav::field::FieldSnapshot;
use crate::world::snapshot_rows::Rows;
use crate::world::{
    CHANGED_CELL, COMMANDER, COURSE, Goal, GroupDef, PAST_CELL, TALLY, VariantSet, WeaponDef,
    World, snapshot_rows, write_behaviours, write_shapes,
};

/// A column of the state: lists of rows, one list for each owner (a group, a field), or a single one.
pub(super) struct StateColumn<'a> {
    /// `table.column`.
    pub(super) name: &'static str,
    /// Unit of the values.
    pub(super) unit: &'static str,
    /// What a row consists of.
    pub(super) words: &'static [Word],
    pub(super) content: Content<'a>,
}

/// Appends some rows to bytes.
type WriteRows<'a> = dyn Fn(Range<usize>, &mut Vec<u8>) + Sync + 'a;

/// Where a column's rows come from.
pub(super) enum Content<'a> {
    /// Rows in memory, in native byte order.
    Stored(Vec<&'a [u8]>),
    /// One list of so many rows, which are appended as little-endian bytes.
    Shared(usize, Box<WriteRows<'a>>),
    /// Few rows, made when they are asked for, as little-endian bytes.
    Made(Box<dyn Fn() -> Vec<Vec<u8>> + Sync + 'a>),
}

impl<'a> StateColumn<'a> {
    /// Bytes of a row.
    pub(super) fn width(&self) -> usize {
        row::width(self.words)
    }

    /// The rows of every list as little-endian bytes.
    pub(super) fn lists(&self) -> Vec<Cow<'a, [u8]>> {
        match &self.content {
            Content::Stored(lists) => {
                lists.iter().map(|&list| little_endian(self.words, list)).collect()
            }
            Content::Shared(rows, write) => {
                let mut bytes = Vec::with_capacity(rows * self.width());
                write(0..*rows, &mut bytes);
                vec![Cow::Owned(bytes)]
            }
            Content::Made(make) => make().into_iter().map(Cow::Owned).collect(),
        }
    }
}

/// Rows in memory as files and digests have them.
pub(super) fn little_endian<'a>(words: &[Word], rows: &'a [u8]) -> Cow<'a, [u8]> {
    if cfg!(target_endian = "little") {
        return Cow::Borrowed(rows);
    }
    let mut rows = rows.to_vec();
    row::swap_bytes(words, &mut rows);
    Cow::Owned(rows)
}

const BYTES: &[Word] = <u8 as Row>::WORDS;
const CLOCK: &[Word] = &[
    Word::new("ticks", Kind::U64),
    Word::new("orders", Kind::U64),
    Word::new("map_version", Kind::U32),
];
const SETTINGS: &[Word] = &[
    Word::new("tick_rate", Kind::U32),
    Word::new("seed", Kind::U64),
    Word::new("field_cells_per_tick", Kind::U32),
    Word::new("field_jobs", Kind::U32),
    Word::new("contact_passes", Kind::U32),
    Word::new("field_cache_bytes", Kind::U64),
    Word::new("crowding_ticks", Kind::U32),
    Word::new("route_expansions_per_tick", Kind::U32),
];
/// A field without directions.
const NOT_SHOWN: u32 = u32::MAX;
/// The words of a flow field.
const FIELD: &[Word] = &[
    Word::new("generation", Kind::U32),
    Word::new("holders", Kind::U32),
    Word::new("used", Kind::U64),
    Word::new("class", Kind::U32),
    Word::new("work", Kind::U64),
    Word::new("shown", Kind::U32),
    Word::new("target", Kind::U32),
    Word::new("repaired", Kind::U8),
    Word::new("outdated", Kind::U8),
    Word::new("crowd_block", Kind::U32),
    Word::new("crowd_stride", Kind::U32),
];

/// Rows that are kept as they lie in memory.
fn stored<'a, T: Row>(name: &'static str, unit: &'static str, rows: &'a [T]) -> StateColumn<'a> {
    stored_lists(name, unit, vec![rows])
}

fn stored_lists<'a, T: Row>(
    name: &'static str,
    unit: &'static str,
    lists: Vec<&'a [T]>,
) -> StateColumn<'a> {
    let lists = lists.into_iter().map(|rows| bytemuck::cast_slice(rows)).collect();
    StateColumn { name, unit, words: T::WORDS, content: Content::Stored(lists) }
}

/// Rows that are written when they are asked for.
fn made<'a>(
    name: &'static str,
    unit: &'static str,
    words: &'static [Word],
    make: impl Fn() -> Vec<Vec<u8>> + Sync + 'a,
) -> StateColumn<'a> {
    StateColumn { name, unit, words, content: Content::Made(Box::new(make)) }
}

/// One list, which a function appends to.
fn single(write: impl FnOnce(&mut Vec<u8>)) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    vec![bytes]
}

/// A list of bytes for each item.
fn each<T>(items: impl Iterator<Item = T>, write: impl Fn(T, &mut Vec<u8>)) -> Vec<Vec<u8>> {
    let list = |item| {
        let mut bytes = Vec::new();
        write(item, &mut bytes);
        bytes
    };
    items.map(list).collect()
}

/// All kept state, in a stated order. Columns of a table (the name before the dot) stand together.
pub(super) fn columns<N: Numbers>(world: &World<N>) -> Vec<StateColumn<'_>> {
    let mut columns = vec![made("world.clock", "", CLOCK, || {
        single(|to| {
            to.u64(world.log.tick);
            to.u64(world.log.ordered);
            to.u32(world.routes.fields.version());
        })
    })];
    map(world, &mut columns);
    columns.push(made("world.settings", "", SETTINGS, || single(|to| world.settings.write(to))));
    let (generation, free) = world.agents.ids.parts();
    columns.push(stored("ids.generation", "", generation));
    columns.push(stored("ids.free", "", free));
    columns.push(stored("ids.place", "", &world.agents.place_of[..]));
    columns.push(stored("ids.home", "m", &world.agents.home[..]));
    weapons(world, &mut columns);
    groups(world, &mut columns);
    companies(world, &mut columns);
    strategies(world, &mut columns);
    fields(world, &mut columns);
    ways(world, &mut columns);
    minds(world, &mut columns);
    let tables = [
        world.agents.rows.columns(),
        world.combat.combatants.columns(),
        world.combat.projectiles.columns(),
    ];
    columns.extend(tables.into_iter().flatten().map(of_view));
    columns
}

/// What was built and taken down; empty on a map as it was given.
fn map<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("map.cells", "", CHANGED_CELL, || {
        single(|to| world.ground.changes.cells.iter().for_each(|cell| cell.write(to)))
    }));
    columns.push(made("map.log", "", PAST_CELL, || {
        single(|to| world.ground.changes.log.iter().for_each(|past| past.write(to)))
    }));
}

fn of_view(view: ColumnView<'_>) -> StateColumn<'_> {
    let ColumnView { name, unit, words, bytes } = view;
    StateColumn { name, unit, words, content: Content::Stored(vec![bytes]) }
}

/// All empty unless a group finds its own way.
fn ways<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    let ways = || world.groups.list.iter().map(|group| &group.way);
    let seeds = ways().map(|way| way.goals.seeds()).collect();
    columns.push(stored_lists("navigation.seeds", "", seeds));
    let area = ways().map(|way| way.goals.area()).collect();
    columns.push(stored_lists("navigation.area", "", area));
    let crumbs = ways().map(|way| &way.crumbs[..]).collect();
    columns.push(stored_lists("navigation.crumbs", "", crumbs));
    columns.push(stored("navigation.queue", "", &world.routes.navigation.queue[..]));
    let debts =
        if world.routes.steps.step.is_empty() { 0 } else { world.routes.navigation.debt.len() };
    columns.push(stored("navigation.debt", "", &world.routes.navigation.debt[..debts]));
    columns.extend(world.routes.steps.columns().into_iter().map(of_view));
}

/// All empty unless a group thinks.
fn minds<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("minds.def", "", BYTES, || {
        single(|to| world.minds.list.iter().for_each(|mind| mind.def.write(to)))
    }));
    columns.push(made("minds.families", "", BYTES, || {
        single(|to| {
            world.minds.variant_sets.iter().for_each(|variant_set| write_family(variant_set, to))
        })
    }));
    columns.push(stored("minds.signals", "", &world.minds.signals[..]));
    columns.extend(world.minds.thoughts.columns().into_iter().map(of_view));
}

fn weapons<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("weapons.def", "", WeaponDef::WORDS, || {
        single(|to| world.combat.weapons.iter().for_each(|weapon| weapon.def.write(to)))
    }));
    columns.push(made("weapons.tally", "", TALLY, || {
        single(|to| world.combat.weapons.iter().for_each(|weapon| weapon.tally.write(to)))
    }));
}

fn groups<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("groups.traits", "", GroupDef::WORDS, || {
        single(|to| world.groups.list.iter().for_each(|group| group.def.write(to)))
    }));
    columns.push(made("groups.costs", "", snapshot_rows::LETTER, || {
        each(world.groups.list.iter(), |group, to| group.def.write_letters(to))
    }));
    columns.push(made("groups.order", "", Rows::<N>::GROUP, || {
        let rows = world.groups.list.iter().zip(&world.groups.traits);
        single(|to| rows.for_each(|(group, traits)| snapshot_rows::write_group(group, traits, to)))
    }));
    columns.push(made("groups.goal", "", BYTES, || {
        each(world.groups.list.iter(), |group, to| {
            let shapes = group.goal.as_ref().map(|goal| &goal.shapes[..]);
            write_shapes(shapes.unwrap_or_default(), to);
        })
    }));
    columns.push(made("groups.behaviours", "", BYTES, || {
        each(world.groups.list.iter(), |group, to| write_behaviours(&group.behaviours, to))
    }));
    let places = |goal: &'a Goal<N>| &goal.places[..];
    let places = world.groups.list.iter().map(|group| group.goal.as_ref().map_or(&[][..], places));
    columns.push(stored_lists("groups.places", "m", places.collect()));
    columns.push(made("groups.free", "", u32::WORDS, || {
        each(world.groups.list.iter(), |group, to| {
            let free = group.goal.iter().flat_map(|goal| goal.free.iter().flatten());
            free.for_each(|&place| to.u32(place));
        })
    }));
}

fn companies<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("companies.def", "", BYTES, || {
        each(world.groups.companies.iter(), |company, to| company.def.write(to))
    }));
    columns.push(made("companies.order", "", Rows::<N>::COMPANY, || {
        single(|to| {
            world
                .groups
                .companies
                .iter()
                .for_each(|company| snapshot_rows::write_company(company, to))
        })
    }));
    columns.push(made("companies.goal", "", BYTES, || {
        each(world.groups.companies.iter(), |company, to| {
            let shapes = company.goal.as_ref().map(|goal| &goal.shapes[..]);
            write_shapes(shapes.unwrap_or_default(), to);
        })
    }));
    columns.push(made("companies.slots", "m", Rows::<N>::SLOT, || {
        each(world.groups.companies.iter(), |company, to| {
            for slot in &company.slots {
                to.u32(slot.id);
                slot.offset.iter().for_each(|number| to.u32(number.bits()));
            }
        })
    }));
}

/// All empty unless a team has strategies.
fn strategies<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    columns.push(made("strategies.team", "", COMMANDER, || {
        single(|to| {
            for commander in &world.teams.commanders {
                to.u8(commander.team);
                to.u64(commander.fallen);
            }
        })
    }));
    columns.push(made("strategies.def", "", BYTES, || {
        each(world.teams.commanders.iter(), |commander, to| commander.def.write(to))
    }));
    columns.push(made("strategies.course", "", COURSE, || {
        each(world.teams.commanders.iter(), |commander, to| {
            commander.courses.iter().for_each(|course| course.write(to));
        })
    }));
}

fn fields<'a, N: Numbers>(world: &'a World<N>, columns: &mut Vec<StateColumn<'a>>) {
    // Both empty unless a group avoids crowds.
    columns.push(stored("crowding.cost", "1/4096", world.routes.crowding.kept()));
    let past =
        move |rows: Range<usize>, to: &mut Vec<u8>| world.routes.crowding.write_past(rows, to);
    let rows = world.routes.crowding.past_len();
    let content = Content::Shared(rows, Box::new(past));
    let words = <[N; 2] as Row>::WORDS;
    columns.push(StateColumn { name: "crowding.past", unit: "m", words, content });
    // Empty unless somebody holds a place.
    columns.push(stored("crowding.held", "1/16", world.routes.holding.costs().extra()));
    columns.push(made("fields.slot", "", FIELD, || {
        single(|to| {
            for field in world.routes.fields.kept() {
                to.u32(field.generation);
                to.u32(field.holders);
                to.u64(field.used);
                to.u32(field.class);
                to.u64(field.work);
                to.u32(field.shown.unwrap_or(NOT_SHOWN));
                to.u32(field.target);
                to.u8(u8::from(field.repaired));
                to.u8(u8::from(field.outdated));
                field.crowd.layout().iter().for_each(|&number| to.u32(number));
            }
        })
    }));
    let fields = || world.routes.fields.kept();
    columns.push(stored_lists("fields.seeds", "", fields().map(|f| f.goals.seeds()).collect()));
    columns.push(stored_lists("fields.area", "", fields().map(|f| f.goals.area()).collect()));
    let crowds = fields().map(|f| f.crowd.extra()).collect();
    columns.push(stored_lists("fields.crowd", "1/16", crowds));
    columns.push(stored("fields.queue", "", world.routes.fields.queue()));
}

/// Reads a row of [`FIELD`] without its goals and crowds, and how those are laid out.
pub(super) fn read_field(from: &mut Reader<'_>) -> Result<(FieldSnapshot, [u32; 2]), BytesError> {
    let field = FieldSnapshot {
        generation: from.u32("generation")?,
        holders: from.u32("holders")?,
        used: from.u64("used")?,
        class: from.u32("class")?,
        work: from.u64("work")?,
        shown: Some(from.u32("shown")?).filter(|&version| version != NOT_SHOWN),
        target: from.u32("target")?,
        repaired: from.flag("repaired")?,
        outdated: from.flag("outdated")?,
        goals: Default::default(),
        crowd: Default::default(),
    };
    Ok((field, [from.u32("crowd_block")?, from.u32("crowd_stride")?]))
}

/// Appends a variant set to bytes.
fn write_family(variant_set: &VariantSet, to: &mut Vec<u8>) {
    to.run(&postcard::to_allocvec(variant_set).expect("every family can be written"));
}

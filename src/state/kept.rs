//! All kept state: the one list of columns that digests, snapshots, differences and restoring share.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data::ColumnView;
use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::definition::Definition;
use crate::data::number::plural;
use crate::data::record::Record;
use crate::data::row::{self, Row, Word};
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::mind::StrategiesDef;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::rows::{
    Clock, CommanderRow, CompanyRow, DoorParts, FieldSlot, GroupRow, SourceParts, StructureParts,
};
use crate::world::{
    Attack, Behaviour, ChangedCell, Comers, CompanyDef, Condition, Course, Exits, Following, Goal,
    GroupDef, MindDef, PastCell, Settings, Shot, Sink, Slot, Step, Tag, Tally, VariantSet, Variety,
    WeaponDef, World,
};

/// A column of the state: lists of rows, one list for each owner (a group, a field), or a single one.
pub(super) struct StateColumn<'a> {
    /// `table.column`.
    pub(super) name: &'static str,
    /// Unit of the values.
    pub(super) unit: &'static str,
    /// Words of a row.
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

/// What the lists of a column are read as.
trait Held<'a>: Sized {
    const WORDS: &'static [Word];

    fn read(lists: &[&'a [u8]]) -> Result<Self, BytesError>;
}

/// The rows of a list as they lie in memory.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub(super) bytes: &'a [u8],
    row: PhantomData<T>,
}

impl<'a, T: Row> Rows<'a, T> {
    pub(super) fn len(self) -> usize {
        self.bytes.len() / size_of::<T>()
    }

    pub(super) fn get(self, index: usize) -> Option<T> {
        let bytes = self.bytes.get(index * size_of::<T>()..)?.get(..size_of::<T>())?;
        Some(row::read(bytes))
    }

    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = T> + 'a {
        self.bytes.chunks_exact(size_of::<T>()).map(row::read)
    }
}

/// A column of one list.
impl<'a, T: Row> Held<'a> for Rows<'a, T> {
    const WORDS: &'static [Word] = T::WORDS;

    fn read(lists: &[&'a [u8]]) -> Result<Self, BytesError> {
        Ok(Self { bytes: only(lists)?, row: PhantomData })
    }
}

/// A column of one list for each owner.
impl<'a, T: Row> Held<'a> for Vec<Rows<'a, T>> {
    const WORDS: &'static [Word] = T::WORDS;

    fn read(lists: &[&'a [u8]]) -> Result<Self, BytesError> {
        Ok(lists.iter().map(|bytes| Rows { bytes, row: PhantomData }).collect())
    }
}

/// The records of one list.
pub(super) struct Records<T>(pub(super) Vec<T>);

impl<T: Record> Held<'_> for Records<T> {
    const WORDS: &'static [Word] = {
        let words: &'static _ = &T::WORDS;
        words.list()
    };

    fn read(lists: &[&[u8]]) -> Result<Self, BytesError> {
        Ok(Self(all(only(lists)?, |from| T::read(from, ""))?))
    }
}

/// The records of one list for each owner.
pub(super) struct RecordLists<T>(pub(super) Vec<Vec<T>>);

impl<T: Record> Held<'_> for RecordLists<T> {
    const WORDS: &'static [Word] = <Records<T> as Held<'_>>::WORDS;

    fn read(lists: &[&[u8]]) -> Result<Self, BytesError> {
        let list = |bytes: &&[u8]| all(bytes, |from| T::read(from, ""));
        Ok(Self(lists.iter().map(list).collect::<Result<_, _>>()?))
    }
}

/// The definitions of one list, their fields as numbers.
pub(super) struct Definitions<T>(pub(super) Vec<T>);

impl<T: Definition> Held<'_> for Definitions<T> {
    const WORDS: &'static [Word] = T::WORDS;

    fn read(lists: &[&[u8]]) -> Result<Self, BytesError> {
        Ok(Self(all(only(lists)?, T::read)?))
    }
}

/// Values whose parts differ in length: each is a list of bytes.
pub(super) struct Values<T>(pub(super) Vec<T>);

impl<T: DeserializeOwned> Held<'_> for Values<T> {
    const WORDS: &'static [Word] = <u8 as Row>::WORDS;

    fn read(lists: &[&[u8]]) -> Result<Self, BytesError> {
        let value = |bytes: &&[u8]| {
            let mut from = Reader::new(bytes);
            let value = from.value("value")?;
            match from.left() {
                0 => Ok(value),
                left => {
                    Err(from.error("value", format!("{} too many", plural(left as u64, "byte"))))
                }
            }
        };
        Ok(Self(lists.iter().map(value).collect::<Result<_, _>>()?))
    }
}

/// The lists of a column, by its name.
pub(super) type Lists<'a, 'b> = dyn Fn(&str) -> Result<&'b [&'a [u8]], SnapshotError> + 'b;

/// A column, read.
fn held<'a, T: Held<'a>>(lists: &Lists<'a, '_>, name: &str) -> Result<T, SnapshotError> {
    let read = T::read(lists(name)?);
    read.map_err(|error| {
        BytesError { problem: format!("{} in {name}", error.problem), ..error }.into()
    })
}

/// The list of a column that has one.
fn only<'a>(lists: &[&'a [u8]]) -> Result<&'a [u8], BytesError> {
    match lists {
        &[list] => Ok(list),
        _ => Err(Reader::new(&[]).error("lists", format!("there are {}, not one", lists.len()))),
    }
}

/// All rows of a list, and no byte more.
fn all<T>(
    bytes: &[u8],
    mut read: impl FnMut(&mut Reader<'_>) -> Result<T, BytesError>,
) -> Result<Vec<T>, BytesError> {
    let mut reader = Reader::new(bytes);
    let mut rows = Vec::new();
    while reader.left() > 0 {
        rows.push(read(&mut reader)?);
    }
    Ok(rows)
}

fn rows<T: Row>(rows: &[T]) -> Content<'_> {
    lists([rows])
}

fn lists<'a, T: Row>(lists: impl IntoIterator<Item = &'a [T]>) -> Content<'a> {
    Content::Stored(lists.into_iter().map(bytemuck::cast_slice).collect())
}

/// One list of what a function makes, each written by another one.
fn made<'a, I: Iterator>(
    items: impl Fn() -> I + Sync + 'a,
    write: impl Fn(I::Item, &mut Vec<u8>) + Sync + 'a,
) -> Content<'a> {
    Content::Made(Box::new(move || {
        let mut bytes = Vec::new();
        items().for_each(|item| write(item, &mut bytes));
        vec![bytes]
    }))
}

/// A list of bytes for each owner that a function names.
fn made_lists<'a, I: Iterator>(
    owners: impl Fn() -> I + Sync + 'a,
    write: impl Fn(I::Item, &mut Vec<u8>) + Sync + 'a,
) -> Content<'a> {
    let list = move |owner| {
        let mut bytes = Vec::new();
        write(owner, &mut bytes);
        bytes
    };
    Content::Made(Box::new(move || owners().map(&list).collect()))
}

fn records<'a, R: Record, I: Iterator<Item = R>>(items: impl Fn() -> I + Sync + 'a) -> Content<'a> {
    made(items, |record, to| record.write(to))
}

fn values<'a, T: Serialize, I: Iterator<Item = T>>(
    items: impl Fn() -> I + Sync + 'a,
) -> Content<'a> {
    made_lists(items, |value, to| to.value(&value))
}

/// Declares the columns that are not a table of the world: field, name, unit, what it is read as, and
/// where its rows come from. Then which columns of the world's tables are read to be checked.
macro_rules! kept {
    (
        $world:ident;
        $($field:ident: $name:literal, $unit:literal, $type:ty = $content:expr;)+
        @tables { $($checked:ident: $checked_name:literal, $checked_type:ty;)+ }
    ) => {
        /// The columns of an image, read; not yet compared with each other.
        pub(super) struct Kept<'a, N: Numbers> {
            $(pub(super) $field: $type,)+
            $(pub(super) $checked: $checked_type,)+
        }

        impl<'a, N: Numbers> Kept<'a, N> {
            /// Reads the lists of columns by their names; their layout is this program's.
            pub(super) fn read<'b>(lists: &Lists<'a, 'b>) -> Result<Self, SnapshotError> {
                // One after another: within the braces every `?` would have its own code to drop all
                // fields before it.
                $(let $field = held(lists, $name)?;)+
                $(let $checked = held(lists, $checked_name)?;)+
                Ok(Self { $($field,)+ $($checked,)+ })
            }
        }

        fn listed<'a, N: Numbers>($world: &'a World<N>) -> Vec<StateColumn<'a>> {
            vec![$(StateColumn {
                name: $name,
                unit: $unit,
                words: <$type as Held<'a>>::WORDS,
                content: $content,
            },)+]
        }
    };
}

kept! { world;
    clock: "world.clock", "", Records<Clock> = records(|| {
        let (ticks, orders) = (world.log.tick, world.log.ordered);
        [Clock { ticks, orders, map_version: world.routes.fields.version() }].into_iter()
    });
    settings: "world.settings", "", Values<Settings> = values(|| [&world.settings].into_iter());
    cells: "map.cells", "", Records<ChangedCell> =
        records(|| world.ground.changes.cells.iter().copied());
    log: "map.log", "", Records<PastCell> = records(|| world.ground.changes.log.iter().copied());
    generation: "ids.generation", "", Rows<'a, u32> = rows(world.agents.ids.parts().0);
    free: "ids.free", "", Rows<'a, u32> = rows(world.agents.ids.parts().1);
    place: "ids.place", "", Rows<'a, u32> = rows(&world.agents.place_of);
    home: "ids.home", "m", Rows<'a, [N; 2]> = rows(&world.agents.home);
    labels: "ids.label", "", Rows<'a, u64> = rows(&world.agents.labels);
    paces: "ids.pace", "1/64", Rows<'a, u8> = rows(&world.agents.paces);
    waits: "ids.wait", "tick", Rows<'a, u64> = rows(&world.agents.waits);
    heads: "ids.head", "m", Rows<'a, [N; 2]> = rows(&world.agents.heads);
    leaders: "ids.leader", "", Rows<'a, u64> = rows(&world.agents.leaders);
    chooses: "ids.chooses", "tick", Rows<'a, u64> = rows(&world.agents.chooses);
    smaller: "ids.smaller", "1/16384", Rows<'a, u16> = rows(&world.groups.own.smaller);
    slower: "ids.slower", "1/16384", Rows<'a, u16> = rows(&world.groups.own.slower);
    weapon_defs: "weapons.def", "", Definitions<WeaponDef> =
        made(|| world.combat.weapons.iter(), |weapon, to| weapon.def.write(to));
    tallies: "weapons.tally", "", Records<Tally> =
        records(|| world.combat.weapons.iter().map(|weapon| weapon.tally));
    group_defs: "groups.traits", "", Definitions<GroupDef> =
        made(|| world.groups.list.iter(), |group, to| group.def.write(to));
    letters: "groups.costs", "", Vec<Rows<'a, [u8; 2]>> =
        lists(world.groups.list.iter().map(|group| group.def.terrain.letters()));
    groups: "groups.order", "", Records<GroupRow<N>> =
        records(|| world.groups.list.iter().zip(&world.groups.traits).map(GroupRow::of));
    goals: "groups.goal", "", Values<Vec<Shape>> = values(|| {
        world.groups.list.iter().map(|group| group.goal.as_ref().map_or(&[][..], |goal| &goal.shapes))
    });
    behaviours: "groups.behaviours", "", Values<Vec<Behaviour>> =
        values(|| world.groups.list.iter().map(|group| &group.behaviours));
    places: "groups.places", "m", Vec<Rows<'a, [N; 2]>> =
        lists(world.groups.list.iter().map(|group| group.goal.as_ref().map_or(&[][..], |g| &g.places)));
    free_places: "groups.free", "", RecordLists<u32> = made_lists(
        || world.groups.list.iter(),
        |group, to| {
            let free = group.goal.iter().flat_map(|goal: &Goal<N>| goal.free.iter().flatten());
            free.for_each(|place| place.write(to));
        },
    );
    company_defs: "companies.def", "", Values<CompanyDef> =
        values(|| world.groups.companies.iter().map(|company| &company.def));
    companies: "companies.order", "", Records<CompanyRow<N>> =
        records(|| world.groups.companies.iter().map(CompanyRow::of));
    company_goals: "companies.goal", "", Values<Vec<Shape>> = values(|| {
        let companies = world.groups.companies.iter();
        companies.map(|company| company.goal.as_ref().map_or(&[][..], |goal| &goal.shapes))
    });
    slots: "companies.slots", "m", RecordLists<Slot<N>> = made_lists(
        || world.groups.companies.iter(),
        |company, to| company.slots.iter().for_each(|slot| slot.write(to)),
    );
    commanders: "strategies.team", "", Records<CommanderRow> = records(|| {
        let teams = world.teams.commanders.iter();
        teams.map(|commander| CommanderRow { team: commander.team, fallen: commander.fallen })
    });
    strategies: "strategies.def", "", Values<StrategiesDef> =
        values(|| world.teams.commanders.iter().map(|commander| &*commander.def));
    courses: "strategies.course", "", RecordLists<Course> = made_lists(
        || world.teams.commanders.iter(),
        |commander, to| commander.courses.iter().for_each(|course| course.write(to)),
    );
    crowd_cost: "crowding.cost", "1/4096", Rows<'a, u16> = rows(world.routes.crowding.kept());
    crowd_past: "crowding.past", "m", Rows<'a, [N; 2]> = Content::Shared(
        world.routes.crowding.past_len(),
        Box::new(|rows, to| world.routes.crowding.write_past(rows, to)),
    );
    held: "crowding.held", "1/16", Rows<'a, u8> = rows(world.routes.holding.costs().extra());
    fields: "fields.slot", "", Records<FieldSlot> =
        records(|| world.routes.fields.kept().map(FieldSlot::of));
    field_seeds: "fields.seeds", "", Vec<Rows<'a, u32>> =
        lists(world.routes.fields.kept().map(|field| field.goals.seeds()));
    field_area: "fields.area", "", Vec<Rows<'a, u32>> =
        lists(world.routes.fields.kept().map(|field| field.goals.area()));
    field_crowd: "fields.crowd", "1/16", Vec<Rows<'a, u8>> =
        lists(world.routes.fields.kept().map(|field| field.crowd.extra()));
    field_queue: "fields.queue", "", Rows<'a, u32> = rows(world.routes.fields.queue());
    minds: "minds.def", "", Values<MindDef> =
        values(|| world.minds.list.iter().map(|mind| &mind.def));
    variant_sets: "minds.variants", "", Values<VariantSet> =
        values(|| world.minds.variant_sets.iter());
    signals: "minds.signals", "", Rows<'a, u64> = rows(&world.minds.signals);
    seeds: "navigation.seeds", "", Vec<Rows<'a, u32>> =
        lists(world.groups.list.iter().map(|group| group.way.goals.seeds()));
    area: "navigation.area", "", Vec<Rows<'a, u32>> =
        lists(world.groups.list.iter().map(|group| group.way.goals.area()));
    crumbs: "navigation.crumbs", "", Vec<Rows<'a, u32>> =
        lists(world.groups.list.iter().map(|group| &group.way.crumbs[..]));
    queue: "navigation.queue", "", Rows<'a, u32> = rows(&world.routes.navigation.queue);
    debt: "navigation.debt", "", Rows<'a, u64> = rows(world.routes.kept_debt());
    sources: "traffic.sources", "", Values<SourceParts> = values(|| {
        world.traffic.sources.iter().map(|source| (source.group, &source.area, &source.def))
    });
    comers: "traffic.comers", "", Records<Comers> =
        records(|| world.traffic.sources.iter().map(|source| source.comers));
    sinks: "traffic.sinks", "", Values<Sink> = values(|| world.traffic.sinks.iter());
    varieties: "traffic.varieties", "", Values<Variety> = values(|| world.traffic.varieties.iter());
    choices: "traffic.choices", "", Values<Exits> = values(|| world.traffic.choices.iter());
    followings: "traffic.followings", "", Values<Following> =
        values(|| world.traffic.followings.iter());
    structures: "structures.def", "", Values<StructureParts> =
        values(|| world.structures.list.iter().map(|own| (&own.area, &own.def)));
    conditions: "structures.condition", "", Records<Condition> =
        records(|| world.structures.list.iter().map(|structure| structure.condition));
    walls: "structures.walls", "", Vec<Rows<'a, u32>> =
        lists(world.structures.list.iter().map(|structure| &structure.cells[..]));
    attacks: "structures.attacks", "", Values<Attack> =
        values(|| world.structures.attacks.iter());
    doors: "doors.door", "", Values<DoorParts> =
        values(|| world.ground.doors.iter().map(|door| (&door.area, door.is_open)));
    @tables {
        point: "navigation.point", Rows<'a, [N; 2]>;
        step: "navigation.step", Rows<'a, Step>;
        route: "navigation.route", Rows<'a, [N; 16]>;
        state: "thoughts.state", Rows<'a, u8>;
        memory: "thoughts.memory", Rows<'a, [N; 3]>;
        focus: "thoughts.focus", Rows<'a, [N; 2]>;
        pos: "agents.pos", Rows<'a, [N; 2]>;
        vel: "agents.vel", Rows<'a, [N; 2]>;
        tag: "agents.tag", Rows<'a, Tag>;
        health: "fighters.health", Rows<'a, [N; 1]>;
        shot_pos: "projectiles.pos", Rows<'a, [N; 3]>;
        shot_vel: "projectiles.vel", Rows<'a, [N; 3]>;
        shot: "projectiles.shot", Rows<'a, Shot>;
    }
}

impl<N: Numbers> Kept<'_, N> {
    /// Ticks done.
    pub(super) fn tick(&self) -> u64 {
        self.clock.0[0].ticks
    }

    /// How many ids there are.
    pub(super) fn ids(&self) -> usize {
        self.generation.len()
    }
}

/// Refuses columns of a table that are not as long as there are owners.
pub(super) fn expect_lists<const K: usize>(
    table: &str,
    owners: usize,
    lists: [usize; K],
) -> Result<(), SnapshotError> {
    match lists.into_iter().find(|&count| count != owners) {
        Some(count) => Err(contradiction(format!("{table}: a column has {count} of {owners}"))),
        None => Ok(()),
    }
}

/// Whether all numbers of rows lie between the two; NaN does not.
pub(super) fn all_within<N: Numbers>(bytes: &[u8], [least, most]: [N; 2]) -> bool {
    let is_wrong = |bytes: &[u8]| {
        let number = N::from_bits(row::read(bytes));
        u32::from(!(least <= number && number <= most))
    };
    // A sum without a way out early is done in lanes.
    bytes.chunks_exact(4).map(is_wrong).sum::<u32>() == 0
}

/// All kept state, in a stated order. Columns of a table (the name before the dot) stand together.
pub(super) fn columns<N: Numbers>(world: &World<N>) -> Vec<StateColumn<'_>> {
    let mut columns = listed(world);
    let tables = [
        world.routes.steps.columns(),
        world.minds.thoughts.columns(),
        world.agents.rows.columns(),
        world.combat.combatants.columns(),
        world.combat.projectiles.columns(),
    ];
    columns.extend(tables.into_iter().flatten().map(of_view));
    columns
}

fn of_view(view: ColumnView<'_>) -> StateColumn<'_> {
    let ColumnView { name, unit, words, bytes } = view;
    StateColumn { name, unit, words, content: Content::Stored(vec![bytes]) }
}

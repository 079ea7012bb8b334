//! The keys of scenario files, table by table.

use crate::data::definition::Definition;
use crate::generate::{Kind, Walker};
use crate::mind::StepKind;
use crate::scenario::parse::{END, SETTINGS, TOP};
use crate::scenario::parse_behaviour::{BEHAVIOUR, KINDS};
use crate::scenario::parse_company::COMPANY;
use crate::scenario::parse_door::DOOR;
use crate::scenario::parse_fuzzy::{FUZZY, INPUT, OUTPUT, RULE, SHAPES};
use crate::scenario::parse_generate::GENERATE;
use crate::scenario::parse_group::GROUP;
use crate::scenario::parse_machine::MACHINE;
use crate::scenario::parse_map::MAP;
use crate::scenario::parse_map_file::TILED;
use crate::scenario::parse_measure::{AREA, GATE};
use crate::scenario::parse_order::ORDER;
use crate::scenario::parse_plan_step::STEP;
use crate::scenario::parse_shape::AREAS;
use crate::scenario::parse_state::{ERRANDS, GO, STATE};
use crate::scenario::parse_step::{STEP as GENERATED, WALKER, keys_of};
use crate::scenario::parse_strategy::STRATEGY;
use crate::scenario::parse_structure::STRUCTURE;
use crate::scenario::parse_traffic::{DISTRIBUTION, SINK, SOURCE, VARY};
use crate::scenario::parse_weapon::{TEAM, WEAPON};
use crate::scenario::read::keys;
use crate::world::{
    Exit, ExitsDef, FollowDef, GroupDef, Settings, SourceDef, StructureDef, WeaponDef,
};

/// The tables, each by the heading of its section in `docs/scenario.md`, with their keys.
pub(super) fn tables() -> [(&'static str, Vec<&'static str>); 21] {
    [
        ("The top of the file", TOP.to_vec()),
        ("`[end]`", END.to_vec()),
        ("`[map]`", MAP.to_vec()),
        ("`[map.generate]`", GENERATE.to_vec()),
        ("`[[weapon]]`", keys::<WeaponDef>(&WEAPON)),
        ("`[[team]]`", TEAM.to_vec()),
        ("`[[fuzzy]]`", FUZZY.to_vec()),
        ("`[[fuzzy]]`", INPUT.to_vec()),
        ("`[[fuzzy]]`", OUTPUT.to_vec()),
        ("`[[machine]]`", MACHINE.to_vec()),
        ("`[[machine]]`", STATE.to_vec()),
        ("`[[group]]`", keys::<GroupDef>(&GROUP)),
        ("`[[company]]`", COMPANY.to_vec()),
        ("`[[order]]`", ORDER.to_vec()),
        ("`[[source]]`", keys::<SourceDef>(&SOURCE)),
        ("`[[sink]]`", SINK.to_vec()),
        ("`[[door]]`", DOOR.to_vec()),
        ("`[[structure]]`", keys::<StructureDef>(&STRUCTURE)),
        ("`[[gate]]`", GATE.to_vec()),
        ("`[[area]]`", AREA.to_vec()),
        ("`[settings]`", keys::<Settings>(&SETTINGS)),
    ]
}

/// All keys, and most words that they take: a dictionary for fuzzing.
pub fn words() -> impl Iterator<Item = &'static str> {
    let within: [&[&str]; 15] = [
        &AREAS,
        &BEHAVIOUR,
        &DISTRIBUTION,
        &ERRANDS,
        &GENERATED,
        &GO,
        &RULE,
        &SHAPES,
        &STEP,
        &STRATEGY,
        &TILED,
        &VARY,
        &WALKER,
        &Kind::WORDS,
        &StepKind::NAMES,
    ];
    let traffic = Exit::dictionary().chain(ExitsDef::dictionary()).chain(FollowDef::dictionary());
    let declared = GroupDef::dictionary().chain(WeaponDef::dictionary()).chain(traffic);
    let steps = Kind::WORDS.into_iter().flat_map(keys_of).chain(Walker::dictionary());
    let tables = tables().into_iter().flat_map(|(_, keys)| keys).chain(within.concat());
    tables.chain(KINDS.map(|(kind, _)| kind)).chain(declared).chain(steps)
}

//! A mind and strategies that do a little of everything.

use throng::GroupId;
use throng::mind::{
    Argument, Expression, MachineDef, Output, Place, StateDef, StepDef, StepKind, StrategiesDef,
    StrategyDef, TransitionDef,
};
use throng::world::{Destination, MindDef, StateTraits};

/// A mind that goes to foes and tells its team; it decides every so many ticks.
pub(crate) fn hunters(every: u32) -> MindDef {
    let go = |to, outputs: &[Output]| TransitionDef {
        when: Expression::always(),
        to,
        argument: Some(Argument::Number(2.0)),
        outputs: outputs.to_vec(),
    };
    let rest = StateDef { go: vec![go(1, &[Output::AddCount(1.0)])], ..StateDef::new("rest") };
    let hunt = StateDef { go: vec![go(0, &[Output::Signal(3)])], ..StateDef::new("hunt") };
    let mut def = MindDef::new(MachineDef::new(vec![rest, hunt]));
    def.conducts[1] = StateTraits { destination: Destination::Enemy, ..StateTraits::default() };
    MindDef { every, ..def }
}

/// Strategies by which a group gathers and then marches on the foe.
pub(crate) fn hunt(group: GroupId) -> StrategiesDef {
    let gather = StepDef::new(StepKind::Gather, vec![group]);
    let march = StepDef { place: Place::Enemy, ..StepDef::new(StepKind::March, vec![group]) };
    StrategiesDef::new(vec![StrategyDef::new("hunt", vec![gather, march])], &[group])
}

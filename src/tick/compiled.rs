//! The stages, compiled once for each kind of lanes.
//!
//! They are generic, and every crate that calls a generic function compiles it anew: half a minute
//! for each program, test and benchmark. The functions here are not, so everybody links to these.

use std::any::Any;
use std::any::TypeId;

use crate::lane::F32x8;
use crate::lane::Fx8;
use crate::lane::Lane;
use crate::lane::Numbers;
use crate::math::Fx;
use crate::tick::Scratch;
use crate::tick::Stage;
use crate::tick::stages;
use crate::world::Order;
use crate::world::World;

/// Who is told when stages end.
pub(super) type Ended<'a, N> = &'a mut dyn FnMut(Stage, &World<N>, &Scratch<N>);

/// All stages of a tick, in order.
pub(super) type Stages<N> = fn(&mut World<N>, &[Order], &mut Scratch<N>, Ended<'_, N>);

/// Functions that are the stages for some lanes.
macro_rules! compiled {
    ($($name:ident: $lanes:ty, $number:ty;)*) => {
        $(#[inline(never)]
        fn $name(
            world: &mut World<$number>,
            orders: &[Order],
            scratch: &mut Scratch<$number>,
            ended: Ended<'_, $number>,
        ) {
            stages::<$lanes>(world, orders, scratch, ended);
        })*

        /// The stages for lanes `L`.
        pub(super) fn of<L: Lane>() -> Stages<L::Num>
        where
            L::Num: Numbers,
        {
            let all: &[(TypeId, &dyn Any)] =
                &[$((TypeId::of::<$lanes>(), &($name as Stages<$number>))),*];
            let own = all.iter().find(|(lanes, _)| *lanes == TypeId::of::<L>());
            let own = own.and_then(|(_, stages)| stages.downcast_ref::<Stages<L::Num>>());
            own.copied().expect("lanes are 8 or 1 of `f32` or `Fx`")
        }
    };
}

compiled! {
    f32_in_lanes: F32x8, f32;
    f32_one_by_one: f32, f32;
    fixed_in_lanes: Fx8, Fx;
    fixed_one_by_one: Fx, Fx;
}

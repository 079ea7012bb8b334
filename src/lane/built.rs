//! Generic functions that are compiled here, once for each number type.
//!
//! A crate that calls a generic function compiles it anew, and all that it calls: for a game that is
//! most of the engine, at every change of a line. What [`built_here`] calls is compiled with this crate,
//! and every other crate links to it.

use std::any::{Any, TypeId};

/// A function that was compiled for the number type or the lanes `For`, of type `F`, out of all that were.
pub(crate) fn pick<For: 'static, F: Copy + 'static>(all: &[(TypeId, &dyn Any)]) -> F {
    let own = all.iter().find(|(number, _)| *number == TypeId::of::<For>());
    let own = own.and_then(|(_, function)| function.downcast_ref::<F>());
    *own.expect("numbers are `f32` or `Fx`, lanes 8 or 1 of them")
}

/// Calls a generic function that is compiled in this crate for `f32` and for [`Fx`](crate::math::Fx), or
/// for the types of a list: `built_here!(N; fn(world: &World<N>) -> u64 = digest)(world)` is
/// `digest(world)` for the type parameter `N`.
macro_rules! built_here {
    (@one $n:ident $kind:ty, {
        fn($($name:ident: $of:ty),* $(,)?) $(-> $to:ty)? = $function:expr
    }) => {
        (std::any::TypeId::of::<$kind>(), {
            type $n = $kind;
            #[inline(never)]
            fn built($($name: $of),*) $(-> $to)? {
                $function($($name),*)
            }
            &(built as fn($($of),*) $(-> $to)?) as &dyn std::any::Any
        })
    };
    (@type fn($($name:ident: $of:ty),* $(,)?) $(-> $to:ty)? = $function:expr) => {
        fn($($of),*) $(-> $to)?
    };
    (@all $n:ident, [$($kind:ty),+], $function:tt) => {
        &[$($crate::lane::built_here!(@one $n $kind, $function)),+]
    };
    ($n:ident in [$($kind:ty),+]; $($function:tt)+) => {
        $crate::lane::pick::<$n, $crate::lane::built_here!(@type $($function)+)>(
            $crate::lane::built_here!(@all $n, [$($kind),+], { $($function)+ })
        )
    };
    ($n:ident; $($function:tt)+) => {
        $crate::lane::built_here!($n in [f32, $crate::math::Fx]; $($function)+)
    };
}
pub(crate) use built_here;

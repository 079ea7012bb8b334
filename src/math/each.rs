//! Arrays item by item, as plain code.
//!
//! `<[T; N]>::map` and [`std::array::from_fn`] go through five functions and a loop each, which are
//! compiled anew for every closure and for every kind of lanes: a seventh of the code that the compiler
//! has to optimise. These are one expression, and do the same in the same order; the finished program is
//! as fast.

/// What is made of every item of an array.
pub(crate) trait Each<T: Copy, const N: usize>: Sized {
    /// What `made` makes of every item, first to last.
    fn each<U: Copy>(self, made: impl FnMut(T) -> U) -> [U; N];
}

/// Arrays made item by item.
pub(crate) trait Make<T: Copy>: Sized {
    /// What `made` makes of 0, 1, 2, ... in this order.
    fn make(made: impl FnMut(usize) -> T) -> Self;
}

macro_rules! arrays {
    ($($count:literal: $($item:ident $index:literal),+;)+) => {$(
        impl<T: Copy> Each<T, $count> for [T; $count] {
            #[inline(always)]
            fn each<U: Copy>(self, mut made: impl FnMut(T) -> U) -> [U; $count] {
                let [$($item),+] = self;
                [$(made($item)),+]
            }
        }

        impl<T: Copy> Make<T> for [T; $count] {
            #[inline(always)]
            fn make(mut made: impl FnMut(usize) -> T) -> Self {
                [$(made($index)),+]
            }
        }
    )+};
}
arrays! {
    2: a 0, b 1;
    3: a 0, b 1, c 2;
    4: a 0, b 1, c 2, d 3;
    5: a 0, b 1, c 2, d 3, e 4;
    6: a 0, b 1, c 2, d 3, e 4, f 5;
    8: a 0, b 1, c 2, d 3, e 4, f 5, g 6, h 7;
}

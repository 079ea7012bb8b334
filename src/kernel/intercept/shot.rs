//! A shot, in numbers of any kind.

/// A shot as seen from the muzzle: in numbers, in lanes of them, or in real numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot<N> {
    /// Where the target is, m.
    pub delta: [N; 3],
    /// Its velocity, m/s; minus the launcher's where projectiles inherit that.
    pub vel: [N; 3],
    /// Its acceleration, m/s².
    pub acc: [N; 3],
    /// The muzzle speed, m/s.
    pub speed: N,
    /// What pulls the projectile along −z, m/s².
    pub gravity: N,
    /// The longest time of flight that counts, s.
    pub longest: N,
}

impl<N: Copy> Shot<N> {
    /// The same in other numbers.
    #[inline(always)]
    pub fn map<M>(&self, to: impl Fn(N) -> M) -> Shot<M> {
        let all = |[x, y, z]: [N; 3]| [to(x), to(y), to(z)];
        Shot {
            delta: all(self.delta),
            vel: all(self.vel),
            acc: all(self.acc),
            speed: to(self.speed),
            gravity: to(self.gravity),
            longest: to(self.longest),
        }
    }
}

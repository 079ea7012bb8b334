//! Colours: of groups, of distances, and how they mix.

use std::collections::HashSet;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// Colours that people tell apart on light ground, the first eight also when colour-blind
/// (after Okabe and Ito, 2008, yellow left out).
const GROUPS: [Rgb; 20] = [
    [0xd5, 0x3e, 0x0c],
    [0x00, 0x6b, 0xb6],
    [0x00, 0x93, 0x68],
    [0xb8, 0x4c, 0x9c],
    [0xe6, 0x96, 0x00],
    [0x3a, 0xa6, 0xe0],
    [0x7a, 0x3b, 0x10],
    [0x22, 0x2a, 0x68],
    [0xc2, 0x18, 0x3a],
    [0x6d, 0x9b, 0x1d],
    [0x7b, 0x4f, 0xd0],
    [0x00, 0x7c, 0x8a],
    [0xf0, 0x6a, 0x8c],
    [0x8c, 0x7a, 0x00],
    [0x12, 0x5c, 0x34],
    [0xd9, 0x6f, 0xd6],
    [0x9c, 0x2b, 0x6e],
    [0x4d, 0x78, 0xff],
    [0xc9, 0x7b, 0x4a],
    [0x4f, 0xc0, 0x96],
];

/// The colour of the group with this number: 20 distinct ones, then the same, darker.
pub fn group_colour(group: usize) -> Rgb {
    let colour = GROUPS[group % GROUPS.len()];
    if (group / GROUPS.len()).is_multiple_of(2) { colour } else { darker(colour, 0.62) }
}

/// Two colours that are nearer than this look alike in small dots.
pub(crate) const ALIKE: f32 = 70.0;

/// How far apart two colours are for the eye, roughly: 0 to 765 (the "redmean" of Riemersma).
pub(crate) fn apart(a: Rgb, b: Rgb) -> f32 {
    let [dr, dg, db] = [0, 1, 2].map(|i| f32::from(a[i]) - f32::from(b[i]));
    let red = (f32::from(a[0]) + f32::from(b[0])) / 512.0;
    ((2.0 + red) * dr * dr + 4.0 * dg * dg + (3.0 - red) * db * db).sqrt()
}

/// How far apart two colours are to an eye without red cones or without green cones, the lesser of the two
/// (after Viénot, Brettel and Mollon 1999).
pub(crate) fn apart_colour_blind(a: Rgb, b: Rgb) -> f32 {
    let seen = |[own, other, blue]: [f32; 3], colour: Rgb| {
        let [red, green, short] = to_light(colour);
        let long = own * red + other * green;
        from_light([long, long, blue * (red - green) + short])
    };
    let red_less = [0.112_38, 0.887_62, 0.004_01];
    let green_less = [0.292_75, 0.707_25, -0.022_34];
    let apart = |eye: [f32; 3]| apart(seen(eye, a), seen(eye, b));
    apart(red_less).min(apart(green_less))
}

/// Two colours that are nearer than this look alike in small dots to an eye that lacks cones, which tells
/// fewer colours apart.
const ALIKE_COLOUR_BLIND: f32 = 45.0;

/// Number of classes up to which arrived colours are compared with the others.
const LOOKED_AT: usize = 64;

/// The colours of agents that have arrived, by the colours of their classes: darker ones, or pale ones
/// where a darker one looks like another class.
pub fn arrived(colours: &[Rgb]) -> Vec<Rgb> {
    let pale = |share: f32| move |colour: Rgb| mix(colour, [0xff; 3], share);
    let darker = |colour: Rgb| darker(colour, 0.66);
    let shades: [&dyn Fn(Rgb) -> Rgb; 4] = [&darker, &pale(0.6), &pale(0.7), &pale(0.5)];
    let looked_at = &colours[..colours.len().min(LOOKED_AT)];
    let clear = |shade: &dyn Fn(Rgb) -> Rgb| {
        let pairs = looked_at.iter().flat_map(|&a| looked_at.iter().map(move |&b| (shade(a), b)));
        let apart =
            |(a, b)| (apart(a, b) / ALIKE).min(apart_colour_blind(a, b) / ALIKE_COLOUR_BLIND);
        pairs.map(apart).fold(f32::INFINITY, f32::min)
    };
    let mut best: (f32, &dyn Fn(Rgb) -> Rgb) = (-1.0, &darker);
    for shade in shades {
        let found = clear(shade);
        if found > best.0 {
            best = (found, shade);
        }
        if found >= 1.0 {
            break;
        }
    }
    colours.iter().map(|&colour| best.1(colour)).collect()
}

/// Colours as near to these as they can be without two that look alike: the first of each kind stays, and
/// of what looks like it the others are made lighter or darker, which still shows that they belong
/// together. Where no shade is free, any colour is taken that is, and of very many at least no two are
/// the same.
pub fn distinct(colours: &[Rgb]) -> Vec<Rgb> {
    let mut taken: Vec<Rgb> = Vec::new();
    let clear = |taken: &[Rgb], colour: Rgb| {
        taken.iter().map(|&other| apart(other, colour)).fold(f32::INFINITY, f32::min)
    };
    // Colours that stay as they are come first, so that no other shade comes too near them.
    let keeps: Vec<bool> = colours
        .iter()
        .map(|&colour| {
            let is_clear = clear(&taken, colour) >= ALIKE;
            if is_clear {
                taken.push(colour);
            }
            is_clear
        })
        .collect();
    let mut known: HashSet<Rgb> = taken.iter().copied().collect();
    let mut found = Vec::with_capacity(colours.len());
    for (&colour, keeps) in colours.iter().zip(keeps) {
        if keeps {
            found.push(colour);
            continue;
        }
        let shades = [0.62, 0.4, 0.8].map(|share| darker(colour, share));
        let tints = [0.45, 0.7, 0.25].map(|share| mix(colour, [0xff; 3], share));
        let near = shades.into_iter().zip(tints).flat_map(<[Rgb; 2]>::from);
        let mut all = near.chain((0..2 * GROUPS.len()).map(group_colour));
        let free = all.find(|&shade| clear(&taken, shade) >= ALIKE);
        // Beyond these, whatever is free: the eye no longer tells.
        let others = (0..1_u32 << 24).map(|step| {
            let number = u32::from_be_bytes([0, colour[0], colour[1], colour[2]]);
            let [_, red, green, blue] = (number + step * 1_315_423).to_be_bytes();
            [red, green, blue]
        });
        let free = free.or_else(|| others.into_iter().find(|colour| !known.contains(colour)));
        let free = free.unwrap_or(colour);
        taken.push(free);
        known.insert(free);
        found.push(free);
    }
    found
}

/// Colours from near to far: viridis by Smith and van der Walt (2015, public domain) from yellow to
/// the blue that still stands out from black walls. Even to the eye, and to colour-blind ones.
const RAMP: [Rgb; 10] = [
    [253, 231, 37],
    [184, 222, 41],
    [122, 209, 81],
    [74, 193, 109],
    [42, 176, 127],
    [31, 158, 137],
    [37, 131, 142],
    [45, 112, 142],
    [56, 88, 140],
    [68, 58, 131],
];

/// Plain ground.
pub(crate) const PLAIN: Rgb = [0xf5, 0xf2, 0xea];

/// The share of an area's colour in its stripes.
pub(crate) const STRIPE: f32 = 0.5;

/// The colour of a share from 0 (near) to 1 (far).
pub fn ramp(share: f32) -> Rgb {
    let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f32;
    let low = (at as usize).min(RAMP.len() - 2);
    mix(RAMP[low], RAMP[low + 1], at - low as f32)
}

/// `share` of the way from one colour to another.
pub(crate) fn mix(from: Rgb, to: Rgb, share: f32) -> Rgb {
    std::array::from_fn(|i| {
        let (from, to) = (f32::from(from[i]), f32::from(to[i]));
        (from + (to - from) * share + 0.5) as u8
    })
}

/// A colour times a factor up to 1.
pub(crate) fn darker(colour: Rgb, factor: f32) -> Rgb {
    colour.map(|part| (f32::from(part) * factor + 0.5) as u8)
}

/// Light of a colour, roughly: squares stand for the exact curve.
pub(crate) fn to_light(colour: Rgb) -> [f32; 3] {
    colour.map(|part| f32::from(part) * f32::from(part) / (255.0 * 255.0))
}

/// The colour of light.
pub(crate) fn from_light(light: [f32; 3]) -> Rgb {
    light.map(|part| (part.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8)
}

#[cfg(test)]
mod tests {
    use super::{ALIKE, Rgb, apart, apart_colour_blind, arrived, darker, distinct, group_colour};
    use throng::scenario::{ScenarioDef, builtin};

    fn look_different(colours: &[Rgb]) -> bool {
        let pairs = (0..colours.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.into_iter().all(|(i, j)| apart(colours[i], colours[j]) >= ALIKE)
    }

    /// Agents that have arrived look like no class, to eyes without red or green cones either.
    #[test]
    fn arrived_agents_look_like_no_other_group() {
        let first = group_colour(0);
        let of = |count: usize| (0..count).map(group_colour).collect::<Vec<_>>();
        for colours in [of(1), of(2), of(4), of(8), distinct(&[first; 2]), distinct(&[first; 3])] {
            for shade in arrived(&colours) {
                for &colour in &colours {
                    let told = || format!("{shade:02x?} and {colour:02x?} of {colours:02x?}");
                    assert!(apart(shade, colour) >= ALIKE, "{}", told());
                    assert!(apart_colour_blind(shade, colour) >= 45.0, "{}", told());
                }
            }
        }
        // The usual two are darker.
        assert_eq!(arrived(&of(2))[0], darker(first, 0.66));
    }

    #[test]
    fn no_two_groups_share_a_colour() {
        let first = group_colour(0);
        let team = distinct(&[first; 5]);
        assert_eq!(team[0], first);
        assert!(look_different(&team), "{team:?}");
        let mut all: Vec<Rgb> = (0..300).map(group_colour).chain([first; 20]).collect();
        all = distinct(&all);
        assert_eq!(all[..20], (0..20).map(group_colour).collect::<Vec<_>>());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 320);
    }

    /// A shade of one team must not look like another team, nor like a shade of it.
    #[test]
    fn no_two_of_many_groups_look_alike() {
        let names = ["frontier", "siege", "battle", "skirmish", "horde", "city", "crossing"];
        for name in names {
            let builtin = builtin(name).unwrap();
            let def = ScenarioDef::parse(builtin.text, name).unwrap();
            let colours: Vec<Rgb> = def.groups.iter().map(|group| group.color).collect();
            let shown = distinct(&colours);
            assert!(look_different(&shown), "{name}: {shown:02x?}");
            assert_eq!(shown[0], colours[0], "{name}");
        }
        let nearly = [[0, 114, 178], [2, 116, 176], [0, 114, 178]];
        assert!(look_different(&distinct(&nearly)));
    }
}

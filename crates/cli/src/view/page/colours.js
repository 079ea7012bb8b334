// Colours of what is told apart, and of heat maps.

const mix = (a, b, t) => a.map((v, i) => Math.round(v + (b[i] - v) * t));

/** Colours between stops, `count` of them. */
export function ramp(stops, count) {
  return Array.from({ length: count }, (_, i) => {
    const at = i / (count - 1) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at));
    return mix(stops[k], stops[k + 1], at - k);
  });
}

/** From slow to fast, from empty to full: after viridis and inferno, which read in grey as well. */
export const SPEED = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
export const HEALTH = [[178, 34, 52], [226, 122, 63], [232, 205, 91], [70, 168, 108]];
export const HEAT = {
  density: [[66, 146, 198], [104, 190, 160], [244, 212, 90], [236, 128, 58], [170, 24, 60]],
  speed: SPEED,
  overlap: [[250, 220, 130], [244, 150, 70], [214, 60, 70], [120, 14, 80]],
};

/** Of the kinds of states, in their order. */
export const KINDS = [[58, 124, 214], [63, 160, 106], [150, 196, 92], [222, 142, 48], [140, 96, 200], [64, 178, 196], [140, 144, 152]];

/** Of what groups find their ways by. */
export const WAYS = { portals: [200, 40, 130], mesh: [12, 128, 128], network: [190, 96, 8], waypoints: [112, 70, 200] };

const MINDS = [[58, 124, 214], [226, 106, 72], [63, 160, 106], [188, 92, 176], [214, 170, 52], [64, 178, 196], [160, 104, 70], [120, 132, 150]];

/** Of the states of minds: 31 is who does not think. */
export const MIND = Array.from({ length: 32 }, (_, i) => i === 31 ? [140, 144, 152]
  : mix(MINDS[i % 8], [255, 255, 255], Math.floor(i / 8) * 0.22));

/** A colour as it shows over dark ground, or as it is. */
export const lit = (colour, dark) => dark ? colour.map((c) => c * 0.6 + 102) : colour;

export const css = ([r, g, b], a = 1) => `rgb(${r} ${g} ${b} / ${a})`;

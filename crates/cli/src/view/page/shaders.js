// The shaders. Everything is in metres until the last line.

const VIEW = `#version 300 es
precision highp float;
uniform vec2 middle;     // metres
uniform vec2 screen;     // metres to the edges
vec4 place(vec2 at) { vec2 p = (at - middle) / screen; return vec4(p.x, -p.y, 0.0, 1.0); }
`;

export const groundVertex = VIEW + `
uniform vec4 box;        // origin and size in metres
in vec2 corner;
out vec2 uv;
void main() { uv = corner; gl_Position = place(box.xy + corner * box.zw); }`;

export const groundFragment = `#version 300 es
precision highp float;
uniform sampler2D raster;
uniform float dark;
uniform float shown;
in vec2 uv;
out vec4 colour;
const vec3 PLAIN = vec3(245.0, 242.0, 234.0) / 255.0;
bool solid(float kind) { return kind > 1.5 / 255.0; }
void main() {
  vec4 here = texture(raster, uv);
  vec2 texel = 1.0 / vec2(textureSize(raster, 0));
  vec3 rgb = mix(PLAIN, here.rgb, shown);
  float kind = floor(here.a * 255.0 + 0.5);
  if (kind > 2.5) rgb = mix(vec3(0.62, 0.635, 0.66), here.rgb, 0.35 + 0.35 * shown);
  if (dark > 0.5) {
    vec3 from = rgb - PLAIN;
    vec3 night = vec3(0.102, 0.114, 0.137) + from * 0.10 + (from - dot(from, vec3(0.333))) * 0.34;
    night = max(night, vec3(0.075, 0.085, 0.10));
    if (kind > 2.5) night = vec3(0.27, 0.295, 0.345);
    else if (kind > 1.5) night = vec3(0.13, 0.20, 0.16);
    else if (kind > 0.5) night = vec3(0.09, 0.155, 0.21);
    rgb = night;
  }
  // Walls throw a short shadow to the lower right, and have a lit edge.
  if (kind < 1.5) {
    float behind = floor(texture(raster, uv - texel * 0.5).a * 255.0 + 0.5);
    if (behind > 2.5) rgb *= dark > 0.5 ? 0.72 : 0.90;
  } else if (kind > 2.5) {
    float below = floor(texture(raster, uv + texel * 0.5).a * 255.0 + 0.5);
    if (below < 1.5) rgb *= dark > 0.5 ? 0.88 : 0.93;
  }
  colour = vec4(rgb, 1.0);
}`;

export const heatFragment = `#version 300 es
precision highp float;
uniform sampler2D raster;
uniform sampler2D ramp;
in vec2 uv;
out vec4 colour;
void main() {
  float value = texture(raster, uv).r;
  float strength = smoothstep(0.0, 0.10, value);
  colour = vec4(texture(ramp, vec2(clamp(value, 0.0, 1.0), 0.5)).rgb, 1.0) * strength * 0.78;
}`;

export const arrowVertex = VIEW + `
uniform float size;      // metres
in vec2 corner;
in vec2 at;
in vec2 way;
void main() {
  vec2 along = normalize(way + vec2(1e-9, 0.0)), across = vec2(-along.y, along.x);
  gl_Position = place(at + (along * corner.x + across * corner.y) * size);
}`;

export const arrowFragment = `#version 300 es
precision highp float;
uniform vec4 ink;
out vec4 colour;
void main() { colour = ink; }`;

export const lineVertex = VIEW + `
uniform float width;     // metres
in vec2 corner;          // from one end to the other, and across
in vec4 ends;            // metres
void main() {
  vec2 along = ends.zw - ends.xy;
  along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  gl_Position = place(mix(ends.xy, ends.zw, corner.x) + vec2(-along.y, along.x) * corner.y * width);
}`;

export const dotVertex = VIEW + `
uniform float size;      // device pixels
in vec2 at;
void main() { gl_PointSize = size; gl_Position = place(at); }`;

// How an agent's bytes become a colour: the row of the table by what is told apart.
const CODES = `
uniform sampler2D table;   // colours by group, kind of state, and value
uniform sampler2D sizes;   // radii by group, metres
uniform float by;          // 0 group, 1 kind, 2 value
uniform float alpha;       // from the last frame to this one
uniform float leap;        // metres beyond which nobody walks between two frames
uniform float pixels;      // device pixels in a metre
vec3 coloured(float group, float state) {
  float kind = floor(state / 32.0), value = state - kind * 32.0;
  int row = int(by + 0.5);
  int column = row == 0 ? int(group) : row == 1 ? int(kind) : int(value);
  return texelFetch(table, ivec2(column, row), 0).rgb;
}
float radius(float group) { return texelFetch(sizes, ivec2(int(group), 0), 0).r; }
vec2 between(vec2 last, vec2 now) { return distance(last, now) > leap ? now : mix(last, now, alpha); }
`;

// On dark ground dark colours are lightened until they are seen.
const LIT = `
uniform float dark;
vec3 lit(vec3 rgb) {
  float grey = dot(rgb, vec3(0.2126, 0.7152, 0.0722));
  return dark > 0.5 ? mix(rgb, vec3(1.0), max(0.0, 0.24 - grey) / (1.0 - min(grey, 0.9))) : rgb;
}`;

export const pointVertex = VIEW + CODES + `
uniform vec4 box;        // where positions count: origin and size in metres
in vec2 last;
in vec2 now;
in vec2 word;            // group and state
in float mark;
out vec3 tint;
out float cover;
out float ring;
out float wide;
void main() {
  if (word.x > 254.5) { gl_Position = vec4(2.0, 2.0, 0.0, 1.0); gl_PointSize = 1.0; return; }
  vec2 at = between(box.xy + last * box.zw, box.xy + now * box.zw);
  float across = 2.0 * radius(word.x) * pixels;
  wide = max(across, 1.7);
  // Discs below a pixel or two keep their share of the ground.
  cover = clamp(across * across / (wide * wide), 0.42, 1.0);
  ring = mark;
  tint = coloured(word.x, word.y);
  gl_PointSize = wide + 1.0;
  gl_Position = place(at);
}`;

export const pointFragment = `#version 300 es
precision highp float;
in vec3 tint;
in float cover;
in float ring;
in float wide;
${LIT}
uniform float fade;
out vec4 colour;
void main() {
  float from = length(gl_PointCoord - 0.5) * (wide + 1.0);
  float inside = wide < 2.5 ? 1.0 : clamp(wide * 0.5 - from + 0.5, 0.0, 1.0);
  vec3 rgb = ring > 0.5 ? (dark > 0.5 ? vec3(1.0) : vec3(0.06)) : lit(tint);
  colour = vec4(rgb, 1.0) * inside * (ring > 0.5 ? 1.0 : cover * fade);
}`;

export const discVertex = VIEW + CODES + `
in vec2 corner;
in vec4 places;          // last and now, metres
in vec4 word;            // group, state, heading in 256ths of a turn, value
in float mark;
out vec3 tint;
out vec2 on;
out float ring;
out float wide;
out vec2 nose;
vec2 heading(float turn) {
  float q = turn * 4.0;
  vec2 v = q < 1.0 ? vec2(1.0 - q, q) : q < 2.0 ? vec2(1.0 - q, 2.0 - q)
    : q < 3.0 ? vec2(q - 3.0, 2.0 - q) : vec2(q - 3.0, q - 4.0);
  return normalize(v);
}
void main() {
  float r = radius(word.x);
  vec2 at = between(places.xy, places.zw);
  float state = floor(word.y / 32.0) * 32.0 + word.w;
  tint = coloured(word.x, state);
  on = corner * (1.0 + 1.5 / (r * pixels));
  ring = mark;
  wide = r * pixels;
  nose = heading(word.z / 256.0);
  gl_Position = place(at + on * r);
}`;

export const discFragment = `#version 300 es
precision highp float;
in vec3 tint;
in vec2 on;
in float ring;
in float wide;
in vec2 nose;
${LIT}
uniform float fade;
out vec4 colour;
void main() {
  float from = length(on);
  float soft = 1.0 / wide;
  float inside = clamp((1.0 - from) / soft + 0.5, 0.0, 1.0);
  // The rim is the same colour, deeper; the front is marked by a lighter wedge.
  float rim = smoothstep(1.0 - max(0.16, 1.6 * soft), 1.0 - max(0.10, 0.6 * soft), from);
  vec3 own = lit(tint);
  vec3 rgb = mix(own, own * (dark > 0.5 ? 0.62 : 0.72), rim * smoothstep(2.5, 5.0, wide));
  float ahead = dot(on, nose), aside = abs(dot(on, vec2(-nose.y, nose.x)));
  float wedge = 1.0 - smoothstep(-0.5 * soft, soft, aside - 0.36 * (0.80 - ahead));
  wedge *= smoothstep(-0.5 * soft, soft, ahead + 0.12 - 0.5 * (0.33 - aside) * step(aside, 0.33));
  rgb = mix(rgb, mix(own, vec3(1.0), 0.72), wedge * smoothstep(3.0, 5.5, wide) * step(from, 0.90));
  if (ring > 0.5) {
    vec3 ink = dark > 0.5 ? vec3(1.0) : vec3(0.05);
    rgb = mix(rgb, ink, smoothstep(1.0 - max(0.30, 2.2 * soft), 1.0 - max(0.22, 1.6 * soft), from));
  }
  colour = vec4(rgb, 1.0) * inside * (ring > 0.5 ? 1.0 : fade);
}`;

export const shotVertex = VIEW + `
uniform vec4 box;
uniform float pixels;
uniform float lift;      // 0 for the shadow, 1 for what flies
in vec2 now;
in vec2 word;            // height in 1/8 m, group
void main() {
  vec2 at = box.xy + now * box.zw;
  at.y -= lift * word.x / 8.0 * 0.5;
  gl_PointSize = clamp(0.35 * pixels, 2.0, 7.0);
  gl_Position = place(at);
}`;

export const shotFragment = `#version 300 es
precision highp float;
uniform vec4 ink;
out vec4 colour;
void main() {
  float inside = 1.0 - smoothstep(0.3, 0.5, length(gl_PointCoord - 0.5));
  colour = ink * inside;
}`;

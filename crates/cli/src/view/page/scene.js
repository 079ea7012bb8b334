// Draws the map, its layers and the agents with WebGL2.

import { WAYS, lit } from "./colours.js";
import * as shaders from "./shaders.js";

/** Vertices of a unit square, and of an arrow that points right. */
const SQUARE = new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]);
const DISC = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
const LINE = new Float32Array([0, -0.5, 1, -0.5, 0, 0.5, 1, 0.5]);
const ARROW = new Float32Array([0.36, 0, -0.26, 0.13, -0.16, 0, 0.36, 0, -0.16, 0, -0.26, -0.13]);
const NEAR_BYTES = 24;
const NOBODY = 255;

export class Scene {
  /** Throws when there is no WebGL2. */
  constructor(canvas) {
    const options = { antialias: false, alpha: false, premultipliedAlpha: true, powerPreference: "high-performance" };
    const gl = canvas.getContext("webgl2", options);
    if (!gl) throw new Error("WebGL2");
    this.gl = gl;
    this.canvas = canvas;
    this.dark = false;
    this.box = [0, 0, 1, 1];
    this.ground = null;
    this.heat = null;
    this.arrows = null;
    this.ways = null;
    this.agents = null;
    this.shots = 0;
    this.marks = new Uint8Array(0);
    this.by = 0;
    this.valued = true;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.programs = {
      ground: this.program(shaders.groundVertex, shaders.groundFragment),
      heat: this.program(shaders.groundVertex, shaders.heatFragment),
      arrows: this.program(shaders.arrowVertex, shaders.arrowFragment),
      lines: this.program(shaders.lineVertex, shaders.arrowFragment),
      dots: this.program(shaders.dotVertex, shaders.shotFragment),
      points: this.program(shaders.pointVertex, shaders.pointFragment),
      discs: this.program(shaders.discVertex, shaders.discFragment),
      shots: this.program(shaders.shotVertex, shaders.shotFragment),
    };
    this.square = this.buffer(SQUARE);
    this.disc = this.buffer(DISC);
    this.arrow = this.buffer(ARROW);
    this.line = this.buffer(LINE);
    this.buffers = { last: gl.createBuffer(), now: gl.createBuffer(), words: gl.createBuffer(),
      marks: gl.createBuffer(), near: gl.createBuffer(), arrows: gl.createBuffer(), ways: gl.createBuffer(), shots: gl.createBuffer() };
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    this.table = this.texture();
    this.sizes = this.texture();
    this.ramp = this.texture(gl.LINEAR);
    this.raster = this.texture();
    this.heatRaster = this.texture(gl.LINEAR);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const places = { program };
    const uniforms = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < uniforms; i++) {
      const { name } = gl.getActiveUniform(program, i);
      places[name] = gl.getUniformLocation(program, name);
    }
    const inputs = gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES);
    for (let i = 0; i < inputs; i++) {
      const { name } = gl.getActiveAttrib(program, i);
      places[name] = gl.getAttribLocation(program, name);
    }
    return places;
  }

  buffer(data) {
    const gl = this.gl, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  }

  texture(filter = this.gl.NEAREST) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, filter], [gl.TEXTURE_MAG_FILTER, filter],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) {
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    }
    return texture;
  }

  /** The map: pixels of red, green, blue and kind over an extent in metres. */
  setGround(width, height, extent, pixels) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.raster);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    this.ground = { box: [0, 0, extent[0], extent[1]] };
  }

  /** Colours of the three ways to tell agents apart, 256 each, and radii of groups in metres. */
  setColours(rows, radii) {
    const gl = this.gl, pixels = new Uint8Array(256 * 3 * 4);
    rows.forEach((row, y) => row.forEach(([r, g, b], x) => pixels.set([r, g, b, 255], (y * 256 + x) * 4)));
    gl.bindTexture(gl.TEXTURE_2D, this.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 3, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.bindTexture(gl.TEXTURE_2D, this.sizes);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, 256, 1, 0, gl.RED, gl.FLOAT, Float32Array.from(radii));
    this.radii = radii;
  }

  setRamp(colours) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.ramp);
    const pixels = Uint8Array.from(colours.flatMap((c) => [...c, 255]));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, colours.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  }

  setHeat(head, bytes) {
    this.heat = head;
    if (!head) return;
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.heatRaster);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, head.columns, head.rows, 0, gl.RED, gl.UNSIGNED_BYTE, bytes);
  }

  setArrows(head, ways) {
    this.arrows = null;
    if (!head) return;
    const gl = this.gl, data = [];
    for (let row = 0, i = 0; row < head.rows; row++) {
      for (let column = 0; column < head.columns; column++, i += 2) {
        if (ways[i] === -128 || (ways[i] === 0 && ways[i + 1] === 0)) continue;
        data.push(head.x + (column + 0.5) * head.cell, head.y + (row + 0.5) * head.cell, ways[i], ways[i + 1]);
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.arrows);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(data), gl.STATIC_DRAW);
    this.arrows = { count: data.length / 4, size: head.cell };
  }

  /** What groups find their ways by: of each way its lines, then its points, as floats in metres. */
  setWays(head, floats) {
    this.ways = null;
    if (!head?.ways.length) return;
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.ways);
    gl.bufferData(gl.ARRAY_BUFFER, floats, gl.STATIC_DRAW);
    let at = 0;
    this.ways = head.ways.map(({ by, lines, points }) => {
      const way = { by, lines, points, linesAt: at, pointsAt: at + lines * 16 };
      at = way.pointsAt + points * 8;
      return way;
    });
  }

  /** Who is marked, by id index. */
  setMarks(marks) {
    this.marks = marks;
    if (this.agents && !this.agents.near) this.uploadMarks(this.agents.places);
    if (this.agents?.near) this.agents.stale = true;
  }

  uploadMarks(places) {
    const gl = this.gl, marks = new Uint8Array(places);
    marks.set(this.marks.subarray(0, Math.min(places, this.marks.length)));
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.marks);
    gl.bufferData(gl.ARRAY_BUFFER, marks, gl.DYNAMIC_DRAW);
  }

  /** A frame of the source: its head, its bytes and where they begin. */
  setAgents(head, bytes, at) {
    const before = this.agents;
    const end = head.near ? this.setNear(head, bytes, at) : this.setDense(head, bytes, at, before);
    this.box = head.frame;
    this.shots = head.shots;
    if (head.shots) {
      const gl = this.gl, from = end + (end - at) % 4;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.shots);
      gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(bytes, from, head.shots * 8), gl.DYNAMIC_DRAW);
    }
  }

  setDense(head, bytes, at, before) {
    const gl = this.gl, { places } = head;
    const now = new Uint32Array(bytes, at, places), words = new Uint8Array(bytes, at + places * 4, places * 2);
    const follows = before && !before.near && before.tick <= head.tick;
    [this.buffers.last, this.buffers.now] = [this.buffers.now, this.buffers.last];
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.now);
    gl.bufferData(gl.ARRAY_BUFFER, now, gl.DYNAMIC_DRAW);
    let last = now;
    if (follows) {
      // A new agent begins where it is; one that has taken over a place leaps, which shows as well.
      last = before.now;
      if (last.length < places) {
        last = new Uint32Array(places);
        last.set(before.now);
        last.set(now.subarray(before.now.length), before.now.length);
      }
      for (let i = 0, n = Math.min(before.places, places); i < n; i++) {
        if (before.words[2 * i] === NOBODY && words[2 * i] !== NOBODY) {
          if (last === before.now) last = last.slice();
          last[i] = now[i];
        }
      }
    }
    if (last !== before?.now || !follows || last.length !== places) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.last);
      gl.bufferData(gl.ARRAY_BUFFER, last, gl.DYNAMIC_DRAW);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.words);
    gl.bufferData(gl.ARRAY_BUFFER, words, gl.DYNAMIC_DRAW);
    this.agents = { near: false, places, now, last, words, tick: head.tick };
    if (before?.near !== false || before.places !== places) this.uploadMarks(places);
    return at + places * 6;
  }

  setNear(head, bytes, at) {
    const { places, frame: [x0, y0, x1, y1] } = head;
    const view = new DataView(bytes, at, places * 12);
    const known = this.agents?.near && this.agents.tick <= head.tick ? this.agents.where : null;
    const where = new Map();
    const data = new ArrayBuffer(places * NEAR_BYTES);
    const floats = new Float32Array(data), words = new Uint8Array(data);
    const sx = (x1 - x0) / 65535, sy = (y1 - y0) / 65535;
    for (let i = 0; i < places; i++) {
      const id = view.getUint32(i * 12, true);
      const x = x0 + view.getUint16(i * 12 + 4, true) * sx, y = y0 + view.getUint16(i * 12 + 6, true) * sy;
      const before = known?.get(id);
      const f = i * 6, b = i * NEAR_BYTES + 16;
      floats[f] = before ? before[2] : x;
      floats[f + 1] = before ? before[3] : y;
      floats[f + 2] = x;
      floats[f + 3] = y;
      where.set(id, floats.subarray(f, f + 4));
      for (let k = 0; k < 4; k++) words[b + k] = view.getUint8(i * 12 + 8 + k);
      words[b + 4] = this.marks[id] ? 1 : 0;
    }
    this.agents = { near: true, places, where, words, data, tick: head.tick, stale: true };
    return at + places * 12;
  }

  /** Where an agent is drawn, in metres; null when the frame does not have it. */
  where(id, alpha) {
    const agents = this.agents;
    if (!agents) return null;
    if (agents.near) {
      const at = agents.where.get(id);
      return at ? [at[0] + (at[2] - at[0]) * alpha, at[1] + (at[3] - at[1]) * alpha] : null;
    }
    if (id >= agents.places || agents.words[2 * id] === NOBODY) return null;
    const [x0, y0, x1, y1] = this.box;
    const place = (code) => [x0 + (code & 0xffff) / 65535 * (x1 - x0), y0 + (code >>> 16) / 65535 * (y1 - y0)];
    const now = place(agents.now[id]), last = id < agents.last.length ? place(agents.last[id]) : now;
    return [last[0] + (now[0] - last[0]) * alpha, last[1] + (now[1] - last[1]) * alpha];
  }

  bind(places, inputs) {
    const gl = this.gl;
    gl.useProgram(places.program);
    for (let i = 0; i < 8; i++) gl.disableVertexAttribArray(i);
    for (const [name, buffer, size, kind, stride, offset, divisor, normal] of inputs) {
      const place = places[name];
      if (place === undefined || place < 0) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, kind, normal ?? false, stride, offset);
      gl.vertexAttribDivisor(place, divisor);
    }
  }

  use(unit, texture, place) {
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(place, unit);
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Draws all. `layers` says what; `alpha` is the way from the last frame to this one. */
  draw(camera, { alpha, leap, layers, page, ratio, restoring }) {
    const gl = this.gl, pixels = camera.scale * ratio;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(page[0], page[1], page[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const view = (p) => {
      gl.uniform2f(p.middle, camera.x, camera.y);
      gl.uniform2f(p.screen, camera.width / 2 / camera.scale, camera.height / 2 / camera.scale);
      if (p.dark) gl.uniform1f(p.dark, this.dark ? 1 : 0);
    };
    if (this.ground) {
      const p = this.programs.ground;
      this.bind(p, [["corner", this.square, 2, gl.FLOAT, 0, 0, 0]]);
      view(p);
      gl.uniform4f(p.box, ...this.ground.box);
      gl.uniform1f(p.shown, layers.terrain ? 1 : 0);
      this.use(0, this.raster, p.raster);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    if (this.heat && !restoring) {
      const p = this.programs.heat, h = this.heat;
      this.bind(p, [["corner", this.square, 2, gl.FLOAT, 0, 0, 0]]);
      view(p);
      gl.uniform4f(p.box, h.x, h.y, h.columns * h.cell, h.rows * h.cell);
      this.use(0, this.heatRaster, p.raster);
      this.use(1, this.ramp, p.ramp);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    if (this.arrows?.count) {
      const p = this.programs.arrows, b = this.buffers.arrows;
      this.bind(p, [["corner", this.arrow, 2, gl.FLOAT, 0, 0, 0], ["at", b, 2, gl.FLOAT, 16, 0, 1], ["way", b, 2, gl.FLOAT, 16, 8, 1]]);
      view(p);
      gl.uniform1f(p.size, this.arrows.size);
      const ink = this.dark ? [0.75, 0.8, 0.9] : [0.22, 0.26, 0.34];
      gl.uniform4f(p.ink, ...ink.map((c) => c * 0.5), 0.5);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, this.arrows.count);
    }
    if (this.ways) this.drawWays(view, pixels, ratio);
    if (layers.agents !== false) this.drawAgents(view, { alpha, leap, pixels });
    if (this.shots && layers.projectiles) this.drawShots(view, pixels);
  }

  drawWays(view, pixels, ratio) {
    const gl = this.gl, b = this.buffers.ways;
    for (const { by, lines, points, linesAt, pointsAt } of this.ways) {
      const colour = lit(WAYS[by], this.dark).map((c) => c / 255), alpha = 0.85;
      const ink = (p) => { view(p); gl.uniform4f(p.ink, ...colour.map((c) => c * alpha), alpha); };
      const line = this.programs.lines, dot = this.programs.dots;
      this.bind(line, [["corner", this.line, 2, gl.FLOAT, 0, 0, 0], ["ends", b, 4, gl.FLOAT, 16, linesAt, 1]]);
      ink(line);
      // Portals are short and stand apart, the others are many.
      gl.uniform1f(line.width, (by === "portals" ? 3.5 : 1.3) * ratio / pixels);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, lines);
      this.bind(dot, [["at", b, 2, gl.FLOAT, 8, pointsAt, 0]]);
      ink(dot);
      gl.uniform1f(dot.size, Math.min(7, Math.max(2.5, 0.5 * pixels / ratio)) * ratio);
      gl.drawArrays(gl.POINTS, 0, points);
    }
  }

  drawAgents(view, { alpha, leap, pixels }) {
    const gl = this.gl, agents = this.agents;
    if (!agents?.places) return;
    const codes = (p) => {
      view(p);
      // A frame may come without the values that agents are coloured by.
      gl.uniform1f(p.by, this.by === 2 && !this.valued ? 0 : this.by);
      gl.uniform1f(p.alpha, alpha);
      gl.uniform1f(p.leap, leap);
      // Under a heat map agents are a hint; under that of overlaps, which is mostly empty, a picture.
      gl.uniform1f(p.fade, !this.heat ? 1 : this.heat.unit === "radii" ? 0.4 : 0.12);
      gl.uniform1f(p.pixels, pixels);
      this.use(0, this.table, p.table);
      this.use(1, this.sizes, p.sizes);
    };
    if (agents.near) {
      if (agents.stale) {
        const ids = agents.where.keys();
        for (let i = 0; i < agents.places; i++) agents.words[i * NEAR_BYTES + 20] = this.marks[ids.next().value] ? 1 : 0;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.near);
        gl.bufferData(gl.ARRAY_BUFFER, agents.words, gl.DYNAMIC_DRAW);
        agents.stale = false;
      }
      const p = this.programs.discs, b = this.buffers.near;
      this.bind(p, [["corner", this.disc, 2, gl.FLOAT, 0, 0, 0], ["places", b, 4, gl.FLOAT, NEAR_BYTES, 0, 1],
        ["word", b, 4, gl.UNSIGNED_BYTE, NEAR_BYTES, 16, 1], ["mark", b, 1, gl.UNSIGNED_BYTE, NEAR_BYTES, 20, 1]]);
      codes(p);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, agents.places);
      return;
    }
    const p = this.programs.points, { last, now, words, marks } = this.buffers;
    this.bind(p, [["last", last, 2, gl.UNSIGNED_SHORT, 0, 0, 0, true], ["now", now, 2, gl.UNSIGNED_SHORT, 0, 0, 0, true],
      ["word", words, 2, gl.UNSIGNED_BYTE, 0, 0, 0], ["mark", marks, 1, gl.UNSIGNED_BYTE, 0, 0, 0]]);
    codes(p);
    const [x0, y0, x1, y1] = this.box;
    gl.uniform4f(p.box, x0, y0, x1 - x0, y1 - y0);
    gl.drawArrays(gl.POINTS, 0, agents.places);
  }

  drawShots(view, pixels) {
    const gl = this.gl, p = this.programs.shots, b = this.buffers.shots;
    this.bind(p, [["now", b, 2, gl.UNSIGNED_SHORT, 8, 0, 0, true], ["word", b, 2, gl.UNSIGNED_SHORT, 8, 4, 0]]);
    view(p);
    const [x0, y0, x1, y1] = this.box;
    gl.uniform4f(p.box, x0, y0, x1 - x0, y1 - y0);
    gl.uniform1f(p.pixels, pixels);
    gl.uniform1f(p.lift, 0);
    gl.uniform4f(p.ink, 0, 0, 0, 0.3);
    gl.drawArrays(gl.POINTS, 0, this.shots);
    gl.uniform1f(p.lift, 1);
    gl.uniform4f(p.ink, ...(this.dark ? [1, 0.93, 0.65, 1] : [0.16, 0.13, 0.08, 1]));
    gl.drawArrays(gl.POINTS, 0, this.shots);
  }
}

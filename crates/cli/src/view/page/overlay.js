// What is drawn over the agents: areas, the picked agent and its way, boxes, the scale, the name of what is pointed at.

import { css } from "./colours.js";
import { Traffic } from "./traffic.js";

export class Overlay {
  constructor(viewer, canvas) {
    this.viewer = viewer;
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.box = null;   // two corners on the screen, while one is drawn
    this.line = null;  // two ends on the screen, while a wall is drawn
    this.hits = [];    // where orders were given: place and time
    this.traffic = new Traffic(this);
  }

  draw(alpha) {
    const { viewer: v, context: c } = this, { camera, scene } = v;
    c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    c.clearRect(0, 0, camera.width, camera.height);
    const ink = scene.dark ? "255 255 255" : "25 30 40";
    if (v.layers.starts) this.shapes(v.areas.starts, [2, 4], 0.05);
    if (v.layers.goals) this.shapes(v.areas.goals, [], 0.10);
    if (v.layers.traffic) this.traffic.draw(c);
    this.edge(c, ink);
    if (v.picked) this.agent(c, alpha);
    if (this.box) {
      const [[x0, y0], [x1, y1]] = this.box;
      c.fillStyle = "rgb(64 120 230 / .14)";
      c.strokeStyle = "rgb(64 120 230 / .9)";
      c.lineWidth = 1.5;
      c.fillRect(x0, y0, x1 - x0, y1 - y0);
      c.strokeRect(x0, y0, x1 - x0, y1 - y0);
    }
    if (this.line) {
      const { from, to, width, builds } = this.line;
      c.strokeStyle = builds ? `rgb(${ink} / .65)` : "rgb(208 69 58 / .65)";
      c.lineWidth = Math.max(3, width * camera.scale);
      c.beginPath();
      c.moveTo(...from);
      c.lineTo(...to);
      c.stroke();
    }
    this.pulses(c);
    this.scale(c, ink);
    if (v.layers.traffic) this.traffic.tell(c);
  }

  outline(c, shape) {
    const camera = this.viewer.camera;
    c.beginPath();
    if (shape.corners) {
      shape.corners.forEach((corner, i) => c[i ? "lineTo" : "moveTo"](...camera.toScreen(corner)));
      c.closePath();
    } else {
      c.arc(...camera.toScreen(shape.centre), Math.max(3, shape.radius * camera.scale), 0, 2 * Math.PI);
    }
  }

  shapes(list, dash, fill) {
    const c = this.context, groups = this.viewer.info.groups;
    c.lineWidth = 1.5;
    c.setLineDash(dash);
    for (const { group, shape } of list) {
      const colour = groups.find((g) => g.index === group)?.colour;
      if (!colour) continue;
      this.outline(c, shape);
      c.fillStyle = css(colour, fill);
      c.strokeStyle = css(colour, 0.85);
      c.fill();
      c.stroke();
    }
    c.setLineDash([]);
  }

  edge(c, ink) {
    const camera = this.viewer.camera, [x0, y0] = camera.toScreen([0, 0]), [x1, y1] = camera.toScreen(camera.extent);
    c.strokeStyle = `rgb(${ink} / .18)`;
    c.lineWidth = 1;
    c.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }

  agent(c, alpha) {
    const { camera, scene, picked } = this.viewer;
    const at = camera.toScreen(scene.where(picked.id, alpha) ?? picked.pos);
    if (picked.way.length > 1) {
      c.strokeStyle = scene.dark ? "rgb(255 255 255 / .75)" : "rgb(20 24 32 / .65)";
      c.lineWidth = 2;
      c.lineJoin = "round";
      c.setLineDash([1, 5]);
      c.lineCap = "round";
      c.beginPath();
      c.moveTo(...at);
      for (const point of picked.way.slice(1)) c.lineTo(...camera.toScreen(point));
      c.stroke();
      c.setLineDash([]);
      c.lineCap = "butt";
    }
    const radius = Math.max(8, picked.radius * camera.scale + 4);
    for (const [width, colour] of [[4.5, scene.dark ? "rgb(0 0 0 / .6)" : "rgb(255 255 255 / .9)"], [2, scene.dark ? "#fff" : "#14171d"]]) {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.beginPath();
      c.arc(...at, radius, 0, 2 * Math.PI);
      c.stroke();
    }
  }

  /** Shows for a moment where an order was given. */
  hit(map) {
    this.hits.push({ map, at: performance.now() });
    this.viewer.dirty = true;
  }

  pulses(c) {
    const now = performance.now();
    this.hits = this.hits.filter(({ at }) => now - at < 700);
    for (const { map, at } of this.hits) {
      const t = (now - at) / 700;
      c.strokeStyle = `rgb(64 120 230 / ${1 - t})`;
      c.lineWidth = 2.5;
      c.beginPath();
      c.arc(...this.viewer.camera.toScreen(map), 6 + 18 * t, 0, 2 * Math.PI);
      c.stroke();
    }
    if (this.hits.length) this.viewer.dirty = true;
  }

  /** A bar of a round number of metres. */
  scale(c, ink) {
    const { camera } = this.viewer, widest = 120 / camera.scale;
    const ten = 10 ** Math.floor(Math.log10(widest));
    const metres = [5, 2, 1].map((n) => n * ten).find((n) => n <= widest) ?? ten;
    const width = metres * camera.scale, x = 16, y = camera.height - this.viewer.panels.below() - 10;
    c.font = "12px system-ui, sans-serif";
    c.lineWidth = 1.5;
    const label = metres >= 1000 ? `${metres / 1000} km` : metres >= 1 ? `${metres} m` : `${metres * 100} cm`;
    c.strokeStyle = c.fillStyle = `rgb(${ink} / .8)`;
    c.beginPath();
    c.moveTo(x, y - 5);
    c.lineTo(x, y);
    c.lineTo(x + width, y);
    c.lineTo(x + width, y - 5);
    c.stroke();
    this.text(c, label, [x + 6, y - 5]);
  }

  /** Words in the colour of fills, on a halo. */
  text(c, words, [x, y]) {
    c.strokeStyle = this.viewer.scene.dark ? "rgb(14 16 19 / .8)" : "rgb(255 255 255 / .85)";
    c.lineWidth = 3;
    c.strokeText(words, x, y);
    c.fillText(words, x, y);
  }
}

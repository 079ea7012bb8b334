// Sources and sinks over the map: dashed and full outlines around stripes, and what they are called.

import { css, lit } from "./colours.js";

const KINDS = [
  { kind: "source", dash: [5, 4], rises: true, tell: (s) => `${count(s.entered)} entered${s.waiting ? `, ${count(s.waiting)} wait outside` : ""}` },
  { kind: "sink", dash: [], rises: false, tell: (s) => `${count(s.left)} left` },
];
const count = (n) => n.toLocaleString("en-GB").replaceAll(",", "\u202f");
/** Pixels from one stripe to the next, and how near an outline one points at it. */
const STRIPES = 8, NEAR = 8;

export class Traffic {
  constructor(overlay) {
    this.overlay = overlay;
    this.viewer = overlay.viewer;
    this.pointed = null; // a place on the screen
    this.told = "";      // the words that are shown there
    this.patterns = {};
  }

  /** Sources and sinks with how they look, in the order in which they are drawn. */
  all() {
    const { areas } = this.viewer;
    return KINDS.flatMap((look) => areas[`${look.kind}s`].map((area) => ({ look, area })));
  }

  draw(c) {
    const { viewer: v } = this, goals = new Set(v.layers.goals ? v.areas.goals.map(({ shape }) => JSON.stringify(shape)) : []);
    c.lineWidth = 2;
    for (const { look, area } of this.all()) {
      const colour = lit(v.info.colours[look.kind], v.scene.dark);
      c.fillStyle = this.stripes(c, colour, look.rises);
      c.strokeStyle = css(colour);
      c.setLineDash(look.dash);
      for (const shape of area.shapes) {
        this.overlay.outline(c, shape);
        c.fill();
        // The outline of a goal is there already.
        if (look.rises || !goals.has(JSON.stringify(shape))) c.stroke();
      }
    }
    c.setLineDash([]);
  }

  /** A pattern of stripes that rise or fall to the right. */
  stripes(c, colour, rises) {
    const tile = this.patterns[css(colour)] ??= Object.assign(document.createElement("canvas"), { width: STRIPES, height: STRIPES });
    if (tile.pattern) return tile.pattern;
    const t = tile.getContext("2d"), [from, to] = rises ? [STRIPES, 0] : [0, STRIPES];
    t.strokeStyle = css(colour, 0.5);
    t.lineWidth = 1.3;
    for (const x of [-STRIPES, 0, STRIPES]) {
      t.beginPath();
      t.moveTo(x, from);
      t.lineTo(x + STRIPES, to);
      t.stroke();
    }
    tile.pattern = c.createPattern(tile, "repeat");
    return tile.pattern;
  }

  /** The mouse points at a place of the screen, or at none. */
  point(screen) {
    this.pointed = screen;
    const before = this.told, words = this.look();
    if (words.length || before) this.viewer.dirty = true;
    if (this.told && !before) this.viewer.loadAreas();
  }

  /** Looks up what is pointed at, and says in the page what it tells: for programs. */
  look() {
    const words = this.words();
    this.told = this.viewer.$("scene").dataset.told = words.join("\n");
    return words;
  }

  /** Names and counts of what is pointed at, one a line. */
  words() {
    const { viewer: v, pointed } = this, c = this.overlay.context;
    if (!pointed || !v.layers.traffic) return [];
    const at = pointed.map((n) => n * v.ratio);
    c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    c.setLineDash([]);
    c.lineWidth = 2 * NEAR;
    const isAt = (shape) => {
      this.overlay.outline(c, shape);
      return c.isPointInPath(...at) || c.isPointInStroke(...at);
    };
    const found = this.all().reverse().filter(({ area }) => area.shapes.some(isAt));
    return found.slice(0, 6).map(({ look, area }) => `${look.kind} ${area.name}: ${look.tell(area)}`);
  }

  /** Writes them beside the mouse. */
  tell(c) {
    const { viewer: v, pointed } = this, words = this.look();
    if (!words.length) return;
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = v.scene.dark ? "#e7e9ee" : "#22262e";
    const width = Math.max(...words.map((line) => c.measureText(line).width));
    const x = Math.max(4, Math.min(pointed[0] + 14, v.camera.width - width - 8));
    const y = pointed[1] > 30 + 16 * words.length ? pointed[1] - 10 - 16 * (words.length - 1) : pointed[1] + 26;
    words.forEach((line, i) => this.overlay.text(c, line, [x, y + 16 * i]));
  }
}

// Mouse, touch and keys.

/** Simulated seconds a second; 0 is as fast as it goes. */
export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 0];

export const KEYS = [
  ["Space", "play, halt"], ["Shift + Space", "play backwards"], [". ,", "a tick on, a tick back"],
  ["Page Up, Page Down", "ten seconds on, back"], ["Home, End", "first tick, newest tick"], ["[ ]", "slower, faster"],
  ["arrow keys", "move the map"], ["+ −", "zoom"], ["0", "the whole map"], ["Enter", "pick the agent in the middle of the map"], ["F", "follow the picked agent"],
  ["1 – 5", "colour by group, state, speed, health, mind"], ["A G E D V O", "arrows, goals, sources and sinks, density, speed, overlap"],
  ["N", "ways: portals, mesh, network, waypoints"],
  ["B M S W X", "tools: box, move, stop, wall, demolish"], ["Esc", "let go of tools, selection and agent"],
  ["P", "save a picture"], ["R", "save a replay that begins here"], ["C", "copy the address of this view"], ["L T ?", "panel, light or dark, keys"],
];

export class Controls {
  constructor(viewer) {
    this.viewer = viewer;
    this.tool = "look";
    this.pointers = new Map();
    const canvas = viewer.$("scene");
    this.canvas = canvas;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => { this.pointers.delete(event.pointerId); this.drop(); });
    canvas.addEventListener("pointerleave", () => viewer.overlay.traffic.point(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => { viewer.camera.zoom(2, [event.offsetX, event.offsetY]); viewer.moved(); });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  setTool(tool) {
    const live = this.viewer.info.live;
    this.tool = tool === this.tool || (!live && tool !== "box") ? "look" : tool;
    if (this.tool === "stop") {
      this.stop();
      this.tool = "look";
    }
    this.canvas.classList.toggle("aims", this.tool !== "look");
    this.viewer.panels.setTools();
  }

  at(event) { return [event.offsetX, event.offsetY]; }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, this.at(event));
    if (this.pointers.size > 1) { this.drop(); return; }
    const from = this.at(event);
    if (event.button === 2) { this.moveTo(from); return; }
    const boxes = this.tool === "box" || event.shiftKey;
    const draws = this.tool === "wall" || this.tool === "demolish";
    this.drag = { from, moved: false, kind: boxes ? "box" : draws ? this.tool : this.tool === "move" ? "move" : "look", adds: event.ctrlKey || event.metaKey };
    this.canvas.classList.toggle("holds", this.drag.kind === "look");
  }

  drop() {
    this.drag = null;
    Object.assign(this.viewer.overlay, { box: null, line: null });
    this.canvas.classList.remove("holds");
    this.viewer.dirty = true;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.viewer.overlay.traffic.point(this.at(event));
      return;
    }
    const { viewer: v } = this, now = this.at(event);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const span = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
      const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
      v.camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      v.camera.zoom(span(now) / Math.max(1, span(before)), middle);
      v.follows = false;
      v.moved();
    } else if (this.drag) {
      const { drag } = this;
      drag.moved ||= Math.hypot(now[0] - drag.from[0], now[1] - drag.from[1]) > 4;
      if (drag.moved && (drag.kind === "look" || drag.kind === "move")) {
        v.camera.pan(now[0] - before[0], now[1] - before[1]);
        if (v.follows) { v.follows = false; v.panels.setAgent(); }
        v.moved();
      } else if (drag.moved && drag.kind === "box") {
        v.overlay.box = [drag.from, now];
        v.dirty = true;
      } else if (drag.moved) {
        v.overlay.line = { from: drag.from, to: now, width: this.wallWidth(), builds: drag.kind === "wall" };
        v.dirty = true;
      }
    }
    this.pointers.set(event.pointerId, now);
  }

  async up(event) {
    this.pointers.delete(event.pointerId);
    const { drag, viewer: v } = this, now = this.at(event);
    this.drop();
    if (!drag) return;
    try {
      if (drag.kind === "box" && drag.moved) await v.select(drag.from, now, drag.adds);
      else if (drag.kind === "move" && !drag.moved) await this.moveTo(now);
      else if ((drag.kind === "wall" || drag.kind === "demolish")) await this.wall(drag, now);
      else if (!drag.moved && drag.kind !== "box") await v.pick(now);
    } catch (error) {
      v.panels.notice(error.message, true);
    }
  }

  /** Thickness of a wall in metres: two cells, so that nobody slips through a corner. */
  wallWidth() { return 2 * this.viewer.info.cell; }

  async wall({ from, kind, moved }, to) {
    const { viewer: v } = this, half = this.wallWidth() / 2;
    const a = v.camera.toMap(from), b = moved ? v.camera.toMap(to) : [a[0], a[1]];
    let along = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(...along);
    along = length > 0 ? along.map((c) => c / length * half) : [half, 0];
    const across = [-along[1], along[0]], corners = [];
    for (const [end, i, j] of [[a, -1, -1], [b, 1, -1], [b, 1, 1], [a, -1, 1]]) {
      corners.push((end[0] + along[0] * i + across[0] * j).toFixed(3), (end[1] + along[1] * i + across[1] * j).toFixed(3));
    }
    await v.order({ kind: kind === "wall" ? "build" : "demolish", corners: corners.join(",") });
  }

  /** Sends the selected agents, or the group of the picked one, to a place of the screen. */
  async moveTo(screen) {
    const { viewer: v } = this, map = v.camera.toMap(screen), to = map.map((n) => n.toFixed(3)).join(",");
    if (!v.info.live) return;
    if (v.group !== null) {
      v.overlay.hit(map);
      await v.order({ kind: "move", to, group: v.group });
    } else if (v.selected.size) {
      v.overlay.hit(map);
      await v.order({ kind: "move", to }, v.selected);
    } else if (v.picked) {
      v.overlay.hit(map);
      await v.order({ kind: "move", to }, new Map([[v.picked.id, v.picked.generation]]));
    } else {
      v.panels.notice("Select agents first: drag a box with Shift, or pick one.");
    }
  }

  async stop() {
    const { viewer: v } = this;
    const whom = v.selected.size ? v.selected : v.picked ? new Map([[v.picked.id, v.picked.generation]]) : null;
    if (v.group !== null) await v.order({ kind: "stop", group: v.group });
    else if (whom) await v.order({ kind: "stop" }, whom);
    else v.panels.notice("Select agents first: drag a box with Shift, or pick one.");
  }

  wheel(event) {
    event.preventDefault();
    const { viewer: v } = this, lines = event.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016));
    v.camera.zoom(factor, v.follows ? undefined : this.at(event));
    v.moved();
  }

  key(event) {
    const { viewer: v } = this, typed = event.target;
    if (!v.status || event.ctrlKey || event.metaKey || event.altKey) return;
    // Keys in the list of keys are the browser's: Escape closes it.
    if (v.$("keys").open) return;
    const onBar = typed.id === "seek" && ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"].includes(event.key);
    if (typed.tagName === "SELECT" || onBar || (typed.tagName === "BUTTON" && [" ", "Enter"].includes(event.key)) || (typed.type === "checkbox" && event.key === " ")) return;
    if (event.key === "Enter" && typed !== this.canvas) return;
    const act = this.action(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey);
    if (!act) return;
    event.preventDefault();
    act();
  }

  action(key, shift) {
    const { viewer: v } = this, { camera, panels } = v;
    const pan = (x, y) => () => { camera.pan(x, y); v.follows = false; v.moved(); };
    const zoom = (factor) => () => { camera.zoom(factor); v.moved(); };
    const seconds = (s) => () => v.control({ step: Math.round(s * v.info.tick_rate) });
    const colours = ["group", "state", "speed", "health", "mind"];
    const heat = (of) => () => panels.setHeat(v.layers.heat === of ? "" : of);
    const actions = {
      " ": () => v.play(shift ? -1 : 1),
      ".": () => v.control({ step: 1 }), ",": () => v.control({ step: -1 }),
      PageUp: seconds(10), PageDown: seconds(-10),
      Home: () => v.control({ play: 0, tick: v.status.first }), End: () => v.control({ play: 0, tick: v.status.head }),
      "[": () => panels.changeSpeed(-1), "]": () => panels.changeSpeed(1),
      ArrowLeft: pan(70, 0), ArrowRight: pan(-70, 0), ArrowUp: pan(0, 70), ArrowDown: pan(0, -70),
      "+": zoom(1.3), "=": zoom(1.3), "-": zoom(1 / 1.3), "0": () => { v.follows = false; camera.fit(); v.moved(); },
      f: () => panels.toggleFollow(), a: () => panels.toggleLayer("arrows"), g: () => panels.toggleLayer("goals"), e: () => panels.toggleLayer("traffic"), n: () => panels.toggleLayer("ways"),
      d: heat("density"), v: heat("speed"), o: heat("overlap"),
      b: () => this.setTool("box"), m: () => this.setTool("move"), s: () => this.setTool("stop"),
      w: () => this.setTool("wall"), x: () => this.setTool("demolish"),
      Enter: () => v.pick([camera.width / 2, camera.height / 2]),
      Escape: () => this.letGo(), p: () => panels.savePicture(), r: () => panels.saveRest(), c: () => panels.copyAddress(),
      l: () => panels.toggleSide(), t: () => v.setTheme(!v.scene.dark), "?": () => panels.showKeys(),
    };
    const colour = "12345".indexOf(key);
    if (colour >= 0 && panels.offers(colours[colour])) return () => v.setColourBy(colours[colour]);
    return actions[key];
  }

  letGo() {
    const { viewer: v } = this;
    if (this.tool !== "look") { this.setTool(this.tool); return; }
    if (v.selected.size || v.group !== null) { v.clearSelected(); v.panels.setLegend(); return; }
    v.follows = false;
    v.setPicked(null);
  }
}

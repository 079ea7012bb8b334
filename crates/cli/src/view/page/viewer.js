// The viewer: asks a source for frames, keeps what the page shows, and draws.

import { Camera } from "./camera.js";
import { HEALTH, HEAT, KINDS, MIND, SPEED, ramp } from "./colours.js";
import { Controls } from "./controls.js";
import { Overlay } from "./overlay.js";
import { Panels } from "./panels.js";
import { Scene } from "./scene.js";
import { json, withHead } from "./source.js";

const VALUES = { group: "heading", state: "heading", speed: "speed", health: "health", mind: "mind" };
/** Device pixels of a radius from which discs show who heads where. */
const DETAIL = 2.2;
/** Milliseconds from one look at a layer to the next. */
const LAYER_EVERY = 200;

export class Viewer {
  constructor(source, root = document) {
    this.source = source;
    this.$ = (id) => root.getElementById(id);
    this.camera = new Camera();
    this.status = null;       // the head of the last frame
    this.info = null;
    this.colourBy = "group";
    this.layers = { terrain: true, agents: true, projectiles: true, goals: true, starts: false, traffic: true, arrows: false, ways: false, heat: "" };
    this.arrowGroup = 0;
    this.areas = { starts: [], goals: [], sources: [], sinks: [] };
    this.picked = null;       // what is known of the picked agent
    this.follows = false;
    this.speeds = [];         // of the picked agent: tick and m/s
    this.selected = new Map();// id index to generation
    this.group = null;        // a whole group that is selected
    this.interval = 60;       // milliseconds between two frames, lately
    this.arrived = 0;         // when the last frame came
    this.dirty = true;
    this.gone = false;
    this.stamps = {};         // what layers were last asked for
    this.steers = 0;          // what was done to the clock and is not answered yet
    this.awaited = 0;         // answers beside frames that are under way
  }

  async start() {
    try {
      this.scene = new Scene(this.$("scene"));
    } catch (error) {
      this.fault(error.message === "WebGL2"
        ? "This page draws with WebGL2, which this browser does not have or has switched off. Any current Firefox, Chrome, Edge or Safari has it; where hardware acceleration is off, it may have to be allowed."
        : `The page cannot draw: ${error.message}`);
      return;
    }
    this.overlay = new Overlay(this, this.$("overlay"));
    this.panels = new Panels(this);
    this.controls = new Controls(this);
    this.$("scene").addEventListener("webglcontextlost", () => this.fault("The graphics of this browser have stopped. Loading the page again brings them back; nothing of the run is lost."));
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
    try {
      await this.loadInfo();
    } catch (error) {
      this.fault(error.message);
      return;
    }
    this.resize();
    this.camera.fit();
    addEventListener("resize", () => this.resize());
    await this.goToAddress();
    this.loop();
    requestAnimationFrame(() => this.draw());
  }

  fault(text) {
    const p = document.createElement("p");
    p.className = "fault";
    p.setAttribute("role", "alert");
    p.textContent = text;
    document.body.append(p);
  }

  async loadInfo() {
    this.info = json(await this.source.ask("info"));
    this.camera.extent = this.info.extent;
    this.panels.setInfo();
    this.setColours();
  }

  /** The tick and the camera that the page's own address names. */
  async goToAddress() {
    const query = new URLSearchParams(location.search);
    const at = (query.get("at") ?? "").split(",").map(Number);
    if (at.length === 2 && at.every(Number.isFinite)) [this.camera.x, this.camera.y] = at;
    if (Number(query.get("zoom")) > 0) this.camera.scale = Number(query.get("zoom"));
    this.camera.clamp();
    if (query.has("tick")) await this.control({ play: 0, tick: Number(query.get("tick")) });
  }

  address() {
    const query = new URLSearchParams({ tick: this.status.tick,
      at: `${this.camera.x.toFixed(2)},${this.camera.y.toFixed(2)}`, zoom: this.camera.scale.toFixed(3) });
    return `${location.origin}${location.pathname}?${query.toString().replaceAll("%2C", ",")}`;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.$("stage");
    this.ratio = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.$("scene"), this.$("overlay")]) {
      canvas.width = Math.max(1, Math.round(width * this.ratio));
      canvas.height = Math.max(1, Math.round(height * this.ratio));
    }
    Object.assign(this.camera, { width, height, pads: this.panels.pads() });
    this.moved();
  }

  /** The camera, or what is shown, has changed. */
  moved() {
    this.dirty = true;
    this.wantsFrame = true;
  }

  setTheme(dark) {
    this.scene.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    const [r, g, b] = getComputedStyle(document.documentElement).getPropertyValue("--page").match(/\w\w/g).map((h) => parseInt(h, 16) / 255);
    this.page = [r, g, b];
    this.panels?.redraw();
    this.dirty = true;
  }

  /** The tables of colours and radii by what is told apart. */
  setColours() {
    const { groups } = this.info;
    const byGroup = Array.from({ length: 256 }, () => [128, 128, 128]), radii = new Array(256).fill(0.3);
    for (const group of groups) {
      const index = Math.min(254, group.index);
      byGroup[index] = group.colour;
      radii[index] = group.radius;
    }
    const values = { speed: ramp(SPEED, 32), health: ramp(HEALTH, 32), mind: MIND }[this.colourBy] ?? MIND;
    this.scene.setColours([byGroup, KINDS, values], radii);
    this.scene.by = { group: 0, state: 1 }[this.colourBy] ?? 2;
    this.dirty = true;
  }

  setColourBy(by) {
    this.colourBy = by;
    this.setColours();
    this.panels.setLegend();
    this.wantsFrame = true;
  }

  // Frames

  /** Asks for frames, one after another: the next when the last has been drawn. */
  async loop() {
    for (;;) {
      try {
        const bytes = await this.source.ask("agents", this.frameQuery());
        this.setGone(false);
        if (!bytes.byteLength) continue; // no news
        await this.take(withHead(bytes));
      } catch (error) {
        this.setGone(error.status === 0 || error.status === 503, error);
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
      await new Promise((resolve) => { this.drawn = resolve; this.dirty = true; });
    }
  }

  frameQuery() {
    const radius = Math.min(...this.info.groups.map((group) => group.radius), 1e3);
    const have = this.wantsFrame ? 0 : this.status?.version ?? 0;
    this.wantsFrame = false;
    return {
      have, frame: this.camera.frame().map((v) => v.toFixed(2)).join(","),
      detail: radius * this.camera.scale * this.ratio > DETAIL ? 1 : 0,
      value: VALUES[this.colourBy],
    };
  }

  setGone(gone, error) {
    if (gone && !this.gone) this.panels.notice("The server has ended. What it recorded is whole; this page waits for it.", true, 0);
    if (!gone && this.gone) this.panels.clearNotices();
    if (error && !gone) this.panels.notice(error.message, true);
    this.gone = gone;
  }

  async take({ head, bytes, at }) {
    const now = performance.now(), before = this.status;
    const moves = head.play !== 0 && before && head.tick !== before.tick;
    if (moves) this.interval += 0.3 * (Math.min(1000, Math.max(16, now - this.arrived)) - this.interval);
    if (!before || head.tick !== before.tick) this.arrived = now;
    this.leap = this.info.top_speed / this.info.tick_rate * Math.max(1, head.tick - (before?.tick ?? 0)) * 1.5 + 1;
    const jumps = !before || head.tick < before.tick || head.goal !== null;
    this.still = !moves || jumps;
    if (this.still && (!before || head.tick !== before.tick)) this.scene.agents = null;
    this.scene.setAgents(head, bytes, at);
    this.status = head;
    this.scene.valued = head.value !== "none";
    // While a state is restored the page has a picture of the agents, and nothing else of that tick.
    if (head.restoring === null) {
      if (!before || head.map !== this.groundVersion) await this.loadGround(head.map);
      if (before && head.groups !== this.groupCount) await this.loadInfo();
      this.groupCount = head.groups;
      if (!before || head.tick !== before.tick || before.restoring !== null) this.tickChanged(before);
      this.refreshLayers();
    }
    this.panels.setStatus();
    if (before?.play === 1 && head.play === 0 && head.tick === head.end) this.panels.notice("The run has come to its last tick.");
    this.dirty = true;
  }

  /** Asks for what belongs to the picture: until it is there, the page has not settled. */
  async ask(name, query) {
    this.awaited += 1;
    try {
      return await this.source.ask(name, query);
    } finally {
      this.awaited -= 1;
      this.dirty = true;
    }
  }

  async loadGround(version) {
    const { head, bytes, at } = withHead(await this.ask("ground"));
    this.groundVersion = version;
    this.scene.setGround(head.width, head.height, head.extent, new Uint8Array(bytes, at));
  }

  tickChanged(before) {
    if (!before || before.tick > this.status.tick || this.status.tick % 16 === 0 || this.status.tick - before.tick > 15 || this.overlay.traffic.told) this.loadAreas();
    if (this.picked) this.look(this.picked.id);
  }

  async loadAreas() {
    this.areas = json(await this.ask("areas"));
    this.dirty = true;
  }

  // Layers

  /** Asks for layers that show, when the tick or the camera has changed. */
  refreshLayers() {
    const frame = this.camera.frame(), { tick, map } = this.status;
    const words = frame.map((v) => v.toFixed(1)).join(",");
    const cells = Math.round(Math.min(256, Math.max(48, this.camera.width / 9)));
    this.layer("heat", this.layers.heat && `${this.layers.heat} ${tick} ${words}`, async () => {
      const answer = withHead(await this.source.ask("heat", { of: this.layers.heat, frame: words, cells }));
      this.scene.setHeat(answer.head, new Uint8Array(answer.bytes, answer.at));
      this.panels.setHeatScale(answer.head);
    }, () => { this.scene.setHeat(null); this.panels.setHeatScale(null); });
    const age = Math.floor(tick / 10);
    this.layer("arrows", this.layers.arrows && `${this.arrowGroup} ${age} ${map} ${words}`, async () => {
      const few = Math.round(Math.max(16, this.camera.width / 18));
      const answer = withHead(await this.source.ask("arrows", { group: this.arrowGroup, frame: words, cells: few }));
      this.scene.setArrows(answer.head, new Int8Array(answer.bytes, answer.at));
      this.panels.setArrowNote(answer.head.followed);
    }, () => this.scene.setArrows(null));
    // Ways change with the map and the groups; orders in a scenario may make new ones.
    const seldom = Math.floor(tick / 100);
    this.layer("ways", this.layers.ways && `${map} ${this.status.groups} ${this.status.ordered} ${seldom} ${words}`, async () => {
      const answer = withHead(await this.source.ask("ways", { frame: words }));
      this.scene.setWays(answer.head, new Float32Array(answer.bytes, answer.at));
      this.panels.setWays(answer.head);
    }, () => { this.scene.setWays(null); this.panels.setWays(null); });
  }

  layer(name, stamp, load, clear) {
    const state = this.stamps[name] ??= { stamp: "", busy: false, at: 0 };
    if (!stamp) {
      if (state.stamp) { clear(); this.dirty = true; }
      state.stamp = "";
      return;
    }
    const wait = state.at + LAYER_EVERY - performance.now();
    if (stamp === state.stamp || state.busy) return;
    if (wait > 0) {
      state.later ??= setTimeout(() => { state.later = null; this.refreshLayers(); }, wait);
      return;
    }
    Object.assign(state, { stamp, busy: true, at: performance.now() });
    load().catch((error) => this.panels.notice(error.message, true)).finally(() => {
      state.busy = false;
      // What was switched off meanwhile goes again.
      if (!state.stamp) clear();
      this.dirty = true;
      this.refreshLayers();
    });
  }

  setLayer(name, value) {
    this.layers[name] = value;
    this.dirty = true;
    if (this.status) this.refreshLayers();
  }

  // The clock

  async control(query) {
    this.steers += 1;
    try {
      const status = json(await this.source.ask("control", query));
      if (this.status) Object.assign(this.status, { play: status.play, speed: status.speed, goal: status.goal });
      this.panels.setStatus();
    } catch (error) {
      this.panels.notice(error.message, true);
    } finally {
      this.steers -= 1;
    }
  }

  play(direction) { return this.control({ play: this.status?.play === direction ? 0 : direction }); }

  // Agents

  async pick(screen) {
    const at = this.camera.toMap(screen).map((v) => v.toFixed(3)).join(",");
    const reach = Math.max(0.5, 14 / this.camera.scale).toFixed(3);
    const found = json(await this.source.ask("pick", { at, reach }));
    this.speeds = [];
    if (!found) this.follows = false;
    this.setPicked(found);
  }

  async look(id) {
    const found = json(await this.ask("agent", { id }));
    if (this.picked?.id !== id) return;
    if (!found || found.generation !== this.picked.generation) {
      this.panels.notice(`Agent ${id} is no longer there.`);
      this.follows = false;
      this.setPicked(null);
      return;
    }
    this.setPicked(found);
  }

  setPicked(found) {
    this.picked = found;
    if (found) {
      const last = this.speeds.at(-1);
      if (last && found.tick < last[0]) this.speeds = this.speeds.filter(([tick]) => tick < found.tick);
      if (!last || found.tick !== last[0]) this.speeds.push([found.tick, found.speed]);
      if (this.speeds.length > 400) this.speeds.shift();
    }
    this.panels.setAgent();
    this.dirty = true;
  }

  /** Selects the agents in a rectangle of the screen. */
  async select(a, b, adds) {
    this.group = null;
    const [p, q] = [this.camera.toMap(a), this.camera.toMap(b)];
    const frame = [Math.min(p[0], q[0]), Math.min(p[1], q[1]), Math.max(p[0], q[0]), Math.max(p[1], q[1])];
    if (frame[2] - frame[0] <= 0 || frame[3] - frame[1] <= 0) return;
    const ids = new Uint32Array(await this.source.ask("select", { frame: frame.map((v) => v.toFixed(3)).join(",") }));
    if (!adds) this.selected.clear();
    for (let i = 0; i < ids.length; i += 2) this.selected.set(ids[i], ids[i + 1]);
    this.showSelected();
  }

  clearSelected() {
    this.selected.clear();
    this.group = null;
    this.showSelected();
  }

  /** Selects a whole group, or lets go of it. */
  selectGroup(index) {
    const group = this.group === index ? null : index;
    this.selected.clear();
    this.group = group;
    this.showSelected();
    this.panels.setLegend();
  }

  showSelected() {
    let most = 0;
    for (const id of this.selected.keys()) most = Math.max(most, id + 1);
    const marks = new Uint8Array(most);
    for (const id of this.selected.keys()) marks[id] = 1;
    this.scene.setMarks(marks);
    this.panels.setTools();
    this.dirty = true;
  }

  async order(query, ids = null) {
    let body;
    if (ids) {
      body = new Uint32Array(ids.size * 2);
      let i = 0;
      for (const [id, generation] of ids) { body[i++] = id; body[i++] = generation; }
    }
    try {
      const done = json(await this.source.ask("order", query, body));
      this.panels.notice(`${ORDERED[query.kind]} (tick ${done.tick})`);
      this.loadAreas();
    } catch (error) {
      this.panels.notice(error.message, true);
    }
  }

  // Drawing

  draw() {
    requestAnimationFrame(() => this.draw());
    const alpha = this.still ? 1 : Math.min(1, (performance.now() - this.arrived) / this.interval);
    if (!this.dirty && (alpha >= 1 && this.alpha === 1)) return;
    this.alpha = alpha;
    if (this.follows && this.picked) {
      const at = this.scene.where(this.picked.id, alpha) ?? this.picked.pos;
      if (at[0] !== this.camera.x || at[1] !== this.camera.y) {
        [this.camera.x, this.camera.y] = at;
        this.camera.clamp();
      }
    }
    this.dirty = false;
    this.paint();
    this.drawn?.();
    this.drawn = null;
    if (this.wantsFrame && this.status) this.refreshLayers();
    this.tellSettled(alpha);
  }

  /** Says in the page whether all that it asked for is drawn: for programs that look at its pixels. */
  tellSettled(alpha) {
    const loads = Object.values(this.stamps).some(({ busy, later }) => busy || later);
    const waits = this.awaited > 0 || this.wantsFrame || !this.status || this.status.goal !== null;
    const settled = alpha >= 1 && !this.dirty && !loads && !waits;
    this.$("scene").dataset.settled = settled ? this.status.tick : "";
  }

  paint() {
    const { alpha = 1, leap = 1e9, layers, page, ratio } = this;
    const restoring = this.status !== null && this.status.restoring !== null;
    this.scene.draw(this.camera, { alpha, leap, layers, page, ratio, restoring });
    this.overlay.draw(alpha);
  }

  /** What is on the screen, as a PNG. */
  picture() {
    this.paint();
    const both = document.createElement("canvas");
    both.width = this.$("scene").width;
    both.height = this.$("scene").height;
    const context = both.getContext("2d");
    context.drawImage(this.$("scene"), 0, 0);
    context.drawImage(this.$("overlay"), 0, 0);
    return new Promise((resolve) => both.toBlob(resolve, "image/png"));
  }
}

const ORDERED = { move: "On the way", stop: "Stopped", rejoin: "Back to the group's order", build: "Built", demolish: "Demolished" };
export { HEAT };

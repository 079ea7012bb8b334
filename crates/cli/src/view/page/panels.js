// The panels around the map.

import { AgentPanel } from "./agent_panel.js";
import { HEALTH, HEAT, KINDS, MIND, SPEED, WAYS, css, ramp } from "./colours.js";
import { KEYS, SPEEDS } from "./controls.js";

const number = (n) => Math.round(n).toLocaleString("en-GB").replaceAll(",", "\u202f");
const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const TOOLS = [
  ["box", "Select", "B", "Drag a box around agents (or Shift + drag)"], ["move", "Move", "M", "Click where they go (or right click)"],
  ["stop", "Stop", "S", "They stand where they are"], ["wall", "Wall", "W", "Drag a line: it becomes a wall"],
  ["demolish", "Demolish", "X", "Drag a line: walls on it are taken down"],
];

export class Panels {
  constructor(viewer) {
    this.viewer = viewer;
    this.$ = viewer.$;
    this.agent = new AgentPanel(viewer);
    const on = (id, act) => this.$(id).addEventListener("click", act);
    on("play", () => viewer.play(1));
    on("backwards", () => viewer.play(-1));
    on("step", () => viewer.control({ step: 1 }));
    on("back", () => viewer.control({ step: -1 }));
    on("newest", () => viewer.control({ play: 0, tick: viewer.status.head }));
    on("to-parted", () => this.toDivergence());
    on("fit", () => { viewer.follows = false; viewer.camera.fit(); viewer.moved(); });
    on("theme", () => viewer.setTheme(!viewer.scene.dark));
    on("more", () => this.toggleSide());
    on("help", () => this.showKeys());
    on("save-picture", () => this.savePicture());
    on("save-replay", () => this.saveReplay());
    on("save-rest", () => this.saveRest());
    on("copy", () => this.copyAddress());
    const seek = this.$("seek");
    seek.addEventListener("input", () => {
      this.scrubs = true;
      viewer.control({ play: 0, tick: Number(seek.value) });
    });
    seek.addEventListener("change", () => { this.scrubs = false; });
    const speed = this.$("speed");
    for (const value of SPEEDS) {
      const words = { 0.125: "⅛ ×", 0.25: "¼ ×", 0.5: "½ ×", 0: "max" };
      speed.append(element("option", words[value] ?? `${value} ×`, { value }));
    }
    speed.value = "1";
    speed.addEventListener("change", () => viewer.control({ speed: Number(speed.value) || "max" }));
    if (innerWidth <= 760) this.toggleSide(false);
  }

  // Once known

  setInfo() {
    const { info } = this.viewer;
    document.title = `${info.name} · throng`;
    this.$("name").textContent = info.name;
    const kind = this.$("kind");
    kind.textContent = info.live ? "live" : "replay";
    kind.classList.toggle("live", info.live);
    this.setColourChoices();
    this.setLayers();
    this.setTools();
    this.stages = info.stages.map((name) => {
      const row = element("li"), bar = element("i"), time = element("span");
      row.append(element("b", name), bar, time);
      row.firstChild.style.fontWeight = 400;
      return { row, bar, time };
    });
    this.$("stages").replaceChildren(...this.stages.map(({ row }) => row));
  }

  offers(by) {
    const { info } = this.viewer;
    return { health: info.fights, mind: info.thinks }[by] ?? true;
  }

  setColourChoices() {
    const { viewer } = this;
    const choices = ["group", "state", "speed", "health", "mind"].filter((by) => this.offers(by));
    this.$("colours").replaceChildren(...choices.map((by) => {
      const button = element("button", by, { type: "button", role: "radio", "aria-checked": by === viewer.colourBy });
      button.addEventListener("click", () => viewer.setColourBy(by));
      return button;
    }));
    this.setLegend();
  }

  setLegend() {
    const { info, colourBy } = this.viewer, legend = this.$("legend");
    for (const button of this.$("colours").children) button.setAttribute("aria-checked", button.textContent === colourBy);
    const dot = (colour, name) => {
      const row = element("li"), mark = element("i");
      mark.style.background = css(colour);
      row.append(mark, element("span", name));
      return row;
    };
    const scale = (stops, from, to) => {
      const row = element("li", "", { class: "ramp" }), canvas = element("canvas", "", { width: 200, height: 8 });
      this.paintRamp(canvas, stops);
      const ends = element("div", "", { class: "ends" });
      ends.append(element("span", from), element("span", to));
      row.append(canvas, ends);
      return row;
    };
    const top = `${info.top_speed.toFixed(1)} m/s`;
    const rows = {
      group: () => info.groups.slice(0, 24).map((group) => this.groupRow(dot(group.colour, group.name), group.index)),
      state: () => info.kinds.map((name, i) => dot(KINDS[i], name)),
      speed: () => [scale(SPEED, "0", top)],
      health: () => [scale(HEALTH, "0", "full")],
      mind: () => this.mindRows(dot),
    }[colourBy]();
    legend.replaceChildren(...rows);
  }

  /** In a live run a click on a group selects it. */
  groupRow(row, index) {
    const { viewer } = this;
    if (!viewer.info.live) return row;
    const button = element("button", "", { type: "button", title: "Select the group", "aria-pressed": viewer.group === index });
    button.append(...row.childNodes);
    button.addEventListener("click", () => viewer.selectGroup(index));
    row.append(button);
    return row;
  }

  mindRows(dot) {
    const { machines } = this.viewer.info;
    const longest = Math.max(0, ...machines.map((states) => states.length));
    const name = (i) => [...new Set(machines.map((states) => states[i]).filter(Boolean))].join(", ");
    const rows = Array.from({ length: Math.min(31, longest) }, (_, i) => dot(MIND[i], name(i)));
    if (!rows.length) rows.push(...Array.from({ length: 4 }, (_, i) => dot(MIND[i], `state ${i}`)));
    return [...rows, dot(MIND[31], "does not think")];
  }

  paintRamp(canvas, stops) {
    const context = canvas.getContext("2d");
    ramp(stops, canvas.width).forEach((colour, x) => {
      context.fillStyle = css(colour);
      context.fillRect(x, 0, 1, canvas.height);
    });
  }

  setLayers() {
    const { viewer } = this, { info } = viewer, list = this.$("layers");
    const box = (name, text, key) => {
      const label = element("label"), input = element("input", "", { type: "checkbox", id: `layer-${name}` });
      input.checked = Boolean(viewer.layers[name]);
      input.addEventListener("change", () => viewer.setLayer(name, input.checked));
      label.append(input, element("span", text));
      if (key) label.append(element("kbd", key));
      return label;
    };
    const arrows = box("arrows", "Flow field"), groups = element("select", "", { "aria-label": "Group of the flow field" });
    for (const group of info.groups) groups.append(element("option", group.name, { value: group.index }));
    groups.value = viewer.arrowGroup;
    groups.addEventListener("change", () => {
      viewer.arrowGroup = Number(groups.value);
      viewer.setLayer("arrows", true);
      this.$("layer-arrows").checked = true;
    });
    arrows.append(groups);
    const heat = element("label"), kinds = element("select", "", { id: "heat", "aria-label": "Heat map" });
    for (const [value, text] of [["", "none"], ["density", "density"], ["speed", "speed"], ["overlap", "overlap"]]) {
      kinds.append(element("option", text, { value }));
    }
    kinds.value = viewer.layers.heat;
    kinds.addEventListener("change", () => viewer.setLayer("heat", kinds.value));
    heat.append(element("span", "Heat map"), kinds);
    const traffic = box("traffic", "", "E"), words = traffic.querySelector("span");
    for (const [kind, text] of [["source", "Sources"], ["sink", "sinks"]]) {
      const mark = element("i", "", { class: kind });
      mark.style.borderColor = css(info.colours[kind]);
      words.append(mark, text);
    }
    list.replaceChildren(heat, arrows, box("goals", "Goals", "G"), box("starts", "Starts"), traffic, box("ways", "Ways", "N"), box("terrain", "Terrain"),
      ...(info.fights ? [box("projectiles", "Projectiles")] : []), box("agents", "Agents"));
  }

  toggleLayer(name) {
    const { viewer } = this;
    viewer.setLayer(name, !viewer.layers[name]);
    this.$(`layer-${name}`).checked = viewer.layers[name];
  }

  setHeat(of) {
    this.$("heat").value = of;
    this.viewer.setLayer("heat", of);
  }

  setHeatScale(head) {
    const box = this.$("heat-scale");
    box.hidden = !head;
    if (!head) return;
    const stops = HEAT[this.viewer.layers.heat];
    if (!stops) return;
    this.paintRamp(box.querySelector("canvas"), stops);
    this.viewer.scene.setRamp(ramp(stops, 64));
    box.querySelector("span").replaceChildren(element("span", "0"), element("span", `${head.most.toFixed(1)} ${head.unit} and more`));
  }

  /** Says what the ways on the map are, and whose; `null` takes that away. */
  setWays(head) {
    const { groups } = this.viewer.info, list = this.$("ways-legend");
    list.hidden = !head;
    if (!head) return;
    const rows = head.ways.map(({ by, groups: indices }) => {
      const row = element("li"), mark = element("i");
      mark.style.background = css(WAYS[by]);
      const names = indices.map((index) => groups.find((group) => group.index === index)?.name ?? `group ${index}`);
      row.append(mark, element("span", `${by}: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`));
      return row;
    });
    if (!rows.length) rows.push(element("li", "Nobody goes by portals, a mesh, a network or waypoints."));
    if (head.every > 1) rows.push(element("li", `One line of ${head.every}; zoom in for all.`));
    list.replaceChildren(...rows);
  }

  setArrowNote(followed) {
    if (!followed && !this.told) this.notice("This group follows no flow field now.");
    this.told = !followed;
  }

  // With every frame

  setStatus() {
    const { viewer } = this, { status: s, info } = viewer;
    if (!s) return;
    const set = (id, text) => { if (this.$(id).textContent !== text) this.$(id).textContent = text; };
    set("agents", number(s.agents));
    set("arrived", s.agents ? `${Math.floor(s.arrived / s.agents * 100)} %` : "–");
    const seconds = s.tick / info.tick_rate;
    set("time", `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`);
    set("rate", s.restoring !== null ? "restoring…" : s.play ? s.rate.toFixed(s.rate < 10 ? 1 : 0) : "halted");
    set("tick", number(s.tick));
    const end = info.live ? this.span(s) : s.end;
    set("end", number(end));
    const seek = this.$("seek");
    seek.min = s.first;
    seek.max = end;
    if (!this.scrubs) seek.value = s.goal ?? s.tick;
    seek.setAttribute("aria-valuetext", `tick ${s.tick}, ${seconds.toFixed(1)} seconds`);
    const share = (tick) => `${(tick - s.first) / Math.max(1, end - s.first) * 100}%`;
    this.$("known").style.width = share(s.head);
    this.$("same").style.width = info.live ? "0" : share(s.verified);
    const parted = this.$("parted");
    parted.style.left = s.divergence ? share(s.divergence.tick) : "0";
    parted.style.width = s.divergence ? "max(3px, .6%)" : "0";
    this.$("to-parted").hidden = !s.divergence;
    if (s.divergence) this.tellDivergence(s.divergence);
    const play = this.$("play");
    play.classList.toggle("on", s.play === 1);
    play.setAttribute("aria-label", s.play === 1 ? "Halt" : "Play");
    this.$("backwards").classList.toggle("on", s.play === -1);
    const speed = String(s.speed ?? 0), choice = this.$("speed");
    // Frames from before the last key would take it back.
    if (choice.value !== speed && document.activeElement !== choice && !viewer.steers) choice.value = speed;
    this.setStages(s);
    if (s.trouble && s.trouble !== this.trouble) this.notice(s.trouble, true);
    this.trouble = s.trouble;
    const past = info.live && !s.shows_head;
    if (past !== this.past) this.setTools();
    this.past = past;
  }

  /** The ticks that the bar of a live run spans: it grows with the run. */
  span(s) {
    let span = 20 * this.viewer.info.tick_rate;
    while (span < s.head * 1.1) span *= 2;
    return Math.min(span, s.end);
  }

  setStages(s) {
    const total = Math.max(0.001, s.tick_ms);
    this.$("tick-ms").textContent = `${total.toFixed(total < 10 ? 2 : 1)} ms a tick`;
    s.stages.forEach((time, i) => {
      const { row, bar, time: text } = this.stages[i], shown = time / total > 0.005;
      row.hidden = !shown;
      if (!shown) return;
      bar.style.width = `${Math.min(100, time / total * 100)}%`;
      text.textContent = time.toFixed(2);
    });
  }

  tellDivergence({ tick, columns, values }) {
    const stamp = `${tick} ${values.length}`;
    if (stamp === this.parted) return;
    this.parted = stamp;
    const where = columns.length ? `: ${columns.slice(0, 3).join(", ")}` : "";
    this.notice(`The re-run differs from the replay from tick ${tick} on${where}. ${values[0] ?? ""}`, true, 0);
    const agent = values.map((text) => text.match(/agent (\d+)/)?.[1]).find(Boolean);
    if (agent && !this.viewer.picked) {
      this.viewer.picked = { id: Number(agent), generation: Number(values.join().match(/generation (\d+)/)?.[1] ?? 0), way: [], radius: 0.3, pos: [0, 0] };
      this.viewer.look(Number(agent));
    }
  }

  /** Goes to the tick before which all was the same, and to an agent that is known to differ. */
  toDivergence() {
    const { viewer } = this, { camera, picked, status } = viewer;
    viewer.control({ play: 0, tick: status.divergence.tick });
    if (!picked) return;
    camera.scale = Math.max(camera.scale, 12 / Math.max(0.1, picked.radius));
    viewer.follows = true;
    this.setAgent();
    viewer.moved();
  }

  setTools() {
    const { viewer } = this, { info, selected } = viewer, bar = this.$("tools");
    const tool = viewer.controls?.tool ?? "look";
    bar.hidden = !info.live && !selected.size;
    const past = info.live && viewer.status && !viewer.status.shows_head;
    const buttons = TOOLS.filter(([name]) => info.live || name === "box").map(([name, text, key, title]) => {
      const button = element("button", "", { type: "button", title: `${title} (${key})`, "aria-pressed": name === tool });
      button.append(element("span", text), element("kbd", key));
      button.disabled = past && name !== "box";
      button.addEventListener("click", () => viewer.controls.setTool(name));
      return button;
    });
    bar.replaceChildren(...buttons);
    const whole = info.groups.find((group) => group.index === viewer.group);
    if (selected.size || whole) {
      const clear = element("button", "Clear", { type: "button", title: "Let go of the selection (Esc)" });
      clear.addEventListener("click", () => { viewer.clearSelected(); this.setLegend(); });
      bar.append(element("hr"), element("span", whole ? `all of ${whole.name}` : `${number(selected.size)} selected`, { class: "count" }), clear);
    }
    if (past) bar.append(element("hr"), element("span", "Orders are given at the newest tick", { class: "count" }));
  }

  setAgent() { this.agent.set(); }

  toggleFollow() {
    if (this.viewer.picked) this.agent.toggleFollow();
  }

  // Actions

  changeSpeed(by) {
    const choice = this.$("speed");
    choice.selectedIndex = Math.min(SPEEDS.length - 1, Math.max(0, choice.selectedIndex + by));
    choice.dispatchEvent(new Event("change"));
  }

  toggleSide(shown = this.$("side").hidden) {
    this.$("side").hidden = !shown;
    this.$("more").setAttribute("aria-expanded", shown);
  }

  showKeys() {
    const box = this.$("keys"), table = element("table");
    for (const [keys, text] of KEYS) {
      const row = table.insertRow();
      row.insertCell().append(element("kbd", keys));
      row.insertCell().textContent = text;
    }
    const close = element("button", "Close", { type: "button" });
    close.addEventListener("click", () => box.close());
    box.replaceChildren(element("h1", "Keys and mouse"), table,
      element("p", "Drag moves the map, the wheel zooms, a click picks an agent, Shift + drag selects, a right click sends who is selected."), close);
    if (!box.open) box.showModal();
  }

  save(blob, name) {
    const link = element("a", "", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async savePicture() {
    const { info, status } = this.viewer;
    this.save(await this.viewer.picture(), `${info.name}-${status.tick}.png`);
  }

  async saveReplay() {
    try {
      const bytes = await this.viewer.source.ask("replay");
      this.save(new Blob([bytes]), `${this.viewer.info.name}.throng`);
    } catch (error) {
      this.notice(error.message, true);
    }
  }

  /** A replay that begins at the tick that is shown. */
  async saveRest() {
    try {
      const { tick } = this.viewer.status, bytes = await this.viewer.source.ask("rest");
      this.save(new Blob([bytes]), `${this.viewer.info.name}-from-${tick}.throng`);
      this.notice(`Saved: a replay from tick ${number(tick)} on`);
    } catch (error) {
      this.notice(error.message, true);
    }
  }

  async copyAddress() {
    const address = this.viewer.address();
    try {
      await navigator.clipboard.writeText(address);
      this.notice("Copied: this tick, this part of the map");
    } catch {
      this.notice(address, false, 15_000);
    }
  }

  notice(text, bad = false, time = 4000) {
    const list = this.$("notices");
    for (const other of list.children) if (other.textContent === text) other.remove();
    const p = element("p", text, bad ? { class: "bad" } : {});
    list.append(p);
    while (list.children.length > 3) list.firstChild.remove();
    if (time) setTimeout(() => p.remove(), bad ? time * 2 : time);
  }

  clearNotices() { this.$("notices").replaceChildren(); }

  redraw() { this.agent.set(); }

  /** Pixels that panels cover: left, top, right, bottom. */
  pads() {
    const wide = innerWidth > 760, side = this.$("side");
    return [12, wide ? 12 : 80, wide && !side.hidden ? 256 : 12, this.below() + 12];
  }

  /** Pixels from the lower edge that the bar covers. */
  below() { return this.$("bar").offsetHeight + 20 + (this.$("tools").hidden ? 0 : this.$("tools").offsetHeight + 8); }
}

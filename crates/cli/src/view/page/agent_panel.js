// The panel of the picked agent.

import { css } from "./colours.js";

const number = (n) => n.toLocaleString("en-GB").replaceAll(",", "\u202f");

export class AgentPanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.panel = viewer.$("agent");
    this.built = false;
  }

  build() {
    this.panel.innerHTML = `<h1><i></i><span></span><button type="button" title="Let go (Esc)" aria-label="Let go">×</button></h1>
      <dl></dl><canvas width="408" height="96" role="img" aria-label="Speed over time"></canvas>
      <div class="row"><button type="button">Follow</button><button type="button">Zoom in</button></div>`;
    const [close, follow, zoom] = this.panel.querySelectorAll("button");
    this.follow = follow;
    close.addEventListener("click", () => { this.viewer.follows = false; this.viewer.setPicked(null); });
    follow.addEventListener("click", () => this.toggleFollow());
    zoom.addEventListener("click", () => {
      const { camera, picked } = this.viewer;
      [camera.x, camera.y] = picked.pos;
      camera.scale = Math.max(camera.scale, 28 / Math.max(0.2, picked.radius) * 0.4);
      this.viewer.moved();
    });
    this.built = true;
  }

  toggleFollow() {
    this.viewer.follows = !this.viewer.follows;
    this.viewer.moved();
    this.set();
  }

  set() {
    const { picked, info } = this.viewer;
    this.panel.hidden = !picked || picked.speed === undefined;
    if (this.panel.hidden) return;
    if (!this.built) this.build();
    const group = info.groups.find((g) => g.index === picked.group);
    this.panel.querySelector("i").style.background = css(group?.colour ?? [128, 128, 128]);
    this.panel.querySelector("h1 span").textContent = `Agent ${number(picked.id)}`;
    this.panel.dataset.id = picked.id;
    this.follow.setAttribute("aria-pressed", this.viewer.follows);
    const rows = [["group", group?.name ?? picked.group], ["state", this.words(picked)]];
    if (picked.mind !== null) rows.push(["mind", info.machines[picked.machine]?.[picked.mind] ?? `state ${picked.mind}`]);
    rows.push(["at", picked.pos.map((v) => v.toFixed(1)).join(", ") + " m"], ["speed", `${picked.speed.toFixed(2)} of ${picked.likes.toFixed(1)} m/s`]);
    if (picked.health !== null && info.fights) rows.push(["health", `${picked.health.toFixed(0)} of ${picked.full_health.toFixed(0)}`]);
    if (picked.target !== null) rows.push(["target", `agent ${number(picked.target)}`]);
    if (picked.label) rows.push(["label", picked.label]);
    const list = this.panel.querySelector("dl");
    list.replaceChildren(...rows.flatMap(([name, value]) => {
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = name;
      dd.textContent = value;
      return [dt, dd];
    }));
    this.history();
  }

  words(picked) {
    const words = [...picked.state];
    if (picked.own_order) words.push("an order of its own");
    if (!words.length) words.push(picked.ordered ? "under way" : "without an order");
    return words.join(", ");
  }

  /** Speed over the ticks that the page has seen. */
  history() {
    const { picked, speeds, scene } = this.viewer, canvas = this.panel.querySelector("canvas"), c = canvas.getContext("2d");
    const { width, height } = canvas, top = Math.max(picked.likes * 1.25, ...speeds.map(([, v]) => v));
    const first = speeds[0]?.[0] ?? 0, span = Math.max(60, (speeds.at(-1)?.[0] ?? 0) - first);
    const x = (tick) => (tick - first) / span * width, y = (v) => height - 4 - v / top * (height - 8);
    c.clearRect(0, 0, width, height);
    c.strokeStyle = scene.dark ? "rgb(255 255 255 / .25)" : "rgb(20 24 32 / .2)";
    c.setLineDash([4, 4]);
    c.beginPath();
    c.moveTo(0, y(picked.likes));
    c.lineTo(width, y(picked.likes));
    c.stroke();
    c.setLineDash([]);
    c.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    c.lineWidth = 3;
    c.lineJoin = "round";
    c.beginPath();
    speeds.forEach(([tick, v], i) => c[i ? "lineTo" : "moveTo"](x(tick), y(v)));
    if (speeds.length === 1) c.lineTo(3, y(speeds[0][1]));
    c.stroke();
  }
}

// What watching costs: `node watching.mjs PROGRAM FOLDER [AGENTS] [PAIRS]`.
//
// A live run goes as fast as it can; spans in which ten frames of all agents a second are taken take
// turns with spans in which no page looks. Neighbours are compared, so that what else changes in the
// run does not count. The run itself is compared with `throng run` to the same tick.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

const [given, folder, agents = "100000", pairs = "12"] = process.argv.slice(2), program = resolve(given);
const EVERY = 100, SPAN = 4000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (all) => all.toSorted((a, b) => a - b)[all.length >> 1];
mkdirSync(folder, { recursive: true });

const run = ["crossing", "--agents", agents];
const child = spawn(program, ["view", ...run, "--paused", "--record", "watched.throng", "--no-open"], { cwd: folder });
const url = await new Promise((resolve) => child.stdout.on("data", (data) => { const found = String(data).match(/http:\S+/); if (found) resolve(found[0]); }));
const control = async (words) => (await fetch(`${url}control?${words}`, { method: "POST" })).json();

let frames = 0, bytes = 0, is_watching = false;
const took = [];
async function watch(until) {
  let version = 0;
  for (let next = performance.now(); next < until; next += EVERY) {
    await sleep(Math.max(0, next - performance.now()));
    const answer = Buffer.from(await (await fetch(`${url}agents?have=${version}`)).arrayBuffer());
    if (!answer.length) continue;
    const head = JSON.parse(answer.toString("utf8", 4, 4 + answer.readUInt32LE(0)));
    version = head.version;
    took.push(head.frame_ms);
    frames += 1;
    bytes += answer.length;
  }
}
/** Ticks a second of a span. */
async function span(watched) {
  const from = await control(""), began = performance.now(), until = began + SPAN;
  if (watched) await watch(until);
  await sleep(Math.max(0, until - performance.now()));
  const to = await control("");
  return (to.tick - from.tick) / (performance.now() - began) * 1e3;
}

await control("play=1&speed=max");
await span(true);
const began = performance.now(), { tick: first } = await control("");
const found = { watched: [], alone: [], ratio: [] };
[frames, bytes] = [0, 0];
for (let i = 0; i < Number(pairs); i++) {
  const order = i % 2 === 0 ? [false, true] : [true, false], rates = {};
  for (const watched of order) rates[watched] = await span(watched);
  found.watched.push(rates.true);
  found.alone.push(rates.false);
  found.ratio.push(rates.true / rates.false);
}
const { tick: last } = await control("play=0");
const whole = (last - first) / (performance.now() - began) * 1e3;
child.kill("SIGINT");
await new Promise((resolve) => child.on("exit", resolve));
const span_s = Number(pairs) * SPAN / 1e3;
console.log(`${agents} agents, ${pairs} pairs of ${SPAN / 1e3} s, ticks ${first} to ${last}`);
console.log(`alone    ${median(found.alone).toFixed(2)} ticks/s`);
console.log(`watched  ${median(found.watched).toFixed(2)} ticks/s, ${(frames / span_s).toFixed(1)} frames/s of ${(bytes / frames / Number(agents)).toFixed(2)} bytes an agent, ${median(took).toFixed(2)} ms each`);
console.log(`watched / alone: median ${median(found.ratio).toFixed(3)}, all ${found.ratio.map((r) => r.toFixed(2)).join(" ")}`);
for (const record of [[], ["--record", "run.throng"]]) {
  const at = [String(first), String(last)].map((ticks) => {
    const began = performance.now();
    const done = spawnSync(program, ["run", ...run, "--ticks", ticks, ...(record.length ? record : ["--no-files"]), "--quiet"], { cwd: folder, encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
    return performance.now() - began;
  });
  const rate = (last - first) / (at[1] - at[0]) * 1e3;
  console.log(`throng run${record.length ? " --record" : ""}: ${rate.toFixed(2)} ticks/s over the same ticks; the viewer's ${whole.toFixed(2)}, ${(whole / rate).toFixed(3)}`);
}

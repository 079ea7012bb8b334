// What a seek takes: `node seeking.mjs PROGRAM FOLDER [TICKS] [SEEKS] [MORE ARGUMENTS OF view]`.
//
// A replay of `million` is made and opened. Once it has been run through, random ticks are sought: the
// time until the exact state is there is taken at a socket, and each state is compared with what was
// recorded. Then frames of all agents are taken, one a tick.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

const [given, folder, ticks = "300", seeks = "60", ...more] = process.argv.slice(2), program = resolve(given);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
mkdirSync(folder, { recursive: true });

const name = `million-${ticks}.throng`;
if (!existsSync(join(folder, name))) {
  const done = spawnSync(program, ["run", "million", "--ticks", ticks, "--record", name, "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
}

const child = spawn(program, ["view", name, "--paused", "--no-open", ...more], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve) => child.stdout.on("data", (data) => { const found = String(data).match(/http:\S+/); if (found) resolve(found[0]); }));
const control = async (words) => (await fetch(`${url}control?${words}`, { method: "POST" })).json();
const digest = async () => (await fetch(`${url}digest`)).json();
const share = (all, of) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * of))];
const line = (what, all) => `${what}: median ${share(all, 0.5).toFixed(0)} ms, p90 ${share(all, 0.9).toFixed(0)}, worst ${share(all, 1).toFixed(0)}`;
const frame = async (query) => {
  const bytes = Buffer.from(await (await fetch(`${url}agents?${query}`)).arrayBuffer());
  return { bytes, head: JSON.parse(bytes.toString("utf8", 4, 4 + bytes.readUInt32LE(0))) };
};

try {
  const began = performance.now();
  let now = await control("");
  const first = now.first, end = now.end;
  while (now.head < end) {
    await sleep(100);
    now = await control("");
  }
  const through = performance.now() - began;
  assert.equal(now.verified, end, "the replay is as it was recorded");

  // The same ticks in every measure.
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const took = [], slow = [], seen = new Map();
  for (let i = 0; i < Number(seeks); i++) {
    const tick = first + Math.floor(random() * (end - first + 1));
    const from = performance.now();
    let status = await control(`tick=${tick}`);
    while (status.goal !== null) status = await control("");
    took.push(performance.now() - from);
    if (took.at(-1) > 1000) slow.push(tick);
    assert.equal(status.tick, tick);
    const found = await digest();
    assert.equal(found.tick, tick);
    assert.equal(seen.get(tick) ?? found.digest, found.digest, `tick ${tick} differs from itself`);
    seen.set(tick, found.digest);
  }
  const status = await control("");
  console.log(`${status.agents} agents, ticks ${first} to ${end}, run through and compared in ${(through / 1e3).toFixed(1)} s; ${(status.memory / 2 ** 20).toFixed(0)} MiB of states and pictures; a tick takes ${status.tick_ms.toFixed(0)} ms`);
  console.log(line(`${seeks} seeks to random ticks, until the exact state is there`, took));
  console.log(`more than a second: ${slow.length}${slow.length ? `, ticks ${slow.join(" ")}` : ""}`);

  const built = [];
  let size = 0;
  for (let tick = end; tick > end - 24; tick--) {
    let status = await control(`tick=${tick}`);
    while (status.goal !== null) status = await control("");
    const { bytes, head } = await frame("");
    assert.equal(head.tick, tick);
    built.push(head.frame_ms);
    size = bytes.length / head.agents;
  }
  console.log(`frames of all agents: median ${share(built, 0.5).toFixed(1)} ms, best ${share(built, 0).toFixed(1)}, worst ${share(built, 1).toFixed(1)}; ${size.toFixed(2)} bytes an agent`);
  console.log(slow.length ? "1 s is exceeded" : "every seek within 1 s");
  process.exitCode = slow.length ? 1 : 0;
} finally {
  child.kill("SIGINT");
}

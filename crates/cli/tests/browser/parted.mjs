// A replay that its re-run does not repeat: the tick is marked, and an agent is shown.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "./png.mjs";
import { folder, open, picture, program, say, seek, serve, settled } from "./harness.mjs";

const FRAMES = 1;

/** The blocks of a replay as [kind, bytes], with what comes before them: docs/formats.md. */
function blocks(file) {
  let from = 12 + 4 + file.readUInt32LE(12) + 4;
  const header = file.subarray(0, from), found = [];
  while (from < file.length) {
    const length = 1 + 4 + file.readUInt32LE(from + 1) + 4;
    found.push([file[from], file.subarray(from, from + length)]);
    from += length;
  }
  return { header, found };
}

/** The run of an order with the tick of it as if nothing had been ordered: all that comes later differs. */
async function forge() {
  const run = spawnSync(program, ["run", "small", "--ticks", "160", "--record", "plain.throng", "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  const server = await serve("small", "--ticks", "160", "--paused", "--record", "stopped.throng");
  const post = async (words) => assert.equal((await fetch(`${server.url}${words}`, { method: "POST" })).status, 200, words);
  const reaches = async (tick) => {
    await post(`control?play=0&tick=${tick}`);
    for (;;) {
      const now = await (await fetch(`${server.url}digest`)).json();
      if (now.tick === tick) return;
    }
  };
  await reaches(45);
  await post("order?kind=stop&group=0");
  await reaches(160);
  assert.equal(await server.stop(), 130);
  const [plain, stopped] = ["plain", "stopped"].map((name) => blocks(readFileSync(join(folder, `${name}.throng`))));
  // Blocks begin and end at the same ticks in both. The first that differs holds the order.
  const kinds = ({ found }) => found.map(([kind]) => kind).join();
  assert.equal(kinds(plain), kinds(stopped));
  const same = (i) => plain.found[i][1].equals(stopped.found[i][1]);
  const changed = plain.found.findIndex(([kind], i) => kind === FRAMES && !same(i));
  assert(changed > 0);
  const all = stopped.found.map(([, bytes], i) => i === changed ? plain.found[i][1] : bytes);
  writeFileSync(join(folder, "forged.throng"), Buffer.concat([stopped.header, ...all]));
}

export async function parted() {
  await forge();
  const verified = spawnSync(program, ["verify", "forged.throng", "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(verified.status, 1, "the program finds it as well");
  const server = await serve("forged.throng", "--paused");
  const page = await open(server.url);
  let divergence;
  while (!divergence?.values.length) ({ divergence } = await (await fetch(`${server.url}control?`, { method: "POST" })).json());
  const { tick, values } = divergence;
  assert(tick >= 45 && tick < 60, `the tick of the order or one soon after: ${tick}`);
  await page.waitForFunction((tick) => document.getElementById("notices").textContent.includes(`from tick ${tick} on`), tick);
  await page.waitForFunction(() => document.getElementById("parted").offsetWidth >= 3);
  const mark = await page.locator("#parted").evaluate((mark) => ({ left: mark.offsetLeft, width: mark.offsetWidth, all: mark.parentElement.offsetWidth }));
  assert(mark.width >= 3 && Math.abs(mark.left / mark.all - (tick - 1) / 159) < 0.02, JSON.stringify(mark));
  // The keyframe after that tick names an agent: it is picked, and one is told what differs.
  await page.waitForSelector("#agent:not([hidden])");
  const id = Number(await page.getAttribute("#agent", "data-id"));
  assert.equal(id, Number(values.join().match(/agent (\d+)/)[1]), values.join());
  // A click on the mark goes there.
  await page.click("#to-parted");
  await page.waitForFunction((tick) => Number(document.getElementById("tick").textContent) === tick, tick);
  await settled(page);
  const seen = await picture(page);
  const here = await (await fetch(`${server.url}agent?id=${id}`)).json();
  const colour = await page.locator("#agent i").evaluate((mark) => getComputedStyle(mark).backgroundColor.match(/\d+/g).map(Number));
  const around = [[5, 5], [-5, 5], [5, -5], [-5, -5]].map(([x, y]) => at(seen, seen.width / 2 + x, seen.height / 2 + y));
  assert(around.some((rgb) => rgb.every((v, c) => Math.abs(v - colour[c]) < 40)), `the agent is in the middle: ${around}`);
  assert.equal(here.tick, tick);
  await seek(page, 20);
  await page.close();
  assert.equal(await server.stop(), 130);
  say(`a replay that differs from tick ${tick} on: marked, and agent ${id} is shown`);
}

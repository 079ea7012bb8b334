// The viewer in a real browser: `node view.mjs PROGRAM FOLDER [PICTURES]`.
//
// Opens a live run of 100,000 agents, looks at the pixels, seeks, picks, orders, verifies the replay,
// and opens that. With a folder for pictures it makes the pictures of docs/viewer.md.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { at, different, like } from "./png.mjs";
import { SIZE, end, faults, folder, forgive, open, picture, pictures, program, say, says, seek, serve, settled, shoot, shows, tickOf, world } from "./harness.mjs";
import { keys } from "./keys.mjs";
import { parted } from "./parted.mjs";
import { traffic } from "./traffic.mjs";
import { ways } from "./ways.mjs";

const [RED, BLUE] = [[217, 79, 79], [79, 127, 217]];

async function live() {
  const server = await serve("crossing", "--agents", "100000", "--paused", "--record", "ordered.throng");
  const page = await open(server.url);
  await shows(page, 1);
  await page.waitForFunction(() => document.getElementById("agents").textContent.startsWith("100"));
  const first = await picture(page);
  const [red, blue] = [like(first, RED, 40), like(first, BLUE, 40)];
  assert(red > 5000 && blue > 5000, `both armies are seen: ${red} and ${blue} pixels`);
  say(`100,000 agents are seen (${red} red, ${blue} blue pixels)`);

  await page.locator("#scene").focus();
  await page.keyboard.press("Space");
  await shows(page, (tick) => tick > 12);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.getElementById("rate").textContent === "halted");
  await settled(page);
  const stopped = await tickOf(page);
  const later = await picture(page);
  const moved = different(first, later);
  assert(moved > 1000 && moved < 0.6 * first.width * first.height, `${moved} pixels have changed`);
  say(`at tick ${stopped} ${moved} pixels have changed`);

  // Forwards, back, by the bar and by single ticks: one tick, one picture.
  await seek(page, 8);
  const eight = await picture(page);
  await seek(page, stopped);
  assert.equal(different(await picture(page), later), 0, "forwards again: the same pixels");
  await page.keyboard.press("End");
  await seek(page, 9);
  await page.locator("#scene").focus();
  await page.keyboard.press(",");
  await shows(page, 8);
  assert.equal(different(await picture(page), eight), 0, "back by a tick: the same pixels");
  assert(different(eight, later) > 500, "another tick, other pixels");
  await page.keyboard.press("End");
  await shows(page, stopped);
  say("seeking forwards and back gives the same pixels");
  await page.close();
  await orders(server, stopped);
}

async function orders(server, tick) {
  // The camera from the address: an agent is in the middle of the screen.
  const now = await world(server.url);
  const id = 31_337, [x, y] = now.place(id);
  const page = await open(`${server.url}?at=${x},${y}&zoom=40`);
  await shows(page, tick);
  await settled(page);
  await page.mouse.click(SIZE.width / 2, SIZE.height / 2);
  await page.waitForSelector("#agent:not([hidden])");
  assert.equal(await page.getAttribute("#agent", "data-id"), String(id));
  const named = await page.textContent("#agent");
  assert(named.includes(["west", "east"][now.group(id)]), named);
  const close = await picture(page);
  const [px, py] = [SIZE.width / 2 - 5, SIZE.height / 2 + 4];
  assert(at(close, px, py).every((v, c) => Math.abs(v - [RED, BLUE][now.group(id)][c]) < 70), `a disc at the agent's place: ${at(close, px, py)}`);
  say(`a click picks agent ${id}`);

  await page.mouse.click(SIZE.width / 2 + 160, SIZE.height / 2 + 40, { button: "right" });
  await says(page, "On the way");
  await page.keyboard.press("w");
  await page.mouse.move(SIZE.width / 2 - 200, SIZE.height / 2 - 120);
  await page.mouse.down();
  await page.mouse.move(SIZE.width / 2 + 200, SIZE.height / 2 - 120, { steps: 4 });
  await page.mouse.up();
  await says(page, "Built");
  const walled = await picture(page);
  const wall = at(walled, SIZE.width / 2 + 120, SIZE.height / 2 - 120);
  assert(wall.every((v) => v < 150), `a wall where the line was: ${wall}`);
  await shoot(page, "agent");
  // A tick more, and the server ends: the page says so.
  await page.keyboard.press("w");
  await page.keyboard.press(".");
  const last = await shows(page, tick + 3);
  assert.equal(await server.stop(), 130);
  await says(page, "The server has ended");
  await page.close();
  forgive();
  const verified = spawnSync(program, ["verify", "ordered.throng", "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  say(`orders are in the replay, which verifies: ${verified.stdout.trim()}`);
  await replay(id, last);
}

async function replay(id, last) {
  const server = await serve("ordered.throng", "--paused");
  const page = await open(server.url);
  await page.waitForFunction(() => document.getElementById("kind").textContent === "replay");
  await page.keyboard.press("Escape");
  await seek(page, last);
  const agent = await (await fetch(`${server.url}agent?id=${id}`)).json();
  assert.equal(agent.own_order, true, "the order of the click is in the replay");
  const { head } = await world(server.url);
  assert(head.map > 0, "and so is the wall");
  await page.waitForFunction((last) => document.getElementById("same").style.width === "100%" && Number(document.getElementById("seek").max) === last, last);
  say("the replay shows both, and is the same to its end");
  assert.equal(await server.stop(), 130);
  await page.close();
  forgive();
}

async function others() {
  const server = await serve("small", "--no-files");
  // A browser without WebGL2 says so.
  const bare = await open(server.url, { before: () => { HTMLCanvasElement.prototype.getContext = () => null; } });
  await bare.waitForSelector(".fault");
  assert((await bare.textContent(".fault")).includes("WebGL2"));
  await bare.close();
  const phone = await open(server.url, { size: { width: 390, height: 844 } });
  await shows(phone, (tick) => tick > 5);
  const seen = await picture(phone);
  assert(like(seen, RED, 40) > 20, "agents on a phone");
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390, "nothing stands over the edge of a phone");
  await shoot(phone, "phone");
  say("a phone, and a browser without WebGL2");
  await phone.close();
  assert.equal(await server.stop(), 130);
}

async function gallery() {
  const server = await serve("crossing", "--no-files", "--paused");
  const page = await open(server.url);
  await page.waitForFunction(() => document.getElementById("kind").textContent === "live");
  await fetch(`${server.url}control?tick=1100`, { method: "POST" });
  await page.waitForFunction(() => Number(document.getElementById("tick").textContent.replace(/\D/g, "")) === 1100, null, { timeout: 240_000 });
  await settled(page);
  await shoot(page, "crossing");
  await page.keyboard.press("d");
  await page.keyboard.press("a");
  await page.keyboard.press("t");
  await settled(page);
  await shoot(page, "density");
  await page.close();
  await server.stop();
}

const steps = { live, others, ways, traffic, keys, parted, ...(pictures ? { gallery } : {}) };
const chosen = (process.env.STEPS ?? Object.keys(steps).join()).split(",");
try {
  for (const name of chosen) {
    await steps[name]();
    assert.deepEqual(faults, [], `nothing is wrong in the console in ${name}`);
  }
  say("no errors in the console");
  console.log("1 passed, 0 failed");
} finally {
  await end();
}

// The viewer in a real browser: `node view.mjs PROGRAM FOLDER [PICTURES]`.
//
// Opens a live run of 100,000 agents, looks at the pixels, seeks, picks, orders, verifies the replay,
// and opens that. With a folder for pictures it makes those of docs/viewer.md.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { at, decode, different, like } from "./png.mjs";

const [program, folder, pictures] = process.argv.slice(2);
const SIZE = { width: 1280, height: 720 };
const FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-sandbox",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE = 60_000;
const [RED, BLUE] = [[217, 79, 79], [79, 127, 217]];
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (pictures) mkdirSync(pictures, { recursive: true });

const servers = new Set();

/** Starts `throng view`; resolves to its address and a function that ends it as Ctrl-C does. */
async function serve(...args) {
  const child = spawn(program, ["view", ...args, "--no-open"], { cwd: folder });
  servers.add(child);
  const ended = new Promise((resolve) => child.on("exit", (code) => { servers.delete(child); resolve(code); }));
  let said = "";
  child.stderr.on("data", (data) => { said += data; });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => { text += data; const found = text.match(/http:\S+/); if (found) resolve(found[0]); });
    child.on("exit", () => reject(new Error(`throng view has ended: ${said}`)));
  });
  return { url, stop: () => { child.kill("SIGINT"); return ended; } };
}

/** A frame of all agents, read without the page's own code. */
async function world(url) {
  const bytes = Buffer.from(await (await fetch(`${url}agents?`)).arrayBuffer());
  const length = bytes.readUInt32LE(0), head = JSON.parse(bytes.toString("utf8", 4, 4 + length));
  const from = 4 + length, [x0, y0, x1, y1] = head.frame;
  const place = (id) => [x0 + bytes.readUInt16LE(from + id * 4) / 65535 * (x1 - x0), y0 + bytes.readUInt16LE(from + id * 4 + 2) / 65535 * (y1 - y0)];
  return { head, place, group: (id) => bytes[from + head.places * 4 + id * 2] };
}

const user = join(folder, "user");
const browser = await chromium.launchPersistentContext(user, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, headless: true, viewport: SIZE, acceptDownloads: true, colorScheme: "light",
});
const faults = [];

/** What a browser says of a server that has ended is no fault of the page. */
function forgive() {
  const ended = /503|ERR_CONNECTION|ERR_EMPTY_RESPONSE/;
  faults.splice(0, faults.length, ...faults.filter((text) => !ended.test(text)));
}

async function open(url, options = {}) {
  const page = await browser.newPage();
  if (options.size) await page.setViewportSize(options.size);
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(String(error)));
  if (options.before) await page.addInitScript(options.before);
  if (options.dark) await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(url);
  return page;
}

/** Waits until the page shows a tick, or any that is right. */
async function shows(page, tick) {
  const right = typeof tick === "function" ? tick : (now) => now === tick;
  const from = Date.now();
  for (;;) {
    const now = Number((await page.textContent("#tick")).replace(/\D/g, ""));
    if (right(now)) return now;
    assert(Date.now() - from < PATIENCE, `the page shows tick ${now}`);
    await sleep(20);
  }
}

/** The picture that the page saves of what it shows. */
async function picture(page) {
  await sleep(250);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
  return decode(readFileSync(await download.path()));
}

async function seek(page, tick) {
  await page.waitForFunction((tick) => Number(document.getElementById("seek").max) >= tick, tick);
  await page.locator("#seek").evaluate((bar, tick) => { bar.value = tick; bar.dispatchEvent(new Event("input")); bar.dispatchEvent(new Event("change")); }, tick);
  await shows(page, tick);
}

const shoot = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) }); };

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
  await sleep(300);
  const stopped = Number((await page.textContent("#tick")).replace(/\D/g, ""));
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
  await sleep(400);
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
  await page.waitForFunction(() => document.getElementById("notices").textContent.includes("On the way"));
  await page.keyboard.press("w");
  await page.mouse.move(SIZE.width / 2 - 200, SIZE.height / 2 - 120);
  await page.mouse.down();
  await page.mouse.move(SIZE.width / 2 + 200, SIZE.height / 2 - 120, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => document.getElementById("notices").textContent.includes("Built"));
  await sleep(300);
  const walled = await picture(page);
  const wall = at(walled, SIZE.width / 2 + 120, SIZE.height / 2 - 120);
  assert(wall.every((v) => v < 150), `a wall where the line was: ${wall}`);
  await shoot(page, "agent");
  // A tick more, and the server ends: the page says so.
  await page.keyboard.press("w");
  await page.keyboard.press(".");
  const last = await shows(page, tick + 3);
  assert.equal(await server.stop(), 130);
  await page.waitForFunction(() => document.getElementById("notices").textContent.includes("The server has ended"), null, { timeout: 10_000 });
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
  await sleep(1200);
  await shoot(page, "crossing");
  await page.keyboard.press("d");
  await page.keyboard.press("a");
  await page.keyboard.press("t");
  await sleep(1200);
  await shoot(page, "density");
  await page.close();
  await server.stop();
}

try {
  await live();
  await others();
  if (pictures) await gallery();
  assert.deepEqual(faults, [], "nothing is wrong in the console");
  say("no errors in the console");
  console.log("1 passed, 0 failed");
} finally {
  await browser.close();
  for (const child of servers) child.kill();
}

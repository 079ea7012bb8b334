// A browser, servers of `throng view`, and what tests look at: the page's pixels and words.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { decode } from "./png.mjs";

export const [program, folder, pictures] = process.argv.slice(2);
export const SIZE = { width: 1280, height: 720 };
const FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-sandbox",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Milliseconds that anything may take on a busy machine that draws by software. */
export const PATIENCE = 180_000;
const began = Date.now();
export const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (pictures) mkdirSync(pictures, { recursive: true });

const servers = new Set();

/** Starts `throng view`; resolves to its address and a function that ends it as Ctrl-C does. */
export async function serve(...args) {
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
  const kill = () => { child.kill("SIGKILL"); return ended; };
  return { url, kill, stop: () => { child.kill("SIGINT"); return ended; } };
}

/** A frame of all agents, read without the page's own code. */
export async function world(url) {
  const bytes = Buffer.from(await (await fetch(`${url}agents?`)).arrayBuffer());
  const length = bytes.readUInt32LE(0), head = JSON.parse(bytes.toString("utf8", 4, 4 + length));
  const from = 4 + length, [x0, y0, x1, y1] = head.frame;
  const place = (id) => [x0 + bytes.readUInt16LE(from + id * 4) / 65535 * (x1 - x0), y0 + bytes.readUInt16LE(from + id * 4 + 2) / 65535 * (y1 - y0)];
  return { head, place, group: (id) => bytes[from + head.places * 4 + id * 2] };
}

const user = join(folder, "user");
export const browser = await chromium.launchPersistentContext(user, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, headless: true, viewport: SIZE, acceptDownloads: true,
  colorScheme: "light", timeout: PATIENCE,
});
browser.setDefaultTimeout(PATIENCE);
export const faults = [];

/** What a browser says of a server that has ended is no fault of the page. */
export function forgive() {
  const ended = /503|ERR_CONNECTION|ERR_EMPTY_RESPONSE/;
  faults.splice(0, faults.length, ...faults.filter((text) => !ended.test(text)));
}

export async function open(url, options = {}) {
  const page = await browser.newPage();
  if (options.size) await page.setViewportSize(options.size);
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(String(error)));
  if (options.before) await page.addInitScript(options.before);
  if (options.dark) await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(url);
  return page;
}

/** The tick that the page names. */
export const tickOf = async (page) => Number((await page.textContent("#tick")).replace(/\D/g, ""));

/** Waits until the page names a tick, or any that is right. */
export async function shows(page, tick) {
  const right = typeof tick === "function" ? tick : (now) => now === tick;
  const from = Date.now();
  for (;;) {
    const now = await tickOf(page);
    if (right(now)) return now;
    assert(Date.now() - from < PATIENCE, `the page shows tick ${now}`);
    await sleep(20);
  }
}

/** Waits until all that a halted page has asked for is drawn. */
export async function settled(page) {
  // What was done last is asked for with the next picture.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForFunction(() => document.getElementById("scene").dataset.settled);
}

/** The picture that the page saves of what it shows. */
export async function picture(page) {
  await settled(page);
  return decode(readFileSync(await download(page, () => page.keyboard.press("p"))));
}

/** The path of what an action saves. */
export async function download(page, action) {
  const [saved] = await Promise.all([page.waitForEvent("download"), action()]);
  return saved.path();
}

export async function seek(page, tick) {
  await page.waitForFunction((tick) => Number(document.getElementById("seek").max) >= tick, tick);
  await page.locator("#seek").evaluate((bar, tick) => { bar.value = tick; bar.dispatchEvent(new Event("input")); bar.dispatchEvent(new Event("change")); }, tick);
  await shows(page, tick);
}

/** Waits until the page says something. */
export const says = (page, words) => page.waitForFunction((words) => document.getElementById("notices").textContent.includes(words), words);

/** A picture of the whole page for the documents. */
export async function shoot(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

export async function end() {
  await browser.close();
  for (const child of servers) child.kill();
}

// All of the page by its keys alone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { different } from "./png.mjs";
import { download, folder, open, picture, program, say, says, seek, serve, settled, shows, tickOf } from "./harness.mjs";

export async function keys() {
  const server = await serve("crossing", "--agents", "2000", "--paused", "--record", "keys.throng");
  const page = await open(server.url);
  const press = (key) => page.keyboard.press(key);
  await shows(page, 1);

  // Time.
  await press("."); await shows(page, 2);
  await press("."); await shows(page, 3);
  await press(","); await shows(page, 2);
  await press("PageUp");
  await shows(page, (tick) => tick > 100);
  await settled(page);
  const ten = await tickOf(page);
  await press("PageDown"); await shows(page, 2);
  await press("End"); await shows(page, ten);
  await press("Home"); await shows(page, 1);
  await press("End"); await shows(page, ten);
  const speed = (value) => page.waitForFunction((value) => document.getElementById("speed").value === value, value);
  await press("]"); await speed("2");
  await press("["); await speed("1");
  await press("["); await speed("0.5");
  await press("]"); await speed("1");
  await press("Shift+Space"); await shows(page, (tick) => tick < ten - 2);
  await press("Shift+Space");
  await page.waitForFunction(() => document.getElementById("rate").textContent === "halted");
  await press("End"); await shows(page, ten);

  // The map.
  const whole = await picture(page);
  for (const [there, back] of [["ArrowLeft", "ArrowRight"], ["ArrowUp", "ArrowDown"], ["+", "0"]]) {
    await press(there);
    assert(different(await picture(page), whole) > 1000, `${there} moves the map`);
    await press(back);
    assert.equal(different(await picture(page), whole), 0, `${back} moves it back`);
  }
  await press("-");
  assert(different(await picture(page), whole) > 1000);
  await press("0");

  // Layers and colours: each changes the picture, and gives it back.
  for (const key of ["a", "g", "d", "v", "o"]) {
    await press(key);
    assert(different(await picture(page), whole) > 30, `${key} shows a layer`);
    await press(key);
    assert.equal(different(await picture(page), whole), 0, `${key} takes it away`);
  }
  await press("n");
  await page.waitForFunction(() => document.getElementById("ways-legend").textContent.startsWith("Nobody"));
  await press("n");
  for (const [key, by] of [["2", "state"], ["3", "speed"], ["1", "group"]]) {
    await press(key);
    assert.equal(await page.textContent("#colours [aria-checked=true]"), by);
  }
  const theme = () => page.getAttribute("html", "data-theme");
  await press("t"); assert.equal(await theme(), "dark");
  assert(different(await picture(page), whole) > 10_000, "the night has other colours");
  await press("t"); assert.equal(await theme(), "light");
  await press("l"); assert(!await page.isVisible("#side"));
  await press("l"); assert(await page.isVisible("#side"));
  await press("?"); assert(await page.isVisible("#keys table"));
  await press("Escape"); assert(!await page.isVisible("#keys table"));

  // Agents and orders.
  const tool = () => page.textContent("#tools [aria-pressed=true] span");
  for (const [key, name] of [["b", "Select"], ["m", "Move"], ["w", "Wall"], ["x", "Demolish"]]) {
    await press(key); assert.equal(await tool(), name);
    await press(key); assert.equal(await page.locator("#tools [aria-pressed=true]").count(), 0);
  }
  await press("s"); await says(page, "Select agents first");
  for (let i = 0; i < 6; i++) await press("+");
  const agents = await (await fetch(`${server.url}pick?at=0,0&reach=100000`)).json();
  await page.goto(`${server.url}?at=${agents.pos.join()}&zoom=20`);
  await shows(page, ten);
  await picture(page);
  await page.locator("#scene").focus();
  await press("Enter");
  await page.waitForSelector("#agent:not([hidden])");
  assert.equal(await page.getAttribute("#agent", "data-id"), String(agents.id));
  await press("f");
  assert.equal(await page.getAttribute("#agent .row button", "aria-pressed"), "true");
  await press("s"); await says(page, "Stopped");
  await shows(page, ten + 1);
  await press("Escape"); assert(!await page.isVisible("#agent"));
  await press("c"); await page.waitForFunction(() => /Copied|http:/.test(document.getElementById("notices").textContent));

  // A replay from here.
  await seek(page, 40);
  const rest = await download(page, () => press("r"));
  await says(page, "a replay from tick 40 on");
  const verified = spawnSync(program, ["verify", rest, "--quiet"], { cwd: folder, encoding: "utf8" });
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);

  // Everything that can be clicked is reached with Tab.
  await page.locator("#scene").focus();
  const wanted = await page.evaluate(() => [...document.querySelectorAll("button, select, input, canvas[tabindex]")]
    .filter((one) => one.checkVisibility() && !one.disabled && !one.closest("dialog")).length);
  const reached = new Set();
  for (let i = 0; i < wanted + 5; i++) {
    reached.add(await page.evaluate(() => {
      const one = document.activeElement;
      return one === document.body ? "" : one.dataset.reached ??= String(document.querySelectorAll("[data-reached]").length);
    }));
    await press("Tab");
  }
  reached.delete("");
  assert.equal(reached.size, wanted, "all is reached with Tab");
  await page.locator("#play").focus();
  await press("Space"); await shows(page, (tick) => tick !== 40);
  await press("Space");
  await page.waitForFunction(() => document.getElementById("rate").textContent === "halted");
  const tick = await tickOf(page);
  await page.locator("#step").focus();
  await press("Enter"); await shows(page, tick + 1);
  await page.close();
  assert.equal(await server.stop(), 130);
  say(`keys, and ${wanted} controls by Tab`);
}

// Every layer and colour of the page, light and dark, to be looked at: `node layers.mjs PROGRAM FOLDER PICTURES`.

import assert from "node:assert/strict";
import { SIZE, end, faults, open, say, serve, settled, shoot, shows, world } from "./harness.mjs";

const THEMES = ["light", "dark"];

/** What is pressed or chosen for a picture, and again to take it back. */
const press = (key) => async (page) => page.keyboard.press(key);
const check = (name) => async (page) => page.locator(`#layer-${name}`).evaluate((box) => box.click());
const colour = (key) => [press(key), press("1")];
const both = (act) => [act, act];
/** Points at the upper source of the foyer, and at no area. */
const point = [[50, 160], [400, 500]].map(([x, y]) => async (page) => page.mouse.move(x, y));
const RUNS = {
  skirmish: {
    tick: 420,
    pictures: {
      plain: both(async () => {}), arrows: both(press("a")), goals: both(press("g")), starts: both(check("starts")), terrain: both(check("terrain")),
      density: both(press("d")), speeds: both(press("v")), overlap: both(press("o")), shots: both(check("projectiles")),
      state: colour("2"), speed: colour("3"), health: colour("4"), mind: colour("5"), keys: [press("?"), press("Escape")],
    },
  },
  foyer: { tick: 300, pictures: { plain: both(async () => {}), traffic: both(press("e")), pointed: point } },
  city: { tick: 300, pictures: { plain: both(async () => {}), ways: both(press("n")), arrows: both(press("a")), density: both(press("d")), terrain: both(check("terrain")) } },
};

for (const [name, { tick, pictures }] of Object.entries(RUNS)) {
  const server = await serve(name, "--no-files", "--paused");
  const page = await open(server.url);
  await shows(page, 1);
  await fetch(`${server.url}control?tick=${tick}`, { method: "POST" });
  await shows(page, tick);
  for (const theme of THEMES) {
    await page.locator("#scene").focus();
    if (theme !== await page.getAttribute("html", "data-theme")) await page.keyboard.press("t");
    for (const [layer, [on, off]] of Object.entries(pictures)) {
      await on(page);
      await settled(page);
      await shoot(page, `${name}-${layer}-${theme}`);
      await off(page);
      await page.evaluate(() => document.activeElement.blur());
      await page.locator("#scene").focus();
    }
    // From near, with an agent picked.
    const now = await world(server.url), id = 100, [x, y] = now.place(id);
    const near = await open(`${server.url}?at=${x},${y}&zoom=24`, { dark: theme === "dark" });
    await shows(near, tick);
    await settled(near);
    await near.mouse.click(SIZE.width / 2, SIZE.height / 2);
    await near.waitForSelector("#agent:not([hidden])");
    await settled(near);
    await shoot(near, `${name}-near-${theme}`);
    await near.close();
    const phone = await open(server.url, { size: { width: 390, height: 844 }, dark: theme === "dark" });
    await shows(phone, tick);
    await settled(phone);
    await shoot(phone, `${name}-phone-${theme}`);
    await phone.close();
  }
  say(`${name}: ${Object.keys(pictures).join(" ")}`);
  assert.deepEqual(faults, [], `nothing is wrong in the console in ${name}`);
  await page.close();
  assert.equal(await server.stop(), 130);
}
await end();

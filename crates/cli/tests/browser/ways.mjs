// Portals, a mesh, a network and waypoints over the map.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { different, like } from "./png.mjs";
import { folder, open, picture, say, serve, shows } from "./harness.mjs";

const INKS = { mesh: [12, 128, 128], network: [190, 96, 8], waypoints: [112, 70, 200], portals: [200, 40, 130] };
const NAVIGATORS = { mesh: "mesh", network: "network", waypoints: "waypoints", portals: "corridor" };

export async function ways() {
  for (const [name, navigator] of Object.entries(NAVIGATORS)) {
    writeFileSync(join(folder, `${name}.toml`), `name = "${name}"
ticks = 100
[map]
size = [96, 64]
walls = [{ rect = [40, 0, 44, 28] }, { rect = [40, 36, 44, 64] }, { rect = [60, 20, 70, 30] }]
[[group]]
name = "walkers"
color = "#d94f4f"
radius = 0.3
navigator = "${navigator}"
spawn = [{ rect = [4, 4, 12, 12], count = 20 }]
goal = { rect = [84, 4, 92, 12] }
`);
    const server = await serve(`${name}.toml`, "--paused", "--no-files");
    const page = await open(server.url);
    await shows(page, 1);
    const bare = await picture(page);
    await page.keyboard.press("n");
    assert(await page.isChecked("#layer-ways"));
    const drawn = await picture(page);
    const [before, after] = [bare, drawn].map((seen) => like(seen, INKS[name], 40));
    assert(before < 20 && after > 300, `${name}: ${before} and ${after} pixels`);
    assert.equal(await page.textContent("#ways-legend"), `${name}: walkers`);
    // In a window there is the part of it, and another one when the map moves.
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    const near = await picture(page);
    assert(like(near, INKS[name], 40) > 100, "a part of it is seen from near");
    await page.keyboard.press("0");
    assert.equal(different(await picture(page), drawn), 0, "the same again");
    await page.keyboard.press("n");
    assert.equal(different(await picture(page), bare), 0, "the layer goes as it came");
    await page.close();
    assert.equal(await server.stop(), 130);
    say(`${name}: ${after} pixels`);
  }
}

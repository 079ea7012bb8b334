// Sources and sinks over the map, and what they say when the mouse points at them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { different, like } from "./png.mjs";
import { SIZE, folder, open, picture, say, seek, serve, settled, shows } from "./harness.mjs";

const SOURCE = [0, 180, 0], SINK = [225, 0, 225];

export async function traffic() {
  writeFileSync(join(folder, "station.toml"), `name = "station"
ticks = 900
[map]
size = [40, 20]
[[group]]
name = "guests"
color = "#d94f4f"
goal = { rect = [30, 2, 38, 8] }
leave = true
[[source]]
name = "street"
group = "guests"
rect = [2, 2, 8, 8]
batches = [[0, 7]]
[[sink]]
name = "tram"
polygon = [[20, 14], [26, 14], [26, 18]]
`);
  const server = await serve("station.toml", "--paused", "--no-files");
  const page = await open(server.url);
  await shows(page, 1);
  const shown = await picture(page);
  for (const colour of [SOURCE, SINK]) assert(like(shown, colour, 30) > 100, `${colour}`);
  await page.keyboard.press("e");
  assert(!await page.isChecked("#layer-traffic"));
  const bare = await picture(page);
  for (const colour of [SOURCE, SINK]) assert.equal(like(bare, colour, 30), 0, `${colour} is gone`);
  await page.keyboard.press("e");
  assert.equal(different(await picture(page), shown), 0, "the layer comes back");
  // The goal has its own outline; without goals its sink has one.
  await page.keyboard.press("g");
  assert(like(await picture(page), SINK, 30) > like(shown, SINK, 30) + 300, "an outline more");
  await page.keyboard.press("g");

  await page.goto(`${server.url}?at=20,10&zoom=25`);
  await shows(page, 1);
  await settled(page);
  const tells = (words) => page.waitForFunction((words) => document.getElementById("scene").dataset.told === words, words);
  const point = async (x, y, words) => {
    await page.mouse.move(SIZE.width / 2 + (x - 20) * 25, SIZE.height / 2 + (y - 10) * 25);
    await tells(words);
  };
  await point(5, 5, "source street: 7 entered");
  await point(25, 15, "sink tram: 0 left");
  await point(15, 10, "");
  await point(34, 5, "sink goal of guests: 0 left");
  // Counts are those of the tick that is shown.
  await fetch(`${server.url}control?tick=890`, { method: "POST" });
  await shows(page, 890);
  await tells("sink goal of guests: 7 left");
  await seek(page, 2);
  await tells("sink goal of guests: 0 left");
  await page.mouse.move(SIZE.width / 2, SIZE.height - 30);
  await tells("");
  await page.close();
  assert.equal(await server.stop(), 130);
  say("sources and sinks");
}

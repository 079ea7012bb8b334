// The page in a real browser: node page.mjs PAGE [PICTURES], in a folder where playwright-core is installed.
// CHROMIUM is the browser, THRONG the root of the project, REPLAY a replay of scenarios/small.toml by the native
// program, or nothing. With SPEED=1 it also says how many ticks a second there are.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { THRONG: root, REPLAY: recorded, CHROMIUM: executablePath, SPEED: measures } = process.env;
const { chromium } = createRequire(path.join(process.cwd(), 'x.js'))('playwright-core');
const [page, pictures] = process.argv.slice(2);
const address = pathToFileURL(path.resolve(page)).href;
const golden = fs.readFileSync(path.join(root, 'scenarios/golden.txt'), 'utf8').split('\n').map((line) => line.split(/\s+/));

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'page-of-throng-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  viewport: { width: 1280, height: 720 },
  args: ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const tab = await browser.newPage();
const complaints = [];
tab.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
tab.on('pageerror', (error) => complaints.push(error.message));
tab.on('request', (request) => {
  if (!/^(file|blob|data):/.test(request.url())) complaints.push(`asks the network for ${request.url()}`);
});

const text = (id) => tab.locator(`#${id}`).textContent();
const tick = async () => Number((await text('tick')).replaceAll(',', ''));
const open = async (asked) => {
  await tab.goto('about:blank');
  await tab.goto(`${address}#${new URLSearchParams(asked)}`);
};
const reach = (wanted, timeout = 120_000) => tab.waitForFunction(
  (wanted) => document.getElementById('tick').textContent === wanted, wanted.toLocaleString('en'), { timeout });
const picture = async (name) => {
  // The frame that is shown is drawn by the second of two that follow.
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return tab.screenshot(pictures && name ? { path: path.join(pictures, name) } : {});
};
const canvas = async () => {
  await picture();
  return tab.locator('#canvas').screenshot();
};

try {
  for (const [name, numeric] of [['small', 'f32'], ['crossing', 'fixed'], ['battle', 'f32']]) {
    const [, , agents, ticks, digest] = golden.find(([known, kind]) => known === name && kind === numeric);
    await open({ scenario: name, agents: name === 'small' ? '' : 2000, numeric, speed: 'max', until: ticks });
    await reach(+ticks);
    assert.deepEqual([await text('digest'), await text('count')], [digest, (+agents).toLocaleString('en')], name);
    console.log(`${name} in ${numeric}: ${digest} at tick ${ticks}, as in scenarios/golden.txt`);
    if (name === 'battle') await picture('battle.png');
  }

  // A step moves agents, zooming shows them larger, and their groups' colours are there.
  await open({ scenario: 'small' });
  await reach(0);
  const before = await canvas();
  await tab.click('#step');
  await reach(1);
  await tab.keyboard.press('.');
  await reach(2);
  const after = await canvas();
  assert.notDeepEqual(after, before, 'two ticks change the picture');
  await tab.mouse.move(400, 400);
  await tab.mouse.wheel(0, -900);
  assert.notDeepEqual(await canvas(), after, 'the wheel zooms');
  await tab.keyboard.press('0');
  assert.deepEqual(await canvas(), after, 'and 0 shows the whole map again');
  assert.match(await text('legend'), /red250.*blue150/);

  // A replay by the native program: its digests, and the same pixels for the same tick.
  if (recorded) {
    await tab.setInputFiles('#files', recorded);
    await tab.waitForFunction(() => !document.getElementById('seek').hidden);
    const seek = async (to) => {
      await tab.locator('#seek').fill(String(to));
      await reach(to);
    };
    await seek(60);
    const once = await canvas();
    await seek(130);
    assert.notDeepEqual(await canvas(), once);
    await seek(60);
    assert.deepEqual(await canvas(), once, 'the same pixels for the same tick');
    await tab.selectOption('#speed', 'max');
    await tab.click('#play');
    await reach(200);
    assert.equal(await text('verdict'), 'as recorded');
    console.log('a replay of the native program plays as recorded');
  }

  // What is recorded here goes to the native program.
  await open({ scenario: 'small', numeric: 'fixed', speed: 'max' });
  await reach(0);
  await tab.click('#record');
  await tab.click('#step');
  await tab.click('#play');
  await tab.waitForFunction(() => Number(document.getElementById('tick').textContent.replaceAll(',', '')) > 50);
  await tab.click('#play');
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.click('#record')]);
  await download.saveAs(path.resolve('page.throng'));

  // Files that are wrong say why.
  const bad = path.resolve('bad.toml');
  fs.writeFileSync(bad, 'ticks = -3\n');
  await tab.setInputFiles('#files', bad);
  await tab.waitForFunction(() => !document.getElementById('message').hidden);
  assert.match(await text('message'), /bad\.toml:1:9: .*-3/);

  // For people to look at.
  if (pictures) {
    await open({ scenario: 'crossing', agents: 10000, speed: 'max', until: 900 });
    await reach(900, 300_000);
    await picture('crossing.png');
    for (let i = 0; i < 7; i++) await tab.keyboard.press('+');
    await picture('near.png');
    await tab.emulateMedia({ colorScheme: 'dark' });
    await picture('dark.png');
    await tab.setViewportSize({ width: 390, height: 844 });
    await tab.keyboard.press('0');
    await picture('phone.png');
    await tab.setViewportSize({ width: 1280, height: 720 });
  }
  for (const agents of measures ? [10_000, 100_000] : []) {
    await open({ scenario: 'crossing', agents, speed: 'max', play: 1 });
    await tab.waitForFunction((agents) => document.getElementById('count').textContent === agents,
      agents.toLocaleString('en'), { timeout: 60_000 });
    const [from, began] = [await tick(), performance.now()];
    await new Promise((done) => setTimeout(done, 15_000));
    const rate = (await tick() - from) / (performance.now() - began) * 1000;
    console.log(`${agents} agents in the page: ${rate.toFixed(1)} ticks/s`);
  }
  assert.deepEqual(complaints, []);
} finally {
  await browser.close();
  fs.rmSync(profile, { recursive: true, force: true });
}

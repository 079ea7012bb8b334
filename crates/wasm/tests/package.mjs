// Tests of the npm package, as a user has it installed: node --test package.mjs, in a folder where the
// package `throng` is installed. THRONG is the root of the project; REPLAY a replay of scenarios/small.toml that
// the native program has recorded, or nothing; SAVED where to write one for the native program.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';

const { THRONG: root, REPLAY: recorded, SAVED: saved } = process.env;
const installed = createRequire(path.join(process.cwd(), 'x.js')).resolve('throng');
const throng = await import(pathToFileURL(installed));
const { Replay, Simulation } = throng;
const scenario = (name) => fs.readFileSync(path.join(root, 'scenarios', name), 'utf8');
const small = (options) => Simulation.shipped('small', options);

/** Agents at the end and the last digest of a golden run. */
function golden(name, numeric) {
  const line = scenario('golden.txt').split('\n').map((text) => text.split(/\s+/))
    .find(([known, kind]) => known === name && kind === numeric);
  return { agents: +line[2], ticks: +line[3], digest: line[4] };
}

for (const name of ['small', 'crossing', 'battle']) {
  for (const numeric of ['f32', 'fixed']) {
    test(`${name} in ${numeric} gives the golden digest`, () => {
      const wanted = golden(name, numeric);
      const agents = Math.min(2000, throng.shippedScenario(name).agents);
      const sim = Simulation.shipped(name, { agents, numeric });
      sim.step(wanted.ticks);
      assert.equal(sim.numeric, numeric);
      assert.equal(sim.agentCount, wanted.agents);
      assert.equal(sim.digest(), wanted.digest);
    });
  }
}

test('a golden run with another seed is found out', () => {
  const sim = small({ seed: 8 });
  sim.step(golden('small', 'f32').ticks);
  assert.notEqual(sim.digest(), golden('small', 'f32').digest);
});

test('a scenario from text, with a map file, gives the golden digest', () => {
  const map = fs.readFileSync(path.join(root, 'scenarios/maps/city.map'));
  const options = { agents: 2000, numeric: 'f32', file: 'city.toml' };
  assert.throws(() => Simulation.fromScenario(scenario('city.toml'), options), /maps\["maps\/city.map"\]/);
  const sim = Simulation.fromScenario(scenario('city.toml'), { ...options, maps: { 'maps/city.map': map } });
  sim.step(300);
  assert.equal(sim.digest(), golden('city', 'f32').digest);
});

test('columns have a row an agent', () => {
  const sim = small();
  sim.step(20);
  const rows = sim.agentCount;
  assert.equal(rows, 400);
  const [positions, velocities, ids] = [sim.positions(), sim.velocities(), sim.ids()];
  assert.ok(positions instanceof Float32Array && ids instanceof BigUint64Array);
  assert.deepEqual([positions.length, velocities.length, ids.length], [2 * rows, 2 * rows, rows]);
  assert.equal(new Set(ids).size, rows);
  const costs = sim.mapCosts();
  assert.equal(costs.length, sim.mapWidth * sim.mapHeight);
  for (let row = 0; row < rows; row++) {
    const [x, y] = [positions[2 * row], positions[2 * row + 1]].map((c) => Math.floor(c / sim.cellSize));
    assert.notEqual(costs[x + y * sim.mapWidth], 0, `agent ${row} is in a wall`);
  }
  const counts = {};
  for (const group of sim.groupIndices()) counts[group] = (counts[group] ?? 0) + 1;
  const groups = sim.groups();
  assert.deepEqual(groups.map(({ name }) => name), ['red', 'blue', 'green']);
  assert.deepEqual(groups.map(({ index, members }) => [index, members]), [[0, counts[0]], [1, counts[1]], [2, 0]]);
  assert.deepEqual(groups[0].color, [0xd9, 0x4f, 0x4f]);
  assert.equal(sim.states().length, rows);
  assert.equal(sim.healths().length, 0);
  // In half a tick an agent goes half of its velocity's way.
  const at = new Map(Array.from(ids, (id, row) => [id, row]));
  sim.step();
  const [after, speed] = [sim.positions(), sim.velocities()];
  sim.ids().forEach((id, row) => {
    const moved = after[2 * row] - positions[2 * at.get(id)];
    assert.ok(Math.abs(moved - speed[2 * row] / sim.tickRate) < 0.1, `agent ${id} moved ${moved}`);
  });
});

test('orders in the words of scenario files do what those do', () => {
  const plain = small();
  const text = scenario('small.toml').split('[[order]]')[0];
  const ordered = Simulation.fromScenario(text, { file: 'small.toml' });
  const late = { rect: [3, 28, 27, 33] };
  const orders = {
    30: { spawn: 'green', area: late, count: 100 },
    31: { move: 'green', goal: { point: [60.5, 24.5] } },
    90: { stop: 'blue' },
    120: { move: 1, goal: { disc: [8, 40, 6] } },
    150: { remove: 'red', area: { rect: [24, 14, 36, 30] } },
    180: { remove: 'green' },
  };
  for (let tick = 0; tick < 200; tick++) {
    if (orders[tick]) ordered.order(orders[tick]);
    ordered.step();
    plain.step();
    assert.equal(ordered.digest(), plain.digest(), `tick ${tick}`);
  }
});

test('what is wrong with an order is said', () => {
  const sim = small();
  const before = sim.digest();
  const cases = [
    [{ stop: 'yellow' }, /no group `yellow`; known: `red`, `blue`, `green`/],
    [{ stop: 'red', build: { point: [1, 1] } }, /one verb, not `stop` and `build`/],
    [{}, /one verb, not no verb/],
    [{ stop: 'red', count: 3 }, /`stop` takes no `count`/],
    [{ spawn: 'red', count: 3 }, /`spawn` needs `area`/],
    [{ move: 'red', goal: { point: [31, 4] } }, /wall/],
    [{ move: 'red', goal: { square: [31, 4] } }, /square/],
    [{ mvoe: 'red' }, /mvoe/],
    [{ stop: 99 }, /group/],
    [{ form: 'red', formation: 'wedge' }, /no company `red`; known: none/],
  ];
  for (const [order, words] of cases) assert.throws(() => sim.order(order), words);
  assert.throws(() => sim.orderAgents(new BigUint64Array([77n]), 'stop'), /77/);
  assert.throws(() => sim.orderAgents(sim.ids().slice(0, 1), 'sotp'), /sotp/);
  assert.equal(sim.digest(), before);
});

test('single agents are ordered about', () => {
  const sim = small();
  const ids = sim.ids().slice(0, 3);
  assert.equal(sim.orderAgents(ids, 'stop'), 3);
  assert.equal(sim.orderAgents(ids, { teleport: [[4, 4], [6, 4], [8, 4]] }), 3);
  assert.equal(sim.orderAgents(ids, { label: 2n ** 60n }), 3);
  assert.equal(sim.orderAgents(ids.slice(0, 1), { assign: 'green' }), 1);
  const row = sim.ids().indexOf(ids[0]);
  assert.deepEqual([...sim.positions().slice(2 * row, 2 * row + 2)], [4, 4]);
  sim.step();
  sim.orderAgents(ids, 'remove');
  sim.step();
  assert.equal(sim.agentCount, 397);
});

test('a crowd is made without a scenario', () => {
  const rows = ['............', '......@.....', '......@.....', '............'].join('\n');
  const sim = Simulation.onMap(rows, { cell: 5, numeric: 'fixed', settings: { tick_rate: 30 } });
  assert.deepEqual([sim.mapWidth, sim.mapHeight, sim.tickRate, sim.numeric], [12, 4, 30, 'fixed']);
  const walkers = sim.addGroup('walkers', { speed: 2, avoidance: 'orca' }, 'pedestrian');
  sim.order({ spawn: walkers, area: { rect: [1, 1, 20, 19] }, count: 100 });
  assert.equal(sim.events().spawned.length, 100);
  sim.watchArrivals();
  sim.order({ move: 'walkers', goal: { disc: [50, 10, 8] } });
  let arrived = 0;
  for (let tick = 0; tick < 1500; tick++) {
    sim.step();
    arrived += sim.events().arrived.length;
  }
  assert.ok(arrived >= 95, `${arrived} of 100 arrived`);
  assert.throws(() => sim.addGroup('walkers'), /already/);
  assert.equal(sim.changeGroup('walkers', { speed: 1 }), 100);
  assert.throws(() => sim.changeGroup(walkers, { radius: 2 }), /radius/);
  assert.throws(() => sim.changeGroup('runners', { speed: 1 }), /no group `runners`/);
  assert.equal(sim.removeGroup('walkers'), 100);
  assert.throws(() => sim.removeGroup('walkers'), /no group `walkers`/);
  assert.throws(() => sim.removeGroup(walkers), /removed/);
  sim.step();
  assert.equal(sim.agentCount, 0);
  assert.equal(sim.addGroup('walkers'), walkers);
  assert.throws(() => sim.addGroup('a', { sped: 2 }), /there is no `sped`; known: radius, speed/);
  assert.throws(() => sim.addGroup('a', { speed: 'fast' }), /`speed` is "fast"; expected a speed in m\/s/);
  assert.throws(() => sim.addGroup('a', { speed: -1 }), /0\.01/);
  assert.throws(() => sim.addGroup('a', { avoidance: 'luck' }), /separation or orca or none/);
  assert.throws(() => sim.addGroup('a', {}, 'fish'), /rts, pedestrian, horde/);
  assert.throws(() => Simulation.onMap('..x..'), /x/);
  assert.throws(() => Simulation.onMap('....', { numeric: 'f64' }), /f64/);
});

test('weapons and a fight', () => {
  const sim = Simulation.onMap(Array(40).fill('.'.repeat(60)).join('\n'));
  const bow = sim.addWeapon('bow', { damage: 60 }, 'bow');
  for (const [team, x] of [[0, 5], [1, 50]]) {
    const name = `team ${team}`;
    sim.addGroup(name, { team, foes: team ? 1 : 2, weapon: 'bow' });
    sim.order({ spawn: name, area: { rect: [x, 5, x + 8, 35] }, count: 60 });
  }
  assert.equal(bow, 0);
  assert.equal(sim.healths().length, 120);
  let [fallen, flying] = [0, 0];
  for (let tick = 0; tick < 600; tick++) {
    sim.step();
    fallen += sim.events().fallen.length;
    flying += sim.projectiles().length / 3;
  }
  assert.ok(fallen > 10 && flying > 0, `${fallen} fell`);
  assert.equal(sim.agentCount, 120 - fallen);
});

/** What crates/capi/tests/traffic.toml says, by calls. */
function traffic(numeric) {
  const sim = Simulation.onMap(Array(30).fill('.'.repeat(60)).join('\n'), { seed: 5, numeric });
  sim.addWeapon('bow', {}, 'bow');
  sim.addGroup('archers', { team: 0, foes: 2, weapon: 'bow' });
  sim.addGroup('guide', { team: 31 });
  sim.addGroup('tourists', { team: 31 });
  // As the file's group is: the quickest and the shortest that its agents draw.
  sim.addGroup('guests', { team: 31, sprint: 2.0 / 1.4, response: 0.2 });
  sim.addDoor('door', { rect: [30, 13, 31, 17] });
  sim.order({ spawn: 'archers', area: { rect: [4, 2, 8, 10] }, count: 12 });
  sim.order({ spawn: 'guide', area: { point: [4.5, 20.5] }, count: 1 });
  sim.vary('tourists', { radius: { uniform: [0.2, 0.3] } });
  sim.order({ spawn: 'tourists', area: { rect: [1, 17, 4, 24] }, count: 8 });
  sim.vary('guests', {
    speed: { normal: [1.34, 0.26], min: 0.8, max: 2.0 },
    wait: { lognormal: [3, 2], max: 8 },
    response: { uniform: [0.2, 0.6] },
    patience: 2,
  });
  sim.order({ spawn: 'guests', area: { rect: [14, 11, 26, 19] }, count: 20 });
  sim.order({ move: 'guide', goal: { point: [50.5, 20.5] } });
  assert.equal(sim.order({ follow: 'tourists', leaders: 'guide', gap: 0.5 }), 8);
  const [first, second] = [{ rect: [55, 2, 59, 8] }, { any: [{ disc: [57, 26, 2] }] }];
  sim.choose('guests', [{ ...first, flow: 2.6 }, { ...second, known: 0.5 }], { every: 1, crowd: 0.5, stay: 0.1 });
  sim.addSource('street', 'guests', { disc: [10, 26, 2] }, { rate: [[0, 1], [5, 3]], end: 12, count: 25 });
  sim.addSource('train', 'guests', { rect: [20, 22, 28, 28] }, { batches: [[2, 5], [6, 4]] });
  sim.addSource('hotel', 'tourists', { rect: [1, 12, 6, 16] }, { rate: 0.5, start: 1, poisson: true });
  sim.addSink('exit', first, ['guests']);
  sim.addSink('gate', second);
  sim.addStructure('north', { rect: [30, 0, 31, 13] }, { team: 1, health: 60 });
  sim.addStructure('south', { rect: [30, 17, 31, 30] });
  return sim;
}

for (const numeric of ['f32', 'fixed']) {
  test(`doors, sources and the like by calls give the digests of the scenario file in ${numeric}`, () => {
    const file = fs.readFileSync(path.join(root, 'crates/capi/tests/traffic.toml'), 'utf8');
    const [told, sim] = [Simulation.fromScenario(file, { numeric }), traffic(numeric)];
    const [entered, left, collapsed] = [[], [], []];
    for (let tick = 0; tick < 800; tick++) {
      if (tick === 20) sim.order({ attack: 'archers', structure: 'north' });
      if ([80, 240, 320].includes(tick)) sim.setDoor('door', tick !== 240);
      sim.step();
      told.step();
      assert.equal(sim.digest(), told.digest(), `tick ${tick}`);
      const events = sim.events();
      entered.push(...events.entered);
      left.push(...events.leftBy);
      collapsed.push(...events.collapsed);
      assert.equal(events.left.length, events.leftBy.length);
    }
    for (const list of ['sources', 'sinks', 'doors', 'structures']) assert.deepEqual(sim[list](), told[list]());
    const [sources, sinks, [north, south]] = [sim.sources(), sim.sinks(), sim.structures()];
    assert.equal(sources.reduce((sum, source) => sum + source.entered, 0), entered.length);
    assert.equal(sources[0].entered + sources[0].waiting, 25);
    assert.deepEqual(sinks.map((sink) => sink.left), [0, 1].map((sink) => left.filter((by) => by === sink).length));
    assert.ok(left.length > 5, `${left.length} left`);
    assert.deepEqual([collapsed, north.name, north.stands, south.fell], [[0], 'north', false, undefined]);
    assert.deepEqual(sim.doors(), [{ index: 0, name: 'door', open: true }]);
    sim.closeSource('hotel');
    assert.equal(sim.sources()[2].closed, true);
  });
}

test('what is wrong with doors, sources and the like is said', () => {
  const sim = small();
  const [area, off] = [{ rect: [4, 4, 8, 8] }, { rect: [-9, -9, -5, -5] }];
  const cases = [
    [() => sim.addSource('a', 'red', area, {}), /one of rate, batches is needed, not 0/],
    [() => sim.addSource('a', 'red', area, { rate: 1, batches: [[1, 1]] }), /not 2/],
    [() => sim.addSource('a', 'red', area, { rate: 1, begin: 2 }), /no `begin`; known: start, end/],
    [() => sim.addSource('a', 'red', area, { rate: 1, start: -1 }), /start is -1/],
    [() => sim.addSource('a', 'red', area, { rate: [[5, 1], [5, 2]] }), /does not come after/],
    [() => sim.addSource('a', 'yellow', area, { rate: 1 }), /no group `yellow`/],
    [() => sim.addSource('a', 'red', off, { rate: 1 }), /off the map/],
    [() => sim.closeSource('a'), /no source `a`; known: none/],
    [() => sim.addSink('a', off), /wholly in walls/],
    [() => sim.addSink('a', area, ['yellow']), /no group `yellow`/],
    [() => sim.vary('red', { weight: 2 }), /no `weight`/],
    [() => sim.vary('red', { speed: { normal: [1, 0.1], uniform: [1, 2] } }), /not 2/],
    [() => sim.vary('red', { radius: 5 }), /radius is 5/],
    [() => sim.choose('red', []), /no exit/],
    [() => sim.choose('red', [{ flow: 2 }]), /one of rect, disc, point, polygon, any is needed, not 0/],
    [() => sim.choose('red', [area], { stay: 2 }), /stay is 2/],
    [() => sim.order({ follow: 'red' }), /needs `leaders` or `leader`/],
    [() => sim.order({ follow: 'red', leaders: 'red' }), /itself/],
    [() => sim.order({ follow: 'red', leaders: 'blue', gap: 51 }), /gap is 51/],
    [() => sim.setDoor('a', true), /no door `a`/],
    [() => sim.addDoor('a', off), /area of the door/],
    [() => sim.addStructure('a', area, { health: 0 }), /health is 0/],
    [() => sim.order({ attack: 'red', structure: 3 }), /no structure 3/],
    [() => sim.order({ stop: 'red', structure: 3 }), /`stop` takes no `structure`/],
  ];
  for (const [call, words] of cases) assert.throws(call, words);
  sim.order({ follow: 'red', leader: sim.ids()[399], gap: 2 });
  sim.addDoor('door', area, true);
  assert.throws(() => sim.addDoor('door', area), /already/);
  assert.throws(() => sim.setDoor('door', true), /open already/);
});

test('restoring a snapshot repeats every bit', () => {
  const sim = Simulation.shipped('battle', { agents: 2000 });
  sim.step(50);
  const image = sim.snapshot();
  sim.step(50);
  const digest = sim.digest();
  sim.restore(image);
  assert.equal(sim.tick, 50);
  sim.step(50);
  assert.equal(sim.digest(), digest);
  image[image.length >> 1] ^= 1;
  assert.throws(() => sim.restore(image));
  assert.equal(sim.digest(), digest);
});

test('a recording plays, forwards and backwards, and is damaged by a changed byte', () => {
  const sim = small();
  sim.record('small');
  assert.throws(() => sim.record(), /already/);
  const digests = [];
  for (let tick = 0; tick < 200; tick++) {
    if (tick === 60) sim.order({ build: { rect: [10, 30, 14, 34] } });
    sim.step();
    digests.push(sim.digest());
  }
  const bytes = sim.finishRecording();
  if (saved) fs.writeFileSync(saved, bytes);
  const replay = new Replay(bytes);
  assert.deepEqual([replay.label, replay.firstTick, replay.endTick], ['small', 0, 200]);
  const player = replay.start();
  const seen = (sim) => sim.groups().map(({ name, color }) => [name, color]);
  assert.deepEqual(seen(player), seen(small()));
  for (const digest of digests) {
    assert.ok(replay.step(player));
    assert.deepEqual([player.digest(), replay.digest(player.tick)], [digest, digest]);
  }
  assert.equal(replay.step(player), false);
  for (const tick of [150, 3, 77, 78, 200, 0]) {
    replay.seek(player, tick);
    assert.equal(player.tick, tick);
    if (tick > 0) assert.equal(player.digest(), digests[tick - 1]);
  }
  bytes[bytes.length >> 1] ^= 1;
  assert.throws(() => new Replay(bytes), /./);
  assert.throws(() => new Replay(new Uint8Array(8)), /./);
});

test('a replay of the native program gives its digests', { skip: !recorded }, () => {
  const replay = new Replay(fs.readFileSync(recorded));
  const sim = replay.start();
  while (replay.step(sim)) assert.equal(sim.digest(), replay.digest(sim.tick), `tick ${sim.tick}`);
  assert.equal(sim.tick, 200);
});

test('what is wrong with a scenario is said with its place', () => {
  assert.throws(() => Simulation.fromScenario('ticks = -3\n', { file: 'bad.toml' }), /bad\.toml:1:9: .*-3/);
  assert.throws(() => Simulation.shipped('smal'), /no scenario `smal` ships; known: barricades/);
  assert.throws(() => small({ agent: 3 }), /agent/);
  assert.throws(() => small({ agents: 1 }), /agents: 1 is fewer than 3, and each spawn/);
});

test('the types have the traits that the engine has', () => {
  const types = fs.readFileSync(path.join(path.dirname(installed), 'throng.d.ts'), 'utf8');
  for (const [name, defaults] of [['GroupDef', throng.groupDefaults()], ['WeaponDef', throng.weaponDefaults()]]) {
    const body = types.split(`export interface ${name} {`)[1].split('\n}')[0];
    const keys = [...body.matchAll(/^  (\w+)\?:/gm)].map(([, key]) => key);
    assert.deepEqual(keys, Object.keys(defaults));
    assert.ok(keys.length > 15);
  }
  assert.equal(throng.groupDefaults('pedestrian').avoidance, 'orca');
});

// Compiled, never run: what a user writes has the types that the package says, and mistakes are found.
import init, { Replay, Simulation, groupDefaults, shippedNames, type Area, type Order } from 'throng';

await init();
const names: string[] = shippedNames();
const sim: Simulation = Simulation.shipped(names[0]!, { agents: 1000, numeric: 'fixed', seed: 7n });
const goal: Area = { any: [{ disc: [10, 10, 5] }, { rect: [0, 0, 5, 5] }] };
const order: Order = { move: 'west', goal };
const touched: number = sim.order(order);
const positions: Float32Array = sim.positions();
const ids: BigUint64Array = sim.ids();
sim.orderAgents(ids.slice(0, 3), { sendEach: [[1, 2], [3, 4], [5, 6]] });
sim.orderAgents(ids, 'stop');
const index: number = sim.addGroup('extras', { speed: 2, avoidance: 'orca' }, 'rts');
sim.vary('west', { speed: { normal: [1.34, 0.26], min: 0.8 }, wait: 3 });
sim.choose('west', [{ rect: [0, 0, 2, 9], flow: 2.6 }, { disc: [9, 9, 2] }], { every: 1 });
sim.addSource('street', 'west', goal, { rate: [[0, 1], [5, 2]], end: 20, poisson: true });
sim.addSource('train', 0, goal, { batches: [[0, 30]] });
sim.addSink('exit', goal, ['west']);
const door: number = sim.addDoor('door', { rect: [3, 3, 4, 9] });
sim.setDoor(door, true);
sim.addStructure('wall', goal, { health: 60, team: null });
sim.order({ attack: 'west', structure: 'wall' });
sim.order({ follow: 'west', leader: ids[0]!, gap: 2 });
const comers: number = sim.sources()[0]!.waiting + sim.sinks()[0]!.left + sim.events().leftBy.length;
const stands: boolean = sim.structures()[0]!.stands && sim.doors()[0]!.open;
console.log(comers, stands);
const members: number = sim.changeGroup('extras', { speed: 1.5 }) + sim.removeGroup(index);
console.log(members);
const radius: number = groupDefaults('horde').radius;
const fallen: bigint | undefined = sim.events().fallen[0];
const [group] = sim.groups();
const replay: Replay = new Replay(sim.snapshot());
const digest: string | undefined = replay.digest(3);
console.log(touched, positions, index, radius, fallen, group?.members, digest, await Promise.resolve(sim.tick));

// @ts-expect-error: there is no such trait
sim.addGroup('x', { sped: 2 });
// @ts-expect-error: no such way to keep clear
sim.addGroup('x', { avoidance: 'luck' });
// @ts-expect-error: an area has one shape
sim.order({ move: 'west', goal: { square: [1, 2] } });
// @ts-expect-error: a source has a rate or batches
sim.addSource('x', 'west', goal, { start: 3 });
// @ts-expect-error: a distribution has numbers
sim.vary('west', { speed: { normal: 'fast' } });
// @ts-expect-error: a wall has no such trait
sim.addStructure('x', goal, { hitpoints: 3 });
// @ts-expect-error: agents are named by a typed array of ids
sim.orderAgents([1, 2], 'stop');

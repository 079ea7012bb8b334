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
// @ts-expect-error: agents are named by a typed array of ids
sim.orderAgents([1, 2], 'stop');

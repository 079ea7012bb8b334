/** x, y in metres. */
export type Point = [number, number];

/** A part of the map, in metres, in the words of scenario files. */
export type Area =
  /** x and y of two opposite corners, the smaller ones first. */
  | { rect: [number, number, number, number] }
  /** x, y of the centre and the radius. */
  | { disc: [number, number, number] }
  | { point: Point }
  | { polygon: Point[] }
  /** Several, taken together. */
  | { any: Area[] };

/** The name or the index of a group, a company or a weapon. */
export type Name = string | number;

/** An order, in the words of scenario files (`[[order]]`). It takes effect at once. */
export type Order =
  /** A group, or a company by its name, goes to the nearest part of an area. */
  | { move: Name; goal: Area }
  /** Every agent of a group goes straight to the point opposite its own across a centre. */
  | { move: Name; opposite: Point }
  /** A group, or a company by its name, stands where it is. */
  | { stop: Name }
  /** New agents join a group. */
  | { spawn: Name; area: Area; count: number }
  /** Agents of a group leave at the end of the tick: those in an area, or all. */
  | { remove: Name; area?: Area }
  /** A company takes on another formation, or none. */
  | { form: Name; formation: "line" | "column" | "block" | "wedge" | "none" }
  /** A shot of a group's side. From x, y and height in metres, with a velocity in m/s, upwards last. */
  | { launch: Name; weapon: Name; from: [number, number, number]; velocity: [number, number, number] }
  /** Cells become walls. */
  | { build: Area }
  /** Walls are taken down. */
  | { demolish: Area };

/** What single agents are told, or what is done to them. */
export type AgentOrder =
  /** They stand, follow the order of their group again, or leave at the end of the tick. */
  | "stop" | "rejoin" | "remove"
  /** They go to a goal of their own. */
  | { send: Area }
  /** Each goes to a point of its own, in metres. */
  | { sendEach: Point[] }
  /** Each is somewhere else, at rest. */
  | { teleport: Point[] }
  /** Their velocity changes by so much, in m/s. */
  | { push: Point }
  | { damage: number }
  | { heal: number }
  /** They go at so much of the speed of their group, 0 to 2. */
  | { pace: number }
  /** They get a number that means something to the program. */
  | { label: bigint | number }
  /** They change to another group. */
  | { assign: Name };

/** How a simulation begins. */
export interface Options {
  /** Number type: strict single precision, or fixed point Q16.16. Default: the scenario's, or `"f32"`. */
  numeric?: "f32" | "fixed";
  /** Agents at tick 0 in all; the counts of the scenario's spawns keep their proportions. */
  agents?: number;
  /** Seed of everything random. */
  seed?: number | bigint;
  /** Ticks of the scenario; orders beyond it are not carried out. */
  ticks?: number;
  /** A map file in place of the scenario's map, by its path in `maps`. */
  map?: string;
  /** The map files that the scenario names, by path: text, or the bytes of a file. */
  maps?: Record<string, string | Uint8Array>;
  /** Name of the scenario's file, for messages. */
  file?: string;
}

/** How an empty map begins. */
export interface MapOptions {
  /** Number type. Default `"f32"`. */
  numeric?: "f32" | "fixed";
  /** Side of a cell in metres. Default 1. */
  cell?: number;
  /** Seed of everything random. Default 1. */
  seed?: number | bigint;
  settings?: Settings;
}

/** A group as it is now. */
export interface GroupInfo {
  /** What `groupIndices()` has of its agents. */
  index: number;
  name: string;
  /** Red, green, blue, 0 to 255. */
  color: [number, number, number];
  /** Radius of an agent in metres. */
  radius: number;
  /** Agents that it has; those of variants and detachments count for the group that they come from. */
  members: number;
  /** Members that are in their goal. */
  arrived: number;
}

/** A scenario that ships in the package. */
export interface ShippedScenario {
  name: string;
  description: string;
  /** Agents at tick 0. */
  agents: number;
  /** Ticks of the run. */
  ticks: number;
  /** The text of its file. */
  text: string;
}

/** What happened in the last tick and by the orders given for it. Ids as `ids()` gives them. */
export interface Events {
  spawned: BigUint64Array;
  arrived: BigUint64Array;
  stuck: BigUint64Array;
  fallen: BigUint64Array;
  /** Shots that ended. */
  impacts: number;
  /** Why orders were refused, in their order. */
  refused: string[];
}

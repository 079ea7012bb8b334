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

/** The name or the index of a group, a company, a weapon, a source, a door or a structure. */
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
  /** Agents of a group go where others go: each follows one of the `leaders`, or all one agent, by its id. */
  | { follow: Name; leaders: Name; gap?: number }
  | { follow: Name; leader: bigint; gap?: number }
  /** A group goes up to a structure and shoots at it while it has no foe to shoot at. */
  | { attack: Name; structure: Name }
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

/** When the agents of a source come. What is left out has its default. */
export type SourceDef = SourceTimes & (
  /** Agents a second; in a table, from each time (s) on. */
  | { rate: number | [number, number][] }
  /** So many agents at once, at each time (s). */
  | { batches: [number, number][] }
);

/** An exit: an area, and what it is like. */
export type Exit = Area & ExitTraits;

/** How numbers of agents lie: a number that all have, or what they draw from. Beyond the bounds they draw again. */
export type Distribution =
  | number
  | ((
      | { constant: number }
      /** Evenly, from and to. */
      | { uniform: [number, number] }
      /** Mean and standard deviation, of the numbers and not of their logarithms. */
      | { normal: [number, number] }
      | { lognormal: [number, number] }
    ) & { min?: number; max?: number });

/** In what the agents of a group differ. */
export interface VaryDef {
  /** The speed that an agent likes on plain ground, in m/s: from a 64th of its group's to twice that. */
  speed?: Distribution;
  /** How long an agent stays before it sets off, in s. */
  wait?: Distribution;
  /** Its radius in m, up to that of its group. */
  radius?: Distribution;
  /** Time in which it takes on a new velocity, in s. */
  response?: Distribution;
  /** How long it keeps to the exit that it has chosen, in s. */
  patience?: Distribution;
}

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

/** A source as it is now. */
export interface SourceInfo {
  index: number;
  name: string;
  /** Index of the group that its agents join. */
  group: number;
  /** Agents that have entered. */
  entered: number;
  /** Agents that have come and wait outside until there is room. */
  waiting: number;
  closed: boolean;
}

/** A sink as it is now. */
export interface SinkInfo {
  index: number;
  name: string;
  /** Agents that have left there. */
  left: number;
}

/** A door as it is now. */
export interface DoorInfo {
  index: number;
  name: string;
  open: boolean;
}

/** A structure as it is now. */
export interface StructureInfo {
  index: number;
  name: string;
  stands: boolean;
  /** Hit points that are left. */
  health: number;
  /** The tick in which it fell. */
  fell?: number;
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
  /** Agents that sources brought. */
  entered: BigUint64Array;
  /** Agents that have left by a sink. */
  left: BigUint64Array;
  /** Index of the sink of each of them. */
  leftBy: number[];
  arrived: BigUint64Array;
  stuck: BigUint64Array;
  fallen: BigUint64Array;
  /** Indices of structures that fell. */
  collapsed: number[];
  /** Shots that ended. */
  impacts: number;
  /** Why orders were refused, in their order. */
  refused: string[];
}

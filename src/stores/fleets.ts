// Fleets: which of a server's records are this project's. A server holds the records of many projects, each under the id of
// its fleet. The ids are kept in the state of the project; redis/fleet.ts makes and checks them.

export interface Fleets {
  /** The project's fleet on that server; `undefined`: it has none yet. `server` is an address without its password. */
  get(server: string): string | undefined;
  /** Keeps the id where there is none, and returns the id that is kept then: another process may have been first. */
  keep(server: string, id: string): string;
  /** The id replaces the one that is kept. */
  join(server: string, id: string): void;
  project(): FleetProject;
}

/** What distinguishes projects on every machine. */
export interface FleetProject {
  /** The first commits; empty when they are unknown (no repository, no commit yet, a shallow clone). */
  readonly roots: readonly string[];
  /** The project's root, seen from the top of the repository; empty when it is the top. */
  readonly folder: string;
}

/** How a person wants servers to be used, by flags or the environment. */
export interface ServerTerms {
  /** The fleet to join. */
  readonly fleet?: string | undefined;
  readonly allowVolatile: boolean;
  readonly allowPlainRedis: boolean;
}

export interface ServerRequest extends ServerTerms {
  readonly use: 'read' | 'write';
  readonly fleets: Fleets;
  /** Printed for the person. */
  note(text: string): void;
}

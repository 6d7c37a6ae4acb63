/** The folders in src/agents/, by name. */
export function agentNames(root: string): readonly string[];

/** Writes the lists of agents that are not there or not current. */
export function writeCatalogs(root?: string): void;

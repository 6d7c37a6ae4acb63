/** Makes a copy of the quickstart project at `folder`, which must not exist yet. */
export function prepare(folder: string): void;

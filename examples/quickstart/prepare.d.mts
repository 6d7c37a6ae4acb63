/** Makes a copy of the quickstart project at `folder`, which must not exist yet. */
export function prepare(folder: string): void;
/** A configuration with the three scripted agents of the quickstart. */
export function writeConfig(file: string): void;

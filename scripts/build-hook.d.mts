import type { BuildOptions } from 'esbuild';

/** Answers the path of the script. */
export function buildHook(folder: string, options?: BuildOptions): Promise<string>;

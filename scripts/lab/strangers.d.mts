/** `packages` is the node_modules folder in which the tool is. */
export interface Stranger {
  readonly version: string;
  readonly packages: string;
}

export function strangers(folder?: string): Readonly<Record<string, Stranger>>;
export function missingStrangers(folder?: string): string | undefined;

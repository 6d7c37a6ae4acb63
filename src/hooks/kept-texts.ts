// The text of a receipt, for a person who asks what it was: hooks keep it beside the mark that it was printed (records.ts).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RootPlaces } from '../system/files/project-state.ts';
import type { KeptText } from './records.ts';
import { sessionName } from './state.ts';

/** How the folder of a text is named once the agent lost it, and it may be printed again. */
export const LOST = 'lost-';

/** `undefined` where it is not kept: it was printed by an earlier version, or long ago. Never throws. */
export function findKeptText(places: RootPlaces, session: string, id: string): KeptText | undefined {
  const name = sessionName(session, undefined);
  const isOf = (one: string) => one === name || one.startsWith(`${name}@`) || one.startsWith(`${name}.`);
  const inGate = namesIn(places.gate)
    .filter(isOf)
    .map((one) => join(places.gate, one));
  const inHooks = namesIn(places.hooks)
    .filter(isOf)
    .map((one) => join(places.hooks, one))
    .flatMap((one) => namesIn(one).map((epoch) => join(one, epoch)))
    .flatMap((epoch) => namesIn(epoch).map((matter) => join(epoch, matter)));
  for (const claims of [...inGate, ...inHooks]) {
    const folders = namesIn(claims).filter((one) => one === 'done' || one.startsWith(LOST));
    const found = folders.map((one) => readKept(join(claims, one, `${id}.json`))).find((one) => one !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readKept(file: string): KeptText | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isKept = typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
    return isKept ? (value as KeptText) : undefined;
  } catch {
    return undefined;
  }
}

// The folders of all agents in a home. An xray is of one agent: who is logged in to the others stays away from its hooks.

import { join } from 'node:path';
import { AGENTS } from '../../agents/index.ts';
import { SETUPS } from '../../agents/setups.ts';
import { homePath } from '../../runs/box/home-paths.ts';
import { isIn, SHARED } from './home-paths.ts';

/** By what is known of a set-up, of a box, and by the agent's name. */
const PATHS: readonly string[] = [
  ...Object.values(SETUPS).flatMap(({ folder, beside }) => [folder.path, ...(beside ?? []).map(firstOf)]),
  ...AGENTS.flatMap(({ name, box = {} }) => [
    ...[`.${name}`, ...SHARED.map((shared) => `${shared}/${name}`)],
    ...[...Object.values(box.homes ?? {}), ...(box.writable ?? []), ...(box.copied ?? [])].flatMap((text) => {
      const found = homePath(text, box, { home: '/', variables: {} });
      return found === undefined ? [] : [found.path.replace(/^\/+/, '')];
    }),
  ]),
];

const FOLDERS: ReadonlySet<string> = new Set([...PATHS, ...PATHS.map(firstOf)]);
const LEFT = Object.values(SETUPS).flatMap(({ folder, left }) => left.map((name) => join(folder.path, name)));

/** A whole folder of an agent, or what no copy of its set-up has either: credentials, transcripts. Scripts below the folder are not meant. */
export function isAgentsOwn(path: string): boolean {
  return FOLDERS.has(path) || LEFT.some((left) => isIn(path, left));
}

function firstOf(path: string): string {
  return path.split('/')[0] ?? '';
}

// What a person agreed to: bound to the content, kept outside of the repository in a folder of the person's own. A
// changed byte is another content, and asks again with the difference.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { inKeyOrder } from '../kernel/same-value.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { personState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';

/** What a repository brings that needs trust: agents, lineup, helper, sandbox settings. */
export type Parts = Readonly<Record<string, unknown>>;

interface Agreed {
  readonly root: string;
  readonly hash: string;
  readonly text: string;
}

/** As a person reads it, and as it is hashed: keys in order, two spaces. */
export function partsText(parts: Parts): string {
  return JSON.stringify(inKeyOrder(parts), null, 2);
}

export function isAgreed(parts: Parts, at: { readonly root: string; readonly stateFolder: string }): boolean {
  return readAgreed(at)?.hash === hashOf(partsText(parts));
}

/** The text agreed to last, to show what changed since; `undefined` when nothing was. */
export function agreedText(at: { readonly root: string; readonly stateFolder: string }): string | undefined {
  return readAgreed(at)?.text;
}

export function agree(parts: Parts, at: { readonly root: string; readonly stateFolder: string }): void {
  const text = partsText(parts);
  const folder = personState(at.stateFolder).trust;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertPrivate(folder);
  const agreed: Agreed = { root: at.root, hash: hashOf(text), text };
  replaceFile(fileOf(at), `${JSON.stringify(agreed, null, 2)}\n`, { mode: 0o600 });
}

function readAgreed(at: { readonly root: string; readonly stateFolder: string }): Agreed | undefined {
  const read = readTextFile(fileOf(at));
  if (read.kind !== 'text') return undefined;
  assertPrivate(personState(at.stateFolder).trust);
  try {
    const agreed = JSON.parse(read.text) as Agreed;
    return agreed.root === at.root && agreed.hash === hashOf(agreed.text) ? agreed : undefined;
  } catch {
    // Damaged: nothing is agreed to, and the person is asked again.
    return undefined;
  }
}

function fileOf(at: { readonly root: string; readonly stateFolder: string }): string {
  return join(personState(at.stateFolder).trust, `${hashOf(at.root)}.json`);
}

/** A folder that others may write to proves nothing. */
function assertPrivate(folder: string): void {
  const stat = lstatSync(folder);
  const isOwn = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && isOwn && (stat.mode & 0o022) === 0) return;
  throw new ForewordError(
    'bad-input',
    `${folder} is not a folder of yours alone, so what it says of trust is not believed.`,
    {
      hint: 'Remove it, or make it yours with mode 0700.',
    },
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

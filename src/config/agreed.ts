// What a person agreed to: bound to the content, kept outside the repository in the person's own folder. After any change
// of the content the person is asked again, and sees the difference.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { inKeyOrder } from '../kernel/same-value.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { personState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';

/** The settings of a repository that need trust: agents, lineup, helper, sandbox settings. */
export type Parts = Readonly<Record<string, unknown>>;

interface Agreement {
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

/** The text that the person agreed to last, to show what changed since; `undefined` when there is no agreement. */
export function agreedText(at: { readonly root: string; readonly stateFolder: string }): string | undefined {
  return readAgreed(at)?.text;
}

export function agree(parts: Parts, at: { readonly root: string; readonly stateFolder: string }): void {
  const text = partsText(parts);
  const folder = personState(at.stateFolder).trust;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertPrivate(folder);
  const agreed: Agreement = { root: at.root, hash: hashOf(text), text };
  replaceFile(fileOf(at), `${JSON.stringify(agreed, null, 2)}\n`, { mode: 0o600 });
}

function readAgreed(at: { readonly root: string; readonly stateFolder: string }): Agreement | undefined {
  const read = readTextFile(fileOf(at));
  if (read.kind !== 'text') return undefined;
  assertPrivate(personState(at.stateFolder).trust);
  try {
    const agreed = JSON.parse(read.text) as Agreement;
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
    `Other users can write to ${folder}, so the trust recorded in it does not count.`,
    {
      hint: `Remove the folder, or make it your own: chmod 700 ${folder}`,
    },
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// What a person agreed to: bound to the project's identity and to the content, the files that commands name included. Kept
// outside the repository in the person's own folder. After any change the person is asked again, and sees the difference.

import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { inKeyOrder } from '../kernel/same-value.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { ensureProject, projectIdentity } from '../system/files/find-project.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { personState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { TrustedFile } from './trusted-files.ts';

/** The settings of a repository that need trust: agents, lineup, helper, sandbox settings. */
export type Parts = Readonly<Record<string, unknown>>;

export interface Agreement {
  /** The settings, as `partsText` makes it. */
  readonly text: string;
  readonly files: readonly TrustedFile[];
}

interface Kept extends Agreement {
  readonly version: 2;
  /** The id of the project. */
  readonly project: string;
  readonly hash: string;
}

interface At {
  readonly root: string;
  readonly stateFolder: string;
}

/** As a person reads it, and as it is hashed: keys in order, two spaces. */
export function partsText(parts: Parts): string {
  return JSON.stringify(inKeyOrder(parts), null, 2);
}

/** Settings and files are the same in both. */
export function isSameAgreement(one: Agreement, other: Agreement): boolean {
  return hashOf(one) === hashOf(other);
}

/** What the person agreed to last in this project; `undefined` when there is no agreement, or it is damaged. */
export function readAgreed(at: At): Agreement | undefined {
  const folder = personState(at.stateFolder).trust;
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  assertPrivate(folder);
  const { id } = projectIdentity(at.root, at.stateFolder);
  const read = id === undefined ? undefined : readTextFile(fileOf(at, id));
  return read?.kind === 'text' ? parse(read.text, id ?? '') : undefined;
}

export function agree(agreement: Agreement, at: At): void {
  const project = ensureProject(at.root, at.stateFolder);
  const folder = personState(at.stateFolder).trust;
  makeFolder(folder);
  assertPrivate(folder);
  const { text, files } = agreement;
  const kept: Kept = { version: 2, project, hash: hashOf(agreement), text, files };
  replaceFile(fileOf(at, project), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

function parse(text: string, id: string): Agreement | undefined {
  try {
    const kept = JSON.parse(text) as Kept;
    return kept.version === 2 && kept.project === id && kept.hash === hashOf(kept) ? kept : undefined;
  } catch {
    // Damaged: nothing is agreed to, and the person is asked again.
    return undefined;
  }
}

function fileOf(at: At, id: string): string {
  return join(personState(at.stateFolder).trust, `${id}.json`);
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

function hashOf({ text, files }: Agreement): string {
  const content = JSON.stringify([text, files.map(({ path, hash }) => [path, hash])]);
  return createHash('sha256').update(content).digest('hex');
}

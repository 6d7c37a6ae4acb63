// A file that is ours alone, such as a plug-in. Its first line holds the hash of the rest, so that a file somebody changed
// is known without any record of ours, and is never replaced or deleted with the change in it.

import { createHash } from 'node:crypto';
import type { Misplaced, Owned } from './edited.ts';

const FIRST = /^\/\/ Made by foreword init, sha256 ([0-9a-f]{64})\. /;

/** Source text of a language with `//` comments. */
export function signed(rest: string): string {
  const line = `// Made by foreword init, sha256 ${hashOf(rest)}. foreword uninstall deletes it.\n`;
  return line + rest;
}

export function ownFile(text: string): Owned {
  const hash = FIRST.exec(text)?.[1];
  if (hash === undefined) return { ok: true, parts: [] };
  const rest = text.slice(text.indexOf('\n') + 1);
  if (hashOf(rest) !== hash) return changed();
  return { ok: true, parts: [{ event: 'plug-in', command: '', value: text }] };
}

function changed(): Misplaced {
  return {
    ok: false,
    message: 'the file was changed by hand since foreword made it; move the change elsewhere and delete the file',
  };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

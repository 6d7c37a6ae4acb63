// What a person reads before they agree to what a repository brings: the settings, or their difference, and the files that the
// commands name. Pure.

import { lineDifference } from '../install/line-difference.ts';

interface File {
  readonly path: string;
  readonly hash: string;
  readonly text?: string;
}

export interface TrustView {
  readonly parts: object;
  readonly text: string;
  readonly before: string | undefined;
  readonly named: {
    readonly files: readonly File[];
    readonly faults: readonly string[];
    readonly folders: readonly string[];
  };
  readonly changes: readonly { readonly path: string; readonly before?: File; readonly after?: File }[];
}

/** More lines of a file are not compared: the table for it grows with their square. */
const MAX_LINES = 1000;
/** Of a hash: enough to compare by eye. */
const HASH_LENGTH = 16;

export function trustReport(trust: TrustView): string {
  const parts = [
    '.foreword/config.yaml of this repository would run programs on your machine:\n',
    trust.before === undefined ? trust.text : settingsDifference(trust.before, trust.text),
    ...(trust.before === undefined ? fileList(trust.named.files) : trust.changes.map(changeText)),
    ...trust.named.folders.map((path) => `${path} is a folder: what lies in it is not covered by your agreement.`),
    ...trust.named.faults.map((fault) => `Cannot be agreed to: ${fault}`),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** For a command that goes on without them. */
export function ignoredNote({ parts, changes }: Pick<TrustView, 'parts' | 'changes'>): string {
  const changed = changes.map(({ path }) => path).join(', ');
  const why = changed === '' ? '' : ` (changed: ${changed})`;
  const named = Object.keys(parts);
  const verb = named.length === 1 ? 'is' : 'are';
  return `${named.join(', ')} in .foreword/config.yaml ${verb} ignored until you agree${why}. Run foreword trust`;
}

function settingsDifference(before: string, after: string): string {
  return before === after ? 'The settings are as you agreed to them.' : lineDifference(before, after);
}

function fileList(files: readonly File[]): readonly string[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, hash }) => `  ${short(hash)}  ${path}`);
  return ['\nThe commands name these files of the project, which you agree to as they are now:', ...rows];
}

function changeText({ path, before, after }: TrustView['changes'][number]): string {
  if (before === undefined) return `\n${path} is named and was not there when you agreed: ${short(after?.hash)}`;
  if (after === undefined) return `\n${path} is gone, or no longer named: it was ${short(before.hash)}`;
  const head = `\n${path} changed: ${short(before.hash)} is now ${short(after.hash)}`;
  const texts = [before.text, after.text];
  if (texts.some((text) => text === undefined || text.split('\n').length > MAX_LINES)) return head;
  return `${head}\n${lineDifference(before.text ?? '', after.text ?? '')}`;
}

function short(hash = ''): string {
  return hash.slice(0, HASH_LENGTH);
}

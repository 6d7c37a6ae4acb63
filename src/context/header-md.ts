// The header's parts as Markdown: the template tokens, and `foreword context --format md`. Values are one safe line each.

import { oneLine } from '../kernel/safe-text.ts';
import type { Header } from './header.ts';
import type { TemplateValues } from './template.ts';

export interface ChangedFile {
  readonly path: string;
  /** Lines; `null` for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** For a longer diffstat the count of the rest is enough. */
const MAX_CHANGED = 20;
const MAX_LINE = 240;

/** The value of every template token, from one header; `more.text` is the value of `{context_header}`. */
export function templateValues(
  header: Header,
  more: { readonly text: string; readonly changed: readonly ChangedFile[] },
): TemplateValues {
  return {
    context_header: more.text.trimEnd(),
    queue_md: queueMd(header),
    recent_files_md: list(header.hotspots.map((spot) => `${spot.path} (${spot.age})`)),
    next_work_md: list(header.next_work),
    diffstat_md: diffstatMd(more.changed),
    targets: header.targets.length === 0 ? 'everywhere' : header.targets.map(bounded).join(', '),
    mode_hint: modeHint(header),
  };
}

export function headerMd(header: Header): string {
  const { branch, head } = header.repo;
  const parts: readonly (readonly [string, string])[] = [
    ['Queue', queueMd(header)],
    ['Recently touched', list(header.hotspots.map((spot) => `${spot.path} (${spot.age})`))],
    ['Targets', list(header.targets.length === 0 ? ['everywhere'] : header.targets)],
    ['Policy', list(header.policy)],
    ['Next work', list(header.next_work)],
  ];
  const cut = Object.entries(header.more ?? {}).map(([name, count]) => `${name} ${count}`);
  return [
    '# Agent context',
    '',
    `Branch ${bounded(branch ?? 'none')}, head ${head ?? 'none'}, mode ${header.mode}.`,
    ...parts.flatMap(([title, text]) => ['', `## ${title}`, '', text]),
    ...(cut.length === 0 ? [] : ['', `Not shown: ${cut.join(', ')}.`]),
    ...(header.unavailable === undefined
      ? []
      : ['', `Could not be read: ${header.unavailable.map(bounded).join('; ')}.`]),
    '',
  ].join('\n');
}

function queueMd(header: Header): string {
  return list([
    ...header.pending.map((note) => `review ${note.id} (${note.age}): ${note.files.join(', ')}`),
    ...header.backlog.map((task) => `${task.id}: ${task.summary}`),
  ]);
}

function diffstatMd(changed: readonly ChangedFile[]): string {
  const shown = changed
    .slice(0, MAX_CHANGED)
    .map(({ path, added, removed }) =>
      added === null || removed === null ? `${path} (binary)` : `${path} +${added} -${removed}`,
    );
  return list(changed.length > MAX_CHANGED ? [...shown, `+${changed.length - MAX_CHANGED} more files`] : shown);
}

function modeHint(header: Header): string {
  return header.mode === 'review'
    ? 'Mode: review. Judge what is there; change nothing; say what is wrong and where.'
    : 'Mode: propose. Make the smallest change that does the task, inside the targets.';
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '- none' : items.map((item) => `- ${bounded(item)}`).join('\n');
}

function bounded(text: string): string {
  return oneLine(text, MAX_LINE);
}

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeNotes } from './notes.ts';

const NOW = 1_800_000_000_000;
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-notes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function note(path: string, ageSec: number, text = 'words'): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, (NOW - ageSec * 1000) / 1000, (NOW - ageSec * 1000) / 1000);
}

const look = (path?: string) => observeNotes(root, { path, now: NOW, recentSec: 180 });

test('a project without notes has none', () => {
  expect(look()).toEqual({ kind: 'absent' });
});

test('pending notes carry their front matter or their name, oldest first', () => {
  note('.foreword/notes/ready_for_review/b.md', 60, '---\nid: task-9\ntargets: [src/a.ts, "b c.ts"]\n---\nText');
  note('.foreword/notes/ready_for_review/2025-10-29__task-217__feat-auth.md', 120);
  note('.foreword/notes/ready_for_review/plain.md', 90, '---\n\nno front matter here');
  expect(look()).toEqual({
    kind: 'found',
    from: '.foreword/notes',
    value: {
      pendingTotal: 3,
      pending: [
        {
          id: 'task-217',
          path: 'ready_for_review/2025-10-29__task-217__feat-auth.md',
          modifiedAt: NOW - 120_000,
          targets: [],
        },
        { id: 'plain', path: 'ready_for_review/plain.md', modifiedAt: NOW - 90_000, targets: [] },
        { id: 'task-9', path: 'ready_for_review/b.md', modifiedAt: NOW - 60_000, targets: ['src/a.ts', 'b c.ts'] },
      ],
      recent: [],
    },
  });
});

test('recent notes come from scratch, the lead and proposals, within the window; links are no notes', () => {
  note('agent_notes/scratch/new.md', 10);
  note('agent_notes/scratch/old.md', 181);
  note('agent_notes/notes_FROM_CTO/word.md', 20);
  note('agent_notes/proposed_tasks/idea.md', 30);
  note('secret.txt', 1);
  symlinkSync(join(root, 'secret.txt'), join(root, 'agent_notes/scratch/link.md'));
  const seen = look();
  expect(seen.kind === 'found' && seen.value.recent.map((entry) => entry.path)).toEqual([
    'scratch/new.md',
    'notes_FROM_CTO/word.md',
    'proposed_tasks/idea.md',
  ]);
});

test('every fault in front matter is reported with file and line', () => {
  note('.foreword/notes/ready_for_review/a.md', 3, '---\nid: [1]\ntargets: 5\n---\n');
  note('.foreword/notes/ready_for_review/b.md', 2, '---\nid: @bad\n---\n');
  note('.foreword/notes/ready_for_review/c.md', 1, '---\n- a list\n---\n');
  const seen = look();
  expect(seen.kind === 'unavailable' && seen.faults.map(({ where, line, path }) => [where, line, path])).toEqual([
    ['.foreword/notes/ready_for_review/a.md', 2, 'id'],
    ['.foreword/notes/ready_for_review/a.md', 3, 'targets'],
    ['.foreword/notes/ready_for_review/b.md', 2, ''],
    ['.foreword/notes/ready_for_review/c.md', 2, ''],
  ]);
});

test('a configured folder that is not there is a fault', () => {
  expect(look('my/notes')).toEqual({
    kind: 'unavailable',
    from: 'my/notes',
    faults: [{ where: 'my/notes', path: '', message: 'the folder does not exist; create it, or fix context.notes' }],
  });
});

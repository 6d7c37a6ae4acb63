import { expect, test } from 'vitest';
import { DEFAULT_HANDOVER_SETTINGS, type Handover } from '../../context/handover/handover.ts';
import type { Sources } from '../../context/sources/port.ts';
import type { Fault } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Task } from '../../kernel/task.ts';
import { memoryStores } from '../../stores/memory.ts';
import type { FoundRepository } from '../workplaces/workplace.ts';
import { type ComposeTaskPrompt, composeRunPrompt } from './task-prompt.ts';

const TASK = { task_id: 'a', intent: 'x' } as Task;
const SHOWN = { finished: [] };
const changedSince = () => 'CHANGED';
const HANDOVER: Handover = { type: 'retry', text: 'BEFORE\n\n', warnings: [], dropped: [] };

async function compose(
  faults: readonly Fault[],
  given: { readonly sources?: Sources; readonly repository?: FoundRepository; readonly rules?: string } = {},
) {
  const asked: Parameters<ComposeTaskPrompt>[0][] = [];
  const events: NewEvent[] = [];
  const prompt = await composeRunPrompt(
    {
      facts: {
        sources: given.sources ?? ({} as Sources),
        stores: memoryStores(),
        redact: (text) => text,
        recentSec: 60,
        project: 'shop',
        historySize: 5,
        maxBlockers: 3,
        handover: DEFAULT_HANDOVER_SETTINGS,
      },
      compose: async (ask) => {
        asked.push(ask);
        return { original: 'DO THIS', handover: HANDOVER, shown: SHOWN, changedSince, faults };
      },
      rules: async () => given.rules ?? '',
      template: () => ({ text: 'T', where: 'mine.md' }),
      now: () => 12,
      emit: async (event) => void events.push(event),
    },
    {
      task: TASK,
      agent: 'codex',
      cwd: '/work',
      ...(given.repository === undefined ? {} : { repository: given.repository }),
    },
  );
  return { asked, events, prompt };
}

test('the hand-over is carried apart from the original prompt', async () => {
  const { prompt, asked } = await compose([]);
  expect(prompt).toEqual({
    original: 'DO THIS',
    handover: HANDOVER,
    shown: SHOWN,
    changedSince: expect.any(Function),
    buildMs: expect.any(Number),
  });
  expect(asked).toMatchObject([
    { task: TASK, taskId: 'a', agent: 'codex', workingDirectory: '/work', role: 'engineer', now: 12, isAnyway: true },
  ]);
});

test('sources that are broken are named once for each file', async () => {
  const fault = (where: string, message: string): Fault => ({ where, path: '', message });
  const { events } = await compose([fault('notes.md', 'one'), fault('policy.yaml', 'two'), fault('notes.md', 'three')]);
  expect(events).toEqual([
    { kind: 'source-unavailable', source: 'notes.md', reason: 'one; three' },
    { kind: 'source-unavailable', source: 'policy.yaml', reason: 'two' },
  ]);
});

test('what git shows is of the checkout, the rest of the project, and a checkout that cannot be read is left out', async () => {
  const project = { kind: 'absent' } as const;
  const sources = { notes: () => project } as unknown as Sources;
  const head = { branch: 'foreword/r', head: 'abc' };
  const repository = { head: async () => head, changed: () => Promise.reject(new Error('gone')), diff: async () => '' };
  const { asked } = await compose([], { sources, repository });
  expect(await asked[0]?.sources.git()).toEqual({ kind: 'found', from: 'the checkout', value: head });
  expect(asked[0]?.sources.notes()).toBe(project);
  const faults = [{ where: 'the checkout', path: '', message: 'gone' }];
  expect(await asked[0]?.sources.changed()).toEqual({ kind: 'unavailable', from: 'the checkout', faults });
});

test('the rules of the project stand behind the prompt', async () => {
  const { prompt } = await compose([], { rules: '[foreword rules fw_1] Never push.' });
  expect(prompt.original).toBe('DO THIS\n\n[foreword rules fw_1] Never push.\n');
});

test('a session that goes on is told the rules again only where they changed since its last prompt', async () => {
  const { prompt } = await compose([], { rules: 'Never push.' });
  expect(prompt.changedSince(prompt.shown)).toBe('CHANGED');
  const { prompt: later } = await compose([], { rules: 'Never push, never merge.' });
  expect(later.changedSince(prompt.shown)).toBe('CHANGED\n\nNever push, never merge.\n');
  expect(later.changedSince(later.shown)).toBe('CHANGED');
  // A session of an older foreword was not told them.
  expect(later.changedSince(undefined)).toBe('CHANGED\n\nNever push, never merge.\n');
  const { prompt: without } = await compose([]);
  expect(without.changedSince(later.shown)).toBe('CHANGED');
});

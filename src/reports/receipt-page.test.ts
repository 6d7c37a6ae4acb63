import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { printedByHooks } from './deliveries.ts';
import { receiptPage } from './receipt-page.ts';

const base = { at: '2026-01-01T10:00:00.000Z', session: 'ses-1', agent: 'codex', context: 'fw_1' };
const EVENTS: readonly ForewordEvent[] = [
  {
    ...base,
    id: 'evt_1',
    kind: 'gate-spoken',
    mode: 'inline',
    files: ['.context/CONSTITUTION.md', '.context/TASKS.md'],
    whole: ['.context/CONSTITUTION.md'],
    cut: [],
    chars: 812,
    durationMs: 90,
    isSubagent: false,
  },
  { ...base, id: 'evt_2', kind: 'context-served', at: '2026-01-01T10:00:04.000Z' },
];
const timeOf = (iso: string) => iso.slice(11, 19);

test('a person who asks what a receipt was for reads its moment, session, tool, files, proof and text', () => {
  const [listed = expect.fail()] = printedByHooks(EVENTS);
  const page = receiptPage({ listed, events: EVENTS, text: 'Never push.', tool: 'shell' }, timeOf);
  expect(page).toEqual({
    lines: [
      ['receipt', 'fw_1'],
      ['moment', 'first-tool, with the result of the first tool: your rules'],
      ['session', 'ses-1 of codex'],
      ['tool', 'shell'],
      ['channel', 'hook'],
      ['proof', 'served: in transcript, answered'],
      ['outcome', 'delivered'],
      ['printed', '10:00:00, 812 characters'],
      ['in full', '.context/CONSTITUTION.md'],
      ['named', '.context/TASKS.md'],
      ['served', '10:00:04, an answer of the model follows it in the transcript'],
    ],
    text: 'Never push.',
  });
});

test('that it was served stands there once, whoever else reports it', () => {
  const again: ForewordEvent = { ...base, id: 'evt_3', kind: 'context-served', at: '2026-01-01T10:00:05.000Z' };
  const events = [...EVENTS, again, { ...again, id: 'evt_4', session: 'ses-2' }];
  const [listed = expect.fail()] = printedByHooks(events);
  const { lines } = receiptPage({ listed, events }, timeOf);
  expect(lines.filter(([word]) => word === 'served').map(([, text]) => text.slice(0, 8))).toEqual(['10:00:04']);
});

test('a text that the agent lost says so, and one of an earlier version has no text', () => {
  const lost: ForewordEvent = { ...base, id: 'evt_3', kind: 'context-lost', event: 'UserPromptSubmit' };
  const printed: ForewordEvent = {
    ...base,
    id: 'evt_1',
    kind: 'context-printed',
    moment: 'prompt',
    chars: 90,
    durationMs: 1,
  };
  const [listed = expect.fail()] = printedByHooks([printed, lost]);
  const { lines, text } = receiptPage({ listed, events: [printed, lost], prompt: 'go\n on' }, timeOf);
  expect(text).toBeUndefined();
  expect(lines).toContainEqual(['prompt', '"go on"']);
  expect(lines).toContainEqual(['outcome', 'failed: codex lost what was printed at UserPromptSubmit']);
  expect(lines).toContainEqual(['lost', '10:00:00, the agent dropped what was printed at UserPromptSubmit']);
});

test('a text that was sent at a prompt is not called what hooks say there', () => {
  const [hook = expect.fail()] = printedByHooks(EVENTS);
  const momentOf = (channel: 'hook' | 'typed') =>
    receiptPage({ listed: { ...hook, moment: 'prompt', channel }, events: [] }, timeOf).lines.find(
      ([word]) => word === 'moment',
    )?.[1];
  expect(momentOf('hook')).toBe('prompt, at a prompt: what changed since the session was last told');
  expect(momentOf('typed')).toBe('prompt, a text that was sent to the session');
});

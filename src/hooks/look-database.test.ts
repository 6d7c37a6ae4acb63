import { expect, test } from 'vitest';
import { transcript } from '../agents/opencode/transcript.ts';
import { textsInRecord } from '../kernel/transcript.ts';
import { lookAtTexts } from './look-database.ts';
import { NOTHING_SEEN } from './transcript.ts';

const FILES = ['.context/CONSTITUTION.md', '.context/TASKS.md'];

/** A row as OpenCode 1.18.33 leaves it, and as the query returns it. */
const row = (at: number, command: string, output: string) => ({
  id: `prt_${at}`,
  changedAt: at,
  session: 'ses_1',
  role: 'assistant',
  message: `msg_${at}`,
  part: {
    type: 'tool',
    tool: 'bash',
    callID: `call_${at}`,
    state: { status: 'completed', input: { command, description: command }, output },
  },
});
const texts = (...rows: readonly object[]) => rows.flatMap((one) => textsInRecord(transcript, one, 'part'));
const look = (before: typeof NOTHING_SEEN, ...rows: readonly object[]) =>
  lookAtTexts(before, texts(...rows), { session: 'ses_1', files: FILES });

const GATE = row(1, 'echo one', 'one\n\n[foreword gate fw_aaaa1111] STOP.');

test('the calls of a database are counted after the gate, as those of a file are', () => {
  const seen = look(NOTHING_SEEN, GATE, row(2, 'cat .context/*.md', '# Rules'), row(3, 'npm test', 'ok'));
  expect(seen).toMatchObject({
    isPastGate: true,
    read: FILES.map((path) => ({ path, isBeforeOther: true })),
    otherCalls: 1,
  });
});

test('a row that is read again is no new call', () => {
  const first = look(NOTHING_SEEN, GATE, row(2, 'npm test', 'ok'));
  const again = look(first, row(2, 'npm test', 'ok'), row(3, 'cat .context/TASKS.md', '- [ ] x'));
  expect(again).toMatchObject({ otherCalls: 1, read: [{ path: '.context/TASKS.md', isBeforeOther: false }] });
});

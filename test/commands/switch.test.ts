// Going on with another agent in the same terminal, and back: the built command, a person's terminal or tmux, and two scripted
// agents, whose logs tell what each was given.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { sha256 } from '../../src/system/sha256.ts';
import { asPerson, PERSON } from '../agents/person.mjs';
import { entriesOf, readLog, untilEntry } from '../agents/tui-log.ts';
import { until } from '../processes/processes.ts';
import { type Live, type Shown, lively as test } from './live.ts';

const DRAFT = asPerson('half a thought');
const PATIENCE_MS = 40_000;

const submits = (log: string) => entriesOf(readLog(log), 'submit');
const bytesIn = (log: string) => entriesOf(readLog(log), 'bytes').length;

describe.concurrent.each([
  ['in the own terminal', []],
  ['in tmux', ['--tmux']],
] as const)('switch %s', (_, flags) => {
  test('goes on with another agent, and comes back to the first with its draft', async ({ live }) => {
    const here = live({ exitAfterTurns: 2, exitStatus: 7 });
    const seat = here.sit(['start', 'tui', ...flags]);
    await untilEntry(here.log, 'submit', () => true, PATIENCE_MS);
    await here.untilShown('ready', ({ agent, readiness }) => agent === 'tui' && readiness === 'ready');
    await pause(3200);
    seat.write(DRAFT);
    await seat.until(DRAFT);

    const switched = await here.run(['switch', 'other']);
    expect(switched.status, switched.stderr).toBe(0);
    const second = /^(s[0-9a-f]{8}): other has the terminal/.exec(switched.stdout)?.[1] ?? expect.fail(switched.stdout);
    await untilEntry(here.otherLog, 'submit', () => true, PATIENCE_MS);
    const [first] = await here.sessions();
    expect(await here.sessions()).toMatchObject([
      { agent: 'tui', seating: 'behind' },
      { agent: 'other', id: second, beside: first?.id, seating: 'in front' },
    ]);
    const [given] = submits(here.otherLog);
    expect(given?.text).toContain('--- PROVIDER SWITCH CONTEXT ---');
    expect(given?.text).toContain('The person switched from tui to you in the same terminal.');
    expect(given?.text).not.toContain('failed');

    // The keys are the other's now, and the first has its draft still.
    const before = bytesIn(here.log);
    await here.untilShown('ready', ({ agent, readiness }) => agent === 'other' && readiness === 'ready');
    seat.write(asPerson('to the other'));
    await seat.until(asPerson('to the other'));
    seat.write(PERSON.enter);
    await until('the other has it', () => submits(here.otherLog).length === 2, PATIENCE_MS);
    expect(bytesIn(here.log)).toBe(before);

    const third = await here.run(['switch', 'missing']);
    expect([third.status, third.stderr]).toEqual([1, expect.stringContaining('tui and other run here')]);
    const back = await here.run(['switch', 'tui', second]);
    expect(back.status, back.stderr).toBe(0);
    await until('the draft is on the screen', () => lastScreen(seat.output()).includes(DRAFT), PATIENCE_MS);
    expect(await here.sessions()).toMatchObject([{ seating: 'in front' }, { seating: 'behind' }]);
    expect((await here.run(['switch', 'other'])).status).toBe(0);
    // Its end gives the first the terminal back.
    expect((await here.run(['sessions', '--stop', second])).status).toBe(0);
    await here.untilShown('the other ended', ({ agent, endedAt }) => agent === 'other' && endedAt !== undefined);
    await seat.until('foreword: other ended; tui is back as you left it');
    await pause(1500);
    seat.write(asPerson(' more'));
    await until('the keys reach the first', () => bytesIn(here.log) > before, PATIENCE_MS);
    seat.write(PERSON.enter);
    expect(await seat.status).toBe(7);
    const sent = submits(here.log).map(({ text }) => text);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(`${DRAFT}${asPerson(' more')}`);
    expect(submits(here.otherLog)).toHaveLength(2);
    expect(here.seen()).toMatchObject({ pastedTwice: {}, duplicates: {}, personBytesSubmittedByUs: 0 });
  });
});

test('switch says what cannot be', async ({ live }) => {
  const here = live();
  const none = await here.run(['switch', 'other']);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('No session runs.')]);
  await here.start();
  const same = await here.run(['switch', 'tui']);
  expect(same.stderr).toContain('tui has the terminal already');
  const given = await here.run(['switch', 'tui', '--', '--continue']);
  expect([given.status, given.stderr]).toEqual([
    1,
    expect.stringContaining('tui runs already, and takes no arguments'),
  ]);
  const more = await here.run(['switch', 'other', 's1', 's2']);
  expect([more.status, more.stderr]).toEqual([2, expect.stringContaining('does not take the argument "s2"')]);
  const unknown = await here.run(['switch', 'nobody']);
  expect(unknown.stderr).toContain('There is no agent "nobody" that can be started in a terminal.');
  const missing = await here.run(['switch', 'missing']);
  expect([missing.status, missing.stderr]).toEqual([3, expect.stringContaining('missing is not installed')]);
  expect(await here.sessions()).toMatchObject([{ agent: 'tui' }]);
});

test('a text is not typed into an agent that has just reached its limit', async ({ live }) => {
  const here = live({}, { as: 'gemini', ladder: ['typed'], proofs: ['submitted', 'served'] });
  const { session } = await here.json<{ session: Shown }>(['start', 'gemini', '--detach', '--wait', 'submitted']);
  const asked = { id: 'm1', type: 'user', content: [{ text: PROMPT }] };
  const limit = { id: 'm2', type: 'error', content: '[API Error: You have exhausted your daily quota on this model.]' };
  leaveTranscript(here.project, [asked, limit]);
  await here.untilShown('the limit is seen', ({ hint }) => hint?.includes('limit') === true);
  const sent = await here.run(['send', session.id, 'not yet', '--wait', 'queued']);
  expect(sent.status, sent.stderr).toBe(0);
  await here.untilShown('it waits', ({ waiting }) => waiting.some(({ reason }) => reason.startsWith('limit; tried')));
  await pause(3000);
  expect(submits(here.log)).toHaveLength(1);
  leaveTranscript(here.project, [asked, limit, { id: 'm3', type: 'gemini', content: 'I am back.' }]);
  await until('it is typed', () => submits(here.log).length === 2, PATIENCE_MS);
});

describe.concurrent.each([
  ['in the own terminal', []],
  ['in tmux', ['--tmux']],
] as const)('switch %s with sessions.switch: auto', (_, flags) => {
  test('sends the last prompt to the other agent, once and after its context', async ({ live }) => {
    const here = live(
      {},
      { as: 'gemini', ladder: ['typed'], proofs: ['submitted', 'served'], settings: { sessions: { switch: 'auto' } } },
    );
    here.sit(['start', 'gemini', ...flags]);
    await untilEntry(here.log, 'submit', () => true, PATIENCE_MS);
    await here.untilShown('ready', ({ agent, readiness }) => agent === 'gemini' && readiness === 'ready');
    leaveTranscript(here.project, [
      { id: 'm1', type: 'user', content: [{ text: PROMPT }] },
      { id: 'm2', type: 'error', content: '[API Error: You have exhausted your daily quota on this model.]' },
    ]);
    await here.untilShown('the limit is seen', ({ hint }) => hint?.includes('limit') === true);
    const switched = await here.run(['switch', 'other']);
    expect(switched.status, switched.stderr).toBe(0);
    await until('the other has both', () => submits(here.otherLog).length === 2, PATIENCE_MS);
    await pause(2000);
    expect((await here.sessions()).map(({ hint }) => hint ?? '')).toEqual(['', '']);
    const [context, prompt, ...more] = submits(here.otherLog).map(({ text, by }) => ({ text, by }));
    expect(context?.text).toContain('Previous provider (gemini) failed: limit');
    expect(context?.text).not.toContain(PROMPT);
    expect(prompt).toEqual({ text: expect.stringMatching(new RegExp(`^\\[fw_\\w+\\]\\n${PROMPT}$`)), by: 'program' });
    expect(more).toEqual([]);
    const { id } = (await here.sessions()).find(({ agent }) => agent === 'other') ?? expect.fail();
    const kinds = (await here.receipts('--session', id)).map(({ moment, outcome }) => `${moment} ${outcome}`);
    expect(kinds.toSorted()).toEqual(['session-start delivered', 'switch delivered']);
  });
});

const PROMPT = 'Fix the seventh door, please.';

/** What Gemini CLI writes down, in its folder of the test's home. */
function leaveTranscript(project: string, messages: readonly object[]): void {
  const folder = join(dirname(project), '.gemini/tmp/shop');
  mkdirSync(join(folder, 'chats'), { recursive: true });
  writeFileSync(join(folder, '.project_root'), realpathSync(project));
  const now = new Date().toISOString();
  const projectHash = sha256(realpathSync(project));
  const records = [{ sessionId: '0f3d', projectHash, startTime: now, kind: 'main' }, ...messages];
  const lines = records.map((record) => `${JSON.stringify({ timestamp: now, ...record })}\n`);
  writeFileSync(join(folder, 'chats/session-2026-0f3d.jsonl'), lines.join(''));
}

/** A session with the other agent beside it, which has the terminal. */
async function pair(here: Live, flags: readonly string[]) {
  const seat = here.sit(['start', 'tui', ...flags]);
  await untilEntry(here.log, 'submit', () => true, PATIENCE_MS);
  await here.untilShown('ready', ({ agent, readiness }) => agent === 'tui' && readiness === 'ready');
  expect((await here.run(['switch', 'other'])).status).toBe(0);
  await untilEntry(here.otherLog, 'submit', () => true, PATIENCE_MS);
  const [first = expect.fail(), second = expect.fail()] = await here.sessions();
  return { seat, first, second };
}

describe.concurrent('a switched pair whose host is killed', () => {
  test('goes on as a pair in tmux: the new host knows both, and which one is shown', async ({ live }) => {
    const here = live();
    const { first, second } = await pair(here, ['--tmux']);
    process.kill(first.pid, 'SIGKILL');
    await until('the host is gone', () => !isRunning(first.pid));
    expect(await here.sessions()).toMatchObject([{ id: first.id }, { id: second.id, beside: first.id }]);
    const same = await here.run(['switch', 'other']);
    expect([same.status, same.stderr]).toEqual([1, expect.stringContaining('other has the terminal already')]);
    const third = await here.run(['switch', 'missing']);
    expect(third.stderr).toContain('tui and other run here');
    const back = await here.run(['switch', 'tui']);
    expect(back.stdout, back.stderr).toContain(`${first.id}: tui has the terminal`);
    const again = await here.run(['switch', 'other']);
    expect(again.stdout, again.stderr).toContain(`${second.id}: other has the terminal`);
    expect(submits(here.otherLog)).toHaveLength(1);
    expect(await here.sessions()).toHaveLength(2);
  });

  test('gives the terminal back when the other agent dies with its host, and starts a new one then', async ({
    live,
  }) => {
    const here = live();
    const { first, second } = await pair(here, ['--tmux']);
    for (const pid of [second.pid, second.agentPid ?? 0]) process.kill(pid, 'SIGKILL');
    await until('both are gone', () => !isRunning(second.pid) && !isRunning(second.agentPid));
    await until('its window is gone', () => tmuxWindows(first).length === 1, PATIENCE_MS);
    await pause(1500);
    const again = await here.run(['switch', 'other']);
    expect(again.stdout, again.stderr).toMatch(/^s[0-9a-f]{8}: other has the terminal/);
    expect(again.stdout).not.toContain(second.id);
    expect((await here.sessions()).map(({ agent }) => agent)).toEqual(['tui', 'other']);
  });

  test('ends in the own terminal: both are shown as gone, nothing runs on, and the next session is told of both', async ({
    live,
  }) => {
    const here = live();
    const { seat, first, second } = await pair(here, []);
    writeFileSync(join(here.project, 'src/server.js'), 'export {};\n');
    expect(first.pid).toBe(second.pid);
    process.kill(first.pid, 'SIGKILL');
    await seat.status;
    await until('the agents are gone', () => [first, second].every(({ agentPid }) => !isRunning(agentPid)));
    const { stdout } = await here.run(['load']);
    expect(stdout).toMatch(/A session of tui, which broke off/);
    expect(stdout).toMatch(/A session of other, which broke off/);
    expect(await here.sessions('--all')).toMatchObject([
      { id: first.id, readiness: 'gone', evidence: 'its host died' },
      { id: second.id, readiness: 'gone', evidence: 'its host died' },
    ]);
    expect(here.processes()).toEqual([]);
  });
});

function isRunning(pid: number | undefined): boolean {
  return existsSync(`/proc/${pid}`);
}

function tmuxWindows({ tmux }: Shown): readonly string[] {
  const { socket = '', session = '' } = tmux ?? {};
  const args = ['-S', socket, 'list-windows', '-t', session, '-F', '#{window_name}'];
  return execFileSync('tmux', args, { encoding: 'utf8' }).trim().split('\n');
}

function lastScreen(output: string): string {
  return output.slice(-3000);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

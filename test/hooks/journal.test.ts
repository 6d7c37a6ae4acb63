// What hooks record reaches the journal once each, whoever takes it over and when, and compliance is read from it.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendSpool, type SpoolEntry } from '../../src/hooks/spool.ts';
import { bundle } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { scaled } from '../scale.ts';
import { Field } from './field.ts';

let field: Field;
let env: Record<string, string>;
beforeEach(() => {
  field = new Field();
  env = { HOME: field.folder, XDG_STATE_HOME: field.stateHome };
  mkdirSync(join(field.root, '.foreword'));
});
afterEach(() => field.remove());

const command = async (...args: readonly string[]) => {
  const ran = await foreword(args, { cwd: field.root, env });
  expect(ran, ran.stderr).toMatchObject({ status: 0 });
  return ran.stdout;
};
const say = (event: string, session_id: string, more: object = {}) =>
  field.text(event, 'claude', { session_id, source: 'startup', ...more, tool_input: {} });

/** The ids of journal entries of hooks, in order. */
async function journal(): Promise<readonly string[]> {
  const lines = (await command('export')).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ kind, record }) => (kind === 'event' && record.kind === 'context-served' ? [record.id] : []));
}

const entry = (id: string): SpoolEntry => ({
  id,
  at: '2026-11-15T00:00:00.000Z',
  agent: 'claude',
  session: 's',
  kind: 'context-served',
  context: 'fw_a',
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);

/** A transcript as Claude Code writes it. */
function transcript(name: string, ...records: readonly object[]): string {
  const path = join(field.folder, `${name}.jsonl`);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}
const given = (text: string) => ({ type: 'attachment', rendered: [{ content: text }], renderedRole: 'system' });
const call = (name: string, input: object) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', name, input }] },
});

test('compliance: whether the text was served, and in directive mode what was read and when', async () => {
  expect(await command('receipts', '--compliance')).toContain('No gate has run in this project yet: ');
  const inline = await say('pre-tool', 'inline');
  await say('pre-tool', 'inline', { agent_id: 'sub' });
  await say('pre-tool', 'unread');
  await say('stop', 'inline', {
    transcript_path: transcript('inline', given(inline), call('Bash', { command: 'ls' })),
  });
  writeFileSync(join(field.root, '.foreword/config.yaml'), 'gate: { mode: directive }\n');
  const read = (file: string) => call('Read', { file_path: join(field.root, file) });
  const sessions = {
    first: [read('.context/CONSTITUTION.md'), read('.context/TASKS.md'), call('Bash', { command: 'ls' })],
    late: [call('Bash', { command: 'ls' }), read('.context/CONSTITUTION.md')],
    never: [call('Bash', { command: 'ls' })],
  };
  for (const [name, calls] of Object.entries(sessions)) {
    const said = await say('pre-tool', name);
    expect(said).toContain('STOP. Read your context files');
    await say('stop', name, { transcript_path: transcript(name, given(said), ...calls) });
  }
  const { compliance } = JSON.parse(await command('receipts', '--compliance', '--json'));
  expect(
    compliance.map((row: Record<string, unknown>) => [row.session, row.mode, row.served, row.read, row.inTime]),
  ).toEqual([
    ['inline', 'inline', 'served', [], '-'],
    ['unread', 'inline', 'unknown', [], '-'],
    ['first', 'directive', 'served', ['.context/CONSTITUTION.md', '.context/TASKS.md'], 'yes'],
    ['late', 'directive', 'served', ['.context/CONSTITUTION.md'], 'no'],
    ['never', 'directive', 'served', [], 'no'],
  ]);
  const shown = await command('receipts', '--compliance');
  expect(shown).toMatch(/^first +claude +directive +served +2 of 4 +yes$/m);
  expect(shown).toMatch(/^inline +claude +inline +served +2 given in full, 2 named +nothing to read$/m);
  expect(shown).toContain('\ninline: the files themselves were put before the agent');
  expect(shown).toContain('unknown: the transcript of the agent does not show it yet');
  expect(shown).toMatch(/^late +claude +directive +served +1 of 4 +no$/m);
});

test('a list shows as much of a session id as is unique, a flag takes that, and --json has it whole', async () => {
  const ids = ['5b1f0c7e-2d94-4a63-9c1e-7f3a60d2b815', '019a8f1c-aaaa-7000-8000-01', '019a8f1c-aaab-7000-8000-02'];
  for (const id of ids) await say('pre-tool', id);
  const short = ['5b1f0c7e', '019a8f1c-aaaa', '019a8f1c-aaab'];
  for (const list of ['receipts', 'receipts --compliance']) {
    const shown = await command(...list.split(' '));
    for (const id of short) expect(shown).toMatch(new RegExp(`(^| )${id} `, 'm'));
    expect(shown).not.toContain(ids[0]);
  }
  for (const [index, id] of short.entries()) {
    const { receipts } = JSON.parse(await command('receipts', '--session', id, '--json'));
    expect(receipts.map(({ session }: { session: string }) => session)).toEqual([ids[index]]);
  }
  expect(await command('receipts', '--session', 'ff')).toBe(
    'No deliveries to a session whose id begins with ff yet.\n',
  );
});

test('what hooks recorded is in the journal once, in order, and the spool is empty then', async () => {
  const ids = numbered(30);
  for (const id of ids) appendSpool(field.state, field.root, entry(id));
  expect(await journal()).toEqual(ids);
  expect(readdirSync(field.places.spool)).toEqual([]);
  // A hook that was not sure records it again.
  appendSpool(field.state, field.root, entry('evt_7'));
  appendSpool(field.state, field.root, entry('evt_new'));
  expect(await journal()).toEqual([...ids, 'evt_new']);
});

test('a torn line is passed over, and so is what never was an entry', async () => {
  appendSpool(field.state, field.root, entry('evt_a'));
  const [name = ''] = readdirSync(field.places.spool);
  appendFileSync(join(field.places.spool, name), '{"id":"evt_torn","kind":"context-ser');
  appendSpool(field.state, field.root, entry('evt_b'));
  appendFileSync(join(field.places.spool, name), 'null\n[]\n"x"\n{"id":"evt_half');
  expect(await journal()).toEqual(['evt_a', 'evt_b']);
});

test('commands that take it over at the same moment store each line once, also what a dead one left', async () => {
  for (let round = 0; round < scaled(30); round += 1) {
    const ids = numbered(200).map((id) => `${id}_${round}`);
    for (const id of ids.slice(0, 100)) appendSpool(field.state, field.root, entry(id));
    const spool = field.places.spool;
    const [name = ''] = readdirSync(spool);
    renameSync(join(spool, name), join(spool, `taken-${Date.now() - 61_000}-1`));
    for (const id of ids.slice(100)) appendSpool(field.state, field.root, entry(id));
    await Promise.all(Array.from({ length: 4 }, () => command('receipts', '--compliance')));
    const stored = (await journal()).filter((id) => id.endsWith(`_${round}`));
    expect(stored.toSorted()).toEqual(ids.toSorted());
    expect(readdirSync(spool)).toEqual([]);
  }
});

test('nothing is lost or doubled while hooks go on telling', async () => {
  const count = scaled(3000);
  const program = bundle(join(import.meta.dirname, 'spool-writer.ts'));
  const writer = spawn(process.execPath, [program, field.state, field.root, String(count)], { stdio: 'inherit' });
  let isDone = false;
  const ended = new Promise<number | null>((resolve) => writer.on('close', resolve)).finally(() => {
    isDone = true;
  });
  while (!isDone) await command('receipts', '--compliance');
  expect(await ended).toBe(0);
  expect(await journal()).toEqual(numbered(count));
});

test('a store that cannot be written leaves the lines for later', async () => {
  appendSpool(field.state, field.root, entry('evt_a'));
  mkdirSync(field.files().store);
  await foreword(['receipts', '--compliance'], { cwd: field.root, env });
  expect(readdirSync(field.places.spool)).toHaveLength(1);
});

// `foreword effect --replay`: stored attempts played again, once with and once without their hand-over. Nothing of the person, of the
// task or of its run changes, and the two prompts differ in the bytes of the hand-over alone.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field;
afterEach(() => field.remove());

interface Told {
  readonly replays: object;
  readonly retrySuccess: { readonly withContext: object };
}

/** Everything that must be as it was: the person's tree and refs, our repository's refs, and every record but those of replays. */
async function state(): Promise<unknown> {
  const projects = join(field.folder, '.local/state/foreword/projects');
  const own = join(projects, readdirSync(projects).find((name) => name.startsWith('p')) ?? '', 'work.git');
  const refs = (at: string) => execFileSync('git', ['-C', at, 'for-each-ref'], { encoding: 'utf8' });
  const { stdout } = await field.command('export');
  const [, ...records] = stdout.trimEnd().split('\n');
  return {
    tree: field.git('status', '--porcelain=v1', '--ignored'),
    head: field.git('rev-parse', 'HEAD'),
    theirs: refs(field.project),
    ours: refs(own),
    records: records.filter((line) => JSON.parse(line).record?.kind !== 'attempt-replayed'),
  };
}

test('a retry is played with and without its hand-over, and nothing else changes', async () => {
  field = makeField({ agents: { first: ['works-when-told'] }, tasks: [fileTask('a')] });
  expect((await field.run()).status).toBe(0);
  const before = await state();
  const started = field.prompts().length;

  const ran = await field.command('effect', '--replay', 'a', '--times', '3', '--json');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stderr).toContain(
    '1 attempt(s), 3 times with and 3 times without the hand-over: agents are started 6 times.',
  );
  const { replays, retrySuccess }: Told = JSON.parse(ran.stdout);
  expect(replays).toMatchObject({
    attempts: 1,
    withContext: { total: 3, count: 3 },
    withoutContext: { total: 3, count: 0 },
  });
  expect(retrySuccess.withContext).toMatchObject({ total: 1, count: 1 });
  expect(await state()).toEqual(before);

  const [, retry] = field.prompts();
  const played = field.prompts().slice(started);
  const handover = retry?.prompt.slice(0, retry.prompt.indexOf('--- END CONTEXT ---\n\n') + 21) ?? '';
  expect(handover).toMatch(/^--- RETRY CONTEXT ---\n/);
  const given = played.filter(({ prompt }) => prompt.startsWith('--- RETRY CONTEXT'));
  const without = played.filter(({ prompt }) => !prompt.startsWith('--- RETRY CONTEXT'));
  expect([given.length, without.length]).toEqual([3, 3]);
  // With it: the very bytes of the stored attempt. Without it: the same without the hand-over.
  for (const { prompt } of given) expect(prompt).toBe(retry?.prompt);
  for (const { prompt } of without) expect(handover + prompt).toBe(retry?.prompt);
  expect(new Set(played.map(({ cwd }) => cwd)).size).toBe(1);
  expect(field.living()).toEqual([]);

  field.change('first', ({ oneshot }) => ({ oneshot: { ...oneshot, command: ['gone-agent'] } }));
  const gone = await field.command('effect', '--replay', 'a');
  expect(gone.status).toBe(3);
  expect(gone.stderr).toContain('made by first, which is not installed; nothing was played');
});

test('a switch begins with the work of the agent before, and a cap ends the replay', async () => {
  const output = {
    format: 'jsonl',
    usage: [
      { when: { type: 'message' }, is: 'part', input: ['usage.in'], output: ['usage.out'], costUsd: ['usage.cost'] },
    ],
    rules: [{ when: { type: 'result' }, answer: 'text' }],
  };
  field = makeField({
    agents: { first: ['rate-limited'], second: ['metered', '1', '0', '100', '0.4'] },
    tasks: [fileTask('a')],
  });
  field.change('second', ({ oneshot }) => ({ oneshot: { ...oneshot, output } }));
  const run = await field.run();
  expect(run.status, run.stdout + run.stderr).toBe(0);
  const ran = await field.command('effect', '--replay', 'a', '--times', '50', '--max-cost', '1');
  expect(ran.status, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stderr).toMatch(/ended after 1 of 50 pair\(s\): --max-cost \$1\.00 is reached/);
  const handovers = field.ledger().map(({ handover }) => handover);
  expect(handovers.filter((each) => each === 'PROVIDER SWITCH')).not.toEqual([]);
}, 60_000);

test('what cannot be replayed is refused with the reason, before an agent is started', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const refused = async (words: readonly string[]) => {
    const { status, stderr } = await field.command('effect', ...words);
    return { status, stderr };
  };
  expect(await refused(['--replay', 'a'])).toEqual({
    status: 2,
    stderr: expect.stringMatching(/no task "a" in the store.*foreword run TASKS/s),
  });
  expect((await field.run()).status).toBe(0);
  const started = field.ledger().length;
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['--replay'], 2, /needs TASK/],
    [['--replay', 'b'], 2, /There is no task "b".*Known tasks: a/s],
    [['--replay', 'a'], 2, /Nothing of task a can be replayed: it has 1 attempt\(s\), and no retry or switch/],
    [['--replay', 'a', '--times', '0'], 2, /--times was given "0"; it takes a whole number from 1 to 1000/],
    [['--replay', 'a', '--max-cost', 'nothing'], 2, /--max-cost was given "nothing"/],
    [['a'], 2, /a belongs to --replay/],
    [['--times', '3'], 2, /--times belongs to --replay/],
  ];
  for (const [words, status, message] of cases)
    expect(await refused(words), words.join(' ')).toEqual({ status, stderr: expect.stringMatching(message) });
  expect(field.ledger().length).toBe(started);
});

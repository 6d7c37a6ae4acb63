import { expect, test } from 'vitest';
import type { WorkFact } from '../../kernel/agent-work.ts';
import { factsOf, isWorthKeeping } from './facts.ts';
import { type Gathering, gatherRecord, nothingGathered } from './gather.ts';

const NO_GIT = { commits: [], uncommitted: [] };

function gathered(...facts: readonly WorkFact[]): Gathering {
  const into = nothingGathered();
  for (const fact of facts) gatherRecord(into, [fact], { redact: (text) => text.replaceAll('hunter2', '[redacted]') });
  // It is kept as JSON between two looks.
  return JSON.parse(JSON.stringify(into));
}

const factsIn = (...facts: readonly WorkFact[]) => factsOf(gathered(...facts), NO_GIT, { root: '/shop', missing: [] });

const asked = (text: string): WorkFact => ({ kind: 'asked', text });
const ran = (command: string, isFailed: boolean, text = ''): WorkFact => ({ kind: 'ran', command, isFailed, text });

test('of many prompts the first and the last three stay, bounded, and all are counted', () => {
  const { prompts, promptCount } = factsIn(...['one', 'two', 'three', 'four', 'x'.repeat(500)].map(asked));
  expect(prompts.slice(0, 3)).toEqual(['one', 'three', 'four']);
  expect(prompts[3]?.length).toBe(200);
  expect(promptCount).toBe(5);
});

test('what foreword and hooks put into a prompt is not the words of the person', () => {
  const { prompts } = factsIn(
    asked(
      '<hook_context>[foreword startup fw_abc1] x\n[end of foreword startup fw_abc1]</hook_context>\n\nfix the route',
    ),
    asked('[foreword startup fw_abc2] facts\n[end of foreword startup fw_abc2]'),
    asked('[CONTEXT INJECTION fw_k3v9 - Please acknowledge receipt]\nbody\n[END CONTEXT fw_k3v9 - To confirm]'),
    asked('[fw_k3v9a]\nfrom a program'),
    asked('mind [foreword prompt fw_abc3] changed\n[end of foreword prompt fw_abc3] the tests'),
  );
  expect(prompts).toEqual(['fix the route', 'mind the tests']);
});

test('a secret is taken out before a text is made shorter', () => {
  const long = `${'a'.repeat(195)}hunter2 ${'b'.repeat(100)}`;
  expect(factsIn(asked(long)).prompts[0]).not.toContain('hunt');
});

test('an edit counts when its call succeeded, once, and only inside the project', () => {
  const call = (id: string, path: string): WorkFact => ({
    kind: 'called',
    call: id,
    deeds: [{ kind: 'edited', path }],
  });
  const end = (id: string, isFailed = false): WorkFact => ({ kind: 'returned', call: id, isFailed, text: '' });
  const { files, fileCount } = factsIn(
    call('1', '/shop/src/a.ts'),
    end('1'),
    call('1', '/shop/src/a.ts'),
    end('1'),
    call('2', '/shop/src/b.ts'),
    end('2', true),
    call('3', '/etc/passwd'),
    end('3'),
    call('4', 'src/c.ts'),
    end('4'),
    call('5', 'src/c.ts'),
    end('5'),
    call('6', '/shop/never.ts'),
  );
  expect(files).toEqual([
    { path: 'src/c.ts', edits: 2 },
    { path: 'src/a.ts', edits: 1 },
  ]);
  expect(fileCount).toBe(2);
});

test('of each kind of command the last that failed and the last that passed stay, with the line that says why', () => {
  const { commands } = factsIn(
    ran('npm test', false),
    ran('npm test -- a', true, 'Exit code 1\nall fine\nAssertionError: expected 1 to be 2\n'),
    ran('ls -la', true),
    ran('npm run build', true, 'old'),
    ran('npm run build', false),
  );
  expect(commands).toEqual([
    {
      kind: 'tests',
      command: 'npm test -- a',
      isFailed: true,
      isNewest: true,
      error: 'AssertionError: expected 1 to be 2',
    },
    { kind: 'tests', command: 'npm test', isFailed: false, isNewest: false },
    { kind: 'build', command: 'npm run build', isFailed: false, isNewest: true },
    { kind: 'build', command: 'npm run build', isFailed: true, isNewest: false, error: 'old' },
  ]);
});

test('open entries of a list stay, written as a whole or one by one', () => {
  const { open } = factsIn(
    { kind: 'listed', items: [{ text: 'old', isDone: false }] },
    { kind: 'listed', items: [{ text: 'first', isDone: true }] },
    { kind: 'called', call: '1', deeds: [{ kind: 'item', item: { text: 'second', isDone: false } }] },
    { kind: 'returned', call: '1', isFailed: false, text: 'Task #7 created' },
    { kind: 'item', item: { text: 'third', isDone: false, id: '8' } },
    { kind: 'item', item: { id: '7', isDone: true } },
  );
  expect(open).toEqual(['third']);
});

test('everything that is gathered is bounded', () => {
  const into = nothingGathered();
  for (let index = 0; index < 500; index += 1)
    gatherRecord(
      into,
      [
        { kind: 'edited', path: `/shop/${'deep/'.repeat(100)}${index}.ts` },
        { kind: 'called', call: `c${index}`, deeds: [{ kind: 'ran', command: 'npm test' }] },
        { kind: 'item', item: { text: 'x'.repeat(5000), id: String(index) } },
        asked('y'.repeat(50_000)),
      ],
      { redact: (text) => text },
    );
  expect(JSON.stringify(into).length).toBeLessThan(200_000);
});

test('a question that changed nothing is not worth a record, nor an unattended call without an edit', () => {
  const worth = (...facts: readonly WorkFact[]) => {
    const all = gathered(...facts);
    return isWorthKeeping(all, factsOf(all, NO_GIT, { root: '/shop', missing: [] }));
  };
  expect(worth(asked('what is this?'))).toBe(false);
  expect(worth(asked('what is this?'), asked('and that?'))).toBe(true);
  expect(worth(asked('fix it'), { kind: 'ran', command: 'npm test', isFailed: true, text: 'Error' })).toBe(true);
  expect(worth({ kind: 'unattended' }, asked('one'), asked('two'))).toBe(false);
  expect(worth({ kind: 'unattended' }, asked('one'), { kind: 'edited', path: 'a.ts' })).toBe(true);
});

test('a new version whose tools have other names says so; who only reads has no such tool', () => {
  const used = (isKnown: boolean): WorkFact => ({ kind: 'used', isKnown });
  const missing = (...facts: readonly WorkFact[]) => factsIn(asked('fix it'), ...facts).missing;
  expect(missing(used(false), used(false), used(false))).toEqual([
    'what its tools did, whose names are not known here',
  ]);
  expect(missing(used(true), used(false), used(false), used(false))).toEqual([]);
  expect(missing(ran('npm test', true), used(false), used(false), used(false))).toEqual([]);
  expect(missing(used(false))).toEqual([]);
});

test('a new version that writes prompts down in another way says so; a session that had none does not', () => {
  const unknown = 'the prompts, which this version writes down in a way that is not known here';
  const used: WorkFact = { kind: 'used', isKnown: true };
  const missing = (...facts: readonly WorkFact[]) => factsIn(...facts).missing;
  const many = Array.from({ length: 10 }, () => used);
  expect(missing(...many)).toEqual([unknown]);
  // The text of a hook may have kept its form.
  const start = '[foreword startup fw_a1] facts\n[end of foreword startup fw_a1]';
  expect(missing(asked(`<hook_context>${start}</hook_context>`), ...many)).toEqual([unknown]);
  expect(missing(asked('fix it'), ...many)).toEqual([]);
  // Nobody but a program spoke to it.
  expect(missing(asked('[fw_a1b2c3]\nfix it'), ...many)).toEqual([]);
  // It may just be the beginning, or a session in which nothing was asked.
  expect(missing(...many.slice(1))).toEqual([]);
  expect(missing(...many.map((): WorkFact => ({ kind: 'returned', call: '1', isFailed: false, text: '' })))).toEqual(
    [],
  );
});

test('a transcript in which nothing is known says so', () => {
  const into = nothingGathered();
  for (let index = 0; index < 5; index += 1) gatherRecord(into, undefined, { redact: (text) => text });
  expect(factsOf(into, NO_GIT, { root: '/', missing: [] }).missing).toEqual([
    'its transcript has a format that is not known here',
  ]);
});

test('a prompt that the person took back before any output is not told as theirs', () => {
  const into = nothingGathered();
  const add = (node: string, parent: string, ...facts: readonly WorkFact[]) =>
    gatherRecord(into, facts, { redact: (text) => text, node, parent });
  const told = () => factsOf(into, NO_GIT, { root: '/shop', missing: [] });
  add('1', '', asked('first'));
  add('2', '1');
  add('3', '2', asked('taken back'));
  expect(told()).toMatchObject({ prompts: ['first', 'taken back'], promptCount: 2 });
  add('4', '2', asked('second'));
  add('5', '4');
  expect(told()).toMatchObject({ prompts: ['first', 'second'], promptCount: 2 });
  // Of one that nothing came after yet nobody knows.
  for (const number of [6, 7, 8]) add(`${number}`, `${number - 1}`, asked(`prompt ${number}`));
  expect(told()).toMatchObject({ prompts: ['first', 'prompt 6', 'prompt 7', 'prompt 8'], promptCount: 5 });
});

// What an agent of a run reads: notes, tasks and policy of the project; branch, head and changed lines of the checkout it works in.

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field;
afterEach(() => field.remove());

/** The header's line that begins with `repo:`, and the list below a title. */
const repoOf = (prompt: string) => /^repo: .*$|^repo:\n(?: {2}.*\n)+/m.exec(prompt)?.[0] ?? '';

const TEMPLATE = '{context_header}\n\nChanged:\n{diffstat_md}\n\nQueue:\n{queue_md}\n';

test('an agent reads the branch and commit it works on, and the lines of the attempt before, not those of the person', async () => {
  field = makeField({
    agents: { first: ['works-when-told'] },
    tasks: [fileTask('a'), fileTask('b', { depends_on: ['a'] })],
    settings: { templates: { engineer: 'prompt.md' } },
  });
  writeFileSync(join(field.project, 'prompt.md'), TEMPLATE);
  field.git('add', '.');
  field.git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'a template');
  // The person goes on with other things.
  field.git('checkout', '-q', '-b', 'mine');
  writeFileSync(join(field.project, 'readme.txt'), 'changed by a person\n');
  const head = field.git('rev-parse', '--short', 'HEAD');

  expect((await field.run()).status).toBe(0);

  const branch = field.branch().replace('refs/heads/', '');
  const [first, second, third] = field.prompts().map(({ prompt }) => prompt);
  expect(field.prompts().map(({ task }) => task)).toEqual(['a', 'a', 'b', 'b']);
  expect(repoOf(first ?? '')).toContain(`branch: ${branch}`);
  expect(repoOf(first ?? '')).toContain(head);
  expect(first).toContain('Changed:\n- none\n');
  expect(first).toMatch(/^env: \{ box: (?:bubblewrap|none), network: "on" \}\nmode: propose$/m);
  expect(repoOf(second ?? '')).toBe(repoOf(first ?? ''));
  expect(second).toContain('Changed:\n- done-a.txt +1 -0\n');
  // The commit of the first task is where the second begins.
  expect(repoOf(third ?? '')).toContain(field.git('rev-parse', '--short', `${branch}~1`));
  expect(third).toContain('Changed:\n- none\n');
  expect(field.prompts().some(({ prompt }) => prompt.includes('mine'))).toBe(false);
});

test('an agent that forged its git directory does not change what the next one reads', async () => {
  const forge = 'printf "ref: refs/heads/forged" > .git/HEAD; printf "[core]\\n\\tabbrev = 40\\n" >> .git/config';
  const task = { ...fileTask('a'), instructions: `do: ${JSON.stringify([['shell', forge]])}` };
  field = makeField({ agents: { first: ['follows'] }, tasks: [{ ...task, retry_policy: { max_retries: 1 } }] });
  await field.run();
  const [first, second] = field.prompts().map(({ prompt }) => repoOf(prompt));
  expect(second).toBe(first);
  expect(second).toContain('foreword/');
});

test('notes are as old as in the project, though a checkout was written just now', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const notes = join(field.project, '.foreword/notes/ready_for_review');
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, 'old.md'), '---\nid: old\ntargets: [src/old.ts]\n---\nlook at it\n');
  const before = Date.now() / 1000 - 3 * 24 * 3600;
  utimesSync(join(notes, 'old.md'), before, before);
  field.git('add', '.');
  field.git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'a note');
  const shown = JSON.parse((await field.command('context', '--format', 'json')).stdout) as { pending: unknown };
  await field.run();
  expect(JSON.stringify(shown.pending)).toContain('3d ago');
  expect(field.prompts()[0]?.prompt).toContain('3d ago');
});

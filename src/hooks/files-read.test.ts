import { expect, test } from 'vitest';
import { afterCall, type FilesRead } from './files-read.ts';
import { callsIn, toolCall } from './tool-calls.ts';

const FILES = ['.context/CONSTITUTION.md', '.context/TASKS.md'];
const BOTH = FILES.map((path) => ({ path, isBeforeOther: true }));
const NOTHING: FilesRead = { read: [], otherCalls: 0 };
const after = (command: string, name = 'Bash') => afterCall(NOTHING, toolCall(name, { command }), FILES);

test.each([
  'cat .context/*.md',
  'cat ./.context/*',
  'cat "$PWD"/.context/*.md',
  'cat /home/me/shop/.context/*.md',
  'cat .context/{CONSTITUTION,TASKS}.md',
  'head -n 50 .context/[CT]*.md',
  'cd .context && cat *.md',
  'cd .context; cat CONSTITUTION.md TASKS.md',
  'for f in .context/*.md; do cat "$f"; done',
  "find .context -name '*.md' -exec cat {} +",
  'ls .context/*.md | xargs cat',
  'ls -la .context && sed -n 1,200p .context/CONSTITUTION.md .context/TASKS.md',
  'git show HEAD:.context/CONSTITUTION.md; cat .context/*S.md .context/*N.md',
])('%s reads both files', (command) => {
  expect(after(command)).toEqual({ read: BOTH, otherCalls: 0 });
});

test('each way in which agents name the folder that a command runs in', () => {
  const read = (input: unknown) => afterCall(NOTHING, toolCall('exec_command', input), FILES).read;
  expect(read(JSON.stringify({ cmd: 'cat *.md', workdir: '/p/.context' }))).toEqual(BOTH);
  expect(read({ command: ['bash', '-lc', 'cat .context/*.md'] })).toEqual(BOTH);
});

test.each([
  'ls .context',
  'ls .context/*.md',
  "find .context -name '*.md'",
  'cd .context && ls',
  'wc -c .context/*.md',
])('%s reads none, and does nothing else either', (command) => {
  expect(after(command)).toEqual(NOTHING);
});

test.each([
  'npm test',
  'ls',
  'echo x > .context/TASKS.md',
  'cat > .context/TASKS.md',
  'cat src/*.md',
  'cat *.md',
  'cat **/*.md',
])('%s is something else', (command) => {
  expect(after(command)).toEqual({ read: [], otherCalls: 1 });
});

test.each([
  ['rg -n health .context', 'rg'],
  ['python3 tools/rules.py .context/', 'python3'],
  ['$READER .context', 'Bash'],
])('%s may have read any of them: said, and not guessed', (command, unclear) => {
  expect(after(command)).toEqual({ read: [], otherCalls: 0, unclear });
});

test('tools that list or search, and the list of the agent itself', () => {
  expect(afterCall(NOTHING, toolCall('glob', { pattern: '.context/*.md' }), FILES)).toEqual(NOTHING);
  expect(afterCall(NOTHING, toolCall('grep', { pattern: 'x', path: '/p/.context' }), FILES).unclear).toBeDefined();
  expect(afterCall(NOTHING, toolCall('TodoWrite', { todos: [{ content: 'x' }] }), FILES)).toEqual(NOTHING);
  expect(afterCall(NOTHING, toolCall('Write', { file_path: FILES[0] }), FILES).otherCalls).toBe(1);
});

test('what a call is for is not what it did', () => {
  const call = toolCall('Bash', { command: 'npm test', description: 'Read .context/TASKS.md' });
  expect(afterCall(NOTHING, call, FILES)).toEqual({ read: [], otherCalls: 1 });
});

test('the first unclear call is kept, and files that are read later are late', () => {
  const calls = ['rg x .context', 'npm test', 'python3 a.py .context', 'cat .context/TASKS.md'];
  const end = calls.reduce((seen, command) => afterCall(seen, toolCall('Bash', { command }), FILES), NOTHING);
  expect(end).toEqual({
    read: [{ path: '.context/TASKS.md', isBeforeOther: false }],
    otherCalls: 1,
    unclear: 'rg',
  });
});

test('hostile input ends, and quickly enough to be tested', () => {
  for (const command of [`cat ${'*'.repeat(10_000)}x`, `cat .context/${'{a,'.repeat(5000)}`, '>'.repeat(50_000)])
    expect(after(command).read).toEqual([]);
  expect(callsIn({ name: 'x', input: null, deep: [[[{ name: 'y', args: 'cat .context/*' }]]] })).toEqual([
    { name: 'y', texts: ['cat .context/*'] },
  ]);
});

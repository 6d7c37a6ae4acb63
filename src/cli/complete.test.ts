import { expect, test } from 'vitest';
import { COMMANDS } from './commands/index.ts';
import { complete } from './complete.ts';

const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
const after = (line: string) => {
  const completion = complete(commands, line.split(' '));
  if (completion.kind !== 'words') return completion.kind === 'ids' ? completion.of : 'files';
  return completion.words.map(([word]) => word);
};

test('the first word is a command', () => {
  expect(after('')).toEqual([...commands.map(({ name }) => name), '--help', '--version']);
  expect(after('sta')).toEqual(after(''));
});

test.each([
  ['accept ', 'TASK'],
  ['accept --json ', 'TASK'],
  ['accept a ', []],
  ['merge ', 'RUN'],
  ['attach ', 'SESSION'],
  ['verify claude ', 'AGENT'],
  ['run ', 'files'],
  ['run --agents ', 'AGENT'],
  ['run --only a tasks.json ', []],
  ['run --base ', ['head', 'working']],
  ['send s1 text --priority ', ['startup', 'normal', 'low']],
  ['report -o ', 'files'],
  ['report -o x ', 'RUN'],
  ['status --cwd ', 'files'],
  ['start claude -- --', []],
  ['nope ', []],
  ['nope --', []],
])('after "%s" comes %j', (line, expected) => {
  expect(after(line)).toEqual(expected);
});

test('a dash asks for the flags of the command and of every command', () => {
  expect(after('load -')).toContain('--json');
  expect(after('run --m')).toEqual(expect.arrayContaining(['--max-cost', '--store']));
});

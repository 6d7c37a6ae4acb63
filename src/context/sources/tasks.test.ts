import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderFault } from '../../kernel/errors.ts';
import type { Observed } from '../../kernel/source.ts';
import { observeTasks, readTaskFile } from './tasks.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-tasks-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

/** The ids found, or the faults. */
function summary(
  observed: Observed<{ readonly tasks: readonly { readonly task_id: string }[]; readonly file: string }>,
): unknown {
  if (observed.kind === 'absent') return 'absent';
  if (observed.kind === 'unavailable') return observed.faults.map(renderFault);
  expect(observed.value.file).toBe(observed.from);
  return `${observed.from}: ${observed.value.tasks.map((task) => task.task_id).join(' ')}`;
}

test('the first place that exists wins, whatever the format', () => {
  expect(summary(observeTasks(root))).toBe('absent');
  const places = [
    'config/tasks.json',
    'config/tasks.edn',
    '.foreword/tasks.edn',
    '.foreword/tasks.json',
    '.foreword/tasks.yml',
    '.foreword/tasks.yaml',
  ];
  for (const [index, place] of places.entries()) {
    write(place, place.endsWith('edn') ? `[{:id "t${index}"}]` : `[{"id": "t${index}"}]`);
    expect(summary(observeTasks(root))).toBe(`${place}: t${index}`);
  }
});

test('a broken file is not passed over for the next one', () => {
  write('.foreword/tasks.yaml', 'tasks: 5');
  write('config/tasks.json', '[{"id": "a"}]');
  expect(summary(observeTasks(root))).toEqual(['.foreword/tasks.yaml:1: tasks: Got 5, expected a list of tasks.']);
});

test('a path from the configuration must exist, and its ending is its format', () => {
  write('work/list.yml', '- id: a');
  write('work/list.txt', '- id: a');
  write('.foreword/tasks.yaml', '- id: b');
  expect(summary(observeTasks(root, { path: 'work/list.yml' }))).toBe('work/list.yml: a');
  expect(summary(observeTasks(root, { path: 'work/gone.yml' }))).toEqual(['work/gone.yml: No such file.']);
  expect(summary(observeTasks(root, { path: 'work/list.txt' }))).toEqual([
    'work/list.txt: The file name has no known ending; expected .yaml, .yml, .json, .edn.',
  ]);
  expect(summary(observeTasks(root, { path: undefined }))).toBe('.foreword/tasks.yaml: b');
});

test('a file named on the command line may lie anywhere', () => {
  write('sub/tasks.json', '{"project": "p", "tasks": [{"id": "a"}]}');
  expect(summary(readTaskFile(join(root, 'sub/tasks.json'), root))).toBe('sub/tasks.json: a');
  expect(summary(readTaskFile('../tasks.json', join(root, 'sub')))).toEqual(['../tasks.json: No such file.']);
  const outside = join(root, 'sub/tasks.json');
  expect(summary(readTaskFile(outside, join(root, 'other')))).toBe(`${outside}: a`);
});

test.each<[string, (path: string) => void, string]>([
  ['a directory', (path) => mkdirSync(path), 'Is a directory, expected a file.'],
  [
    'over 5 MiB',
    (path) => writeFileSync(path, Buffer.alloc(5 * 1024 * 1024 + 1, ' ')),
    'Is 5.0 MiB, expected at most 5 MiB.',
  ],
  [
    'no UTF-8',
    (path) => writeFileSync(path, Buffer.from('- id: a\n- id: \xe9\n', 'latin1')),
    'Is not UTF-8 text; save the file as UTF-8.',
  ],
  ['a loop of links', (path) => symlinkSync(path, path), 'Cannot be read: ELOOP.'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'Is a device, pipe or socket, expected a file.'],
  [
    'a link out of the project',
    (path) => symlinkSync('/etc/hostname', path),
    'Is a link to a place outside of the project, expected a file in it.',
  ],
])('%s is a fault that says so', (_name, make, message) => {
  mkdirSync(join(root, '.foreword'));
  make(join(root, '.foreword/tasks.yaml'));
  const observed = observeTasks(root);
  expect(observed).toMatchObject({ kind: 'unavailable', from: '.foreword/tasks.yaml', faults: [{ message }] });
});

test('a BOM, CRLF and a link to a file elsewhere are no faults', () => {
  write('elsewhere.yaml', '\uFEFF- id: a\r\n- id: b\r\n');
  mkdirSync(join(root, '.foreword'));
  symlinkSync(join(root, 'elsewhere.yaml'), join(root, '.foreword/tasks.yaml'));
  expect(summary(observeTasks(root))).toBe('.foreword/tasks.yaml: a b');
});

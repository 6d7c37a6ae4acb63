// Each rule of the house is broken once, in a copy, and must be caught by name: a guard nobody has seen fail is none.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const copy = temporaryFolder('house');

/** File → its content. Every dependency rule is broken by one of these. */
const IMPORTS: Readonly<Record<string, string>> = {
  'src/core/breach-a.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
  'src/formats/breach-b.ts': "import { statSync } from 'node:fs';\nexport const b = statSync;\n",
  'src/sources/breach-c.ts': "import { memoryStores } from '../stores/memory.ts';\nexport const c = memoryStores;\n",
  'src/formats/breach-c2.ts': "export { observeNotes } from '../sources/notes.ts';\n",
  'src/stores/breach-c3.ts': "import type { Sources } from '../composer/sources.ts';\nexport type C = Sources;\n",
  'src/main.ts': "import { memoryStores } from './stores/memory.ts';\nmemoryStores();\n",
  'src/git/breach-c5.ts': "import left from 'left-pad';\nexport const c = left;\n",
  'src/git/breach-d.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const d = observeNotes;\n",
  'src/commands/breach-e.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const e = observeNotes;\n",
  'src/composer/breach-f.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const f = observeNotes;\n",
  'src/files/breach-g.ts': "import * as face from '../index.ts';\nexport const g = face;\n",
  'src/files/breach-h.ts': "import Database from 'libsql';\nexport const h = Database;\n",
  'src/files/breach-i.ts': "import { Redis } from 'ioredis';\nexport const i = Redis;\n",
  'src/files/breach-j.ts': "import { string } from 'valibot';\nexport const j = string;\n",
  'src/files/breach-k.ts': "import { load } from 'js-yaml';\nexport const k = load;\n",
  'src/files/breach-l.ts': "import fc from 'fast-check';\nexport const l = fc;\n",
  'src/workplaces/breach-l2.ts':
    "import { runProcess } from '../processes/run-process.ts';\nexport const l = runProcess;\n",
  'src/sessions/breach-p.ts': "import { openPty } from '../terminals/pty.ts';\nexport const p = openPty;\n",
  'src/model/breach-q.ts': "import { replaceFile } from '../files/atomic.ts';\nexport const q = replaceFile;\n",
  'src/terminals/breach-r.ts': "import { replaceFile } from '../files/atomic.ts';\nexport const r = replaceFile;\n",
  'src/transcripts/breach-s.ts':
    "import { observeNotes } from '../sources/notes.ts';\nexport const s = observeNotes;\n",
  'src/verify/breach-v.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const v = observeNotes;\n",
  'src/lab/breach-t.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const t = observeNotes;\n",
  'src/install/breach-u.ts': "import { observeNotes } from '../sources/notes.ts';\nexport const u = observeNotes;\n",
  'src/hooks/breach-v.ts': "import { memoryStores } from '../stores/memory.ts';\nexport const v = memoryStores;\n",
  'src/dashboard/breach-d.ts': "import { memoryStores } from '../stores/memory.ts';\nexport const d = memoryStores;\n",
  'src/dashboard/page/breach-p.ts': "import { readFileSync } from 'node:fs';\nexport const p = readFileSync;\n",
  'src/files/breach-w.ts': "import { spawn } from '@lydell/node-pty';\nexport const w = spawn;\n",
  'src/files/breach-x.ts': "import { Terminal } from '@xterm/headless';\nexport const x = Terminal;\n",
  'src/files/breach-y.ts': "import { parse } from 'jsonc-parser';\nexport const y = parse;\n",
  'src/files/breach-z.ts': "import { parse } from 'smol-toml';\nexport const z = parse;\n",
  'src/core/breach-m.ts': "import { n } from './breach-n.ts';\nexport const m = () => n;\n",
  'src/core/breach-n.ts': "import { m } from './breach-m.ts';\nexport const n = () => m;\n",
  'src/core/breach-o.ts': "import { x } from './nowhere.ts';\nexport const o = x;\n",
};

const LINT: Readonly<Record<string, string>> = {
  'src/core/breach-clock.ts': 'export const now = () => Date.now();\n',
  'src/files/breach-env.ts': 'export const home = process.env.HOME;\n',
  'src/files/breach-console.ts': "export const say = () => console.log('x');\n",
  'src/files/breach-default.ts': 'export default 1;\n',
  'src/files/BreachName.ts': 'export const x = 1;\n',
  'src/files/breach-any.ts': 'export const x: any = 1;\n',
  'src/files/breach-long.ts': `${Array.from({ length: 401 }, (_, index) => `export const x${index} = ${index};`).join('\n')}\n`,
};

const TYPED: Readonly<Record<string, string>> = {
  'src/files/breach-floating.ts':
    "import { readFile } from 'node:fs/promises';\nexport const go = () => {\n  readFile('x');\n};\n",
  'src/files/breach-misused.ts':
    "import { access } from 'node:fs/promises';\nexport const is = () => (access('x') ? 1 : 2);\n",
  'src/files/breach-switch.ts':
    "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      return;\n  }\n}\n",
  'src/files/breach-await.ts': 'export const f = async () => {\n  await 1;\n};\n',
};

const TEXT: Readonly<Record<string, string>> = {
  'src/files/breach-shell.ts': 'export const options = { shell: true };\n',
  'src/files/breach-pattern.ts': 'export const make = (text: string) => new RegExp(text);\n',
  'src/files/breach-chunk.ts': 'export const text = (chunk: Buffer) => chunk.toString();\n',
  'src/stores/breach-write.ts':
    "import { writeFileSync } from 'node:fs';\nexport const w = () => writeFileSync('a', 'b');\n",
  'src/files/breach-replace.ts': "export const swap = (a: string, body: string) => a.replace('x', body + '');\n",
  'src/files/breach-name.ts': 'export class TaskManager {}\n',
};

beforeAll(() => {
  for (const name of [
    'src',
    'scripts',
    'biome.json',
    '.oxlintrc.json',
    'tsconfig.json',
    'package.json',
    '.gitignore',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  spawnSync('git', ['init', '-q', copy]);
});

afterAll(() => rmSync(copy, { recursive: true }));

test('the copy itself passes the dependency rules and the house rules', () => {
  expect(dependencies()).toEqual({
    status: 0,
    text: expect.stringMatching(/^\d\d+ files, \d\d\d+ imports, 0 breaches\n$/),
  });
  expect(rules().status).toBe(0);
});

test('every dependency rule is caught by its name', () => {
  const output = planted(IMPORTS, dependencies);
  expect(output.status).not.toBe(0);
  const names = [
    'core-is-pure',
    'formats-are-pure',
    'formats-know-core',
    'sources-know-no-store',
    'stores-know-core',
    'only-wire-joins',
    'no-unlisted-package',
    'rooms-know-no-catalog',
    'workplaces-know-files-and-git',
    'commands-are-thin',
    'composer-knows-only-core',
    'nobody-imports-the-face',
    'sessions-know-ports',
    'model-knows-core',
    'terminals-know-processes',
    'transcripts-know-files',
    'lab-knows-files',
    'verify-knows-the-lab',
    'install-knows-formats',
    'hooks-are-light',
    'dashboard-reads-core',
    'page-is-for-browsers',
    'node-pty-at-home',
    'xterm-at-home',
    'jsonc-parser-at-home',
    'smol-toml-at-home',
    'libsql-at-home',
    'ioredis-at-home',
    'valibot-at-home',
    'js-yaml-at-home',
    'no-test-code-in-product',
    'no-cycles',
    'nothing-unresolved',
  ];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

test('every lint rule is caught by its name', () => {
  const output = planted(LINT, () => run('biome', ['ci', '--max-diagnostics=200', 'src']));
  const names = [
    'noRestrictedGlobals',
    'noProcessEnv',
    'noConsole',
    'noDefaultExport',
    'useFilenamingConvention',
    'noExplicitAny',
    'noExcessiveLinesPerFile',
  ];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

test('every rule about promises and switches is caught by its name', () => {
  const output = planted(TYPED, () => run('oxlint', ['--type-aware', 'src']));
  const names = ['no-floating-promises', 'no-misused-promises', 'switch-exhaustiveness-check', 'await-thenable'];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

test('every house rule is caught by its name', () => {
  const output = planted(TEXT, rules);
  const names = [
    'no-shell',
    'no-pattern-from-text',
    'no-chunk-to-string',
    'no-plain-write',
    'no-text-as-replacement',
    'no-vague-name',
  ];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

function planted<T>(files: Readonly<Record<string, string>>, look: () => T): T {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), content);
  }
  try {
    return look();
  } finally {
    for (const path of Object.keys(files)) {
      rmSync(join(copy, path));
      if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
    }
  }
}

function rules() {
  return script('house-rules.mjs');
}

function dependencies() {
  return script('dependency-rules.mjs');
}

function script(name: string) {
  return result(spawnSync(process.execPath, [join(root, 'scripts', name), copy], { encoding: 'utf8' }));
}

function run(tool: string, args: readonly string[]) {
  return result(
    spawnSync(join(copy, 'node_modules/.bin', tool), args, { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 26 }),
  );
}

function result(done: { status: number | null; stdout: string; stderr: string }) {
  return { status: done.status, text: done.stdout + done.stderr };
}

// Each rule of the house is broken once, in a copy, and must be caught by name: a guard nobody has seen fail is none.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const copy = temporaryFolder('house');

/** Rule → files that break it. */
const IMPORTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kernel-is-pure': {
    'src/kernel/breach.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
  },
  'pure-stays-pure': {
    'src/context/handover/breach.ts': "export { observeNotes } from '../sources/notes.ts';\n",
  },
  'agents-are-data': {
    'src/agents/pi/breach.ts': "export { replaceFile } from '../../system/files/atomic.ts';\n",
    'src/agents/amp/breach.ts': "export { agent } from '../pi/index.ts';\n",
  },
  'features-meet-in-the-pure': {
    'src/runs/breach.ts': "export { memoryStores } from '../stores/memory.ts';\n",
    'src/hooks/breach.ts': "export { observeNotes } from '../context/sources/notes.ts';\n",
  },
  'adapters-implement': {
    'src/stores/breach.ts': "import type { BreakerRules } from '../runs/breaker.ts';\nexport type B = BreakerRules;\n",
  },
  'commands-are-thin': {
    'src/cli/commands/breach.ts': "export { memoryStores } from '../../stores/memory.ts';\n",
  },
  'formats-are-pure': {
    'src/system/formats/breach.ts': "import { statSync } from 'node:fs';\nexport const b = statSync;\n",
  },
  'page-is-for-browsers': {
    'src/dashboard/page/breach.ts': "import { readFileSync } from 'node:fs';\nexport const p = readFileSync;\n",
  },
  'one-home-per-package': {
    'src/system/files/breach.ts': "import Database from 'libsql';\nexport const h = Database;\n",
  },
  'nobody-imports-the-face': {
    'src/app/breach.ts': "import * as face from '../index.ts';\nexport const g = face;\n",
  },
  'no-test-code-in-product': {
    'src/runs/breach.ts': "import fc from 'fast-check';\nexport const l = fc;\n",
  },
  'nothing-unresolved': {
    'src/runs/breach.ts': "import { x } from './nowhere.ts';\nexport const o = x;\n",
  },
  'no-unlisted-package': {
    'src/runs/breach.ts': "import left from 'left-pad';\nexport const c = left;\n",
  },
  'no-cycles': {
    'src/runs/breach-a.ts': "import { n } from './breach-b.ts';\nexport const m = () => n;\n",
    'src/runs/breach-b.ts': "import { m } from './breach-a.ts';\nexport const n = () => m;\n",
  },
  'kernel-is-shared': {
    'src/kernel/breach.ts': 'export const one = 1;\n',
    'src/runs/breach.ts': "export { one } from '../kernel/breach.ts';\n",
  },
  'rooms-are-known': {
    'src/drawer/breach.ts': 'export const d = 1;\n',
  },
};

const LINT: Readonly<Record<string, string>> = {
  'src/system/files/breach-env.ts': 'export const home = process.env.HOME;\n',
  'src/system/files/breach-console.ts': "export const say = () => console.log('x');\n",
  'src/system/files/breach-default.ts': 'export default 1;\n',
  'src/system/files/BreachName.ts': 'export const x = 1;\n',
  'src/system/files/breach-any.ts': 'export const x: any = 1;\n',
  'src/system/files/breach-long.ts': `${Array.from({ length: 401 }, (_, index) => `export const x${index} = ${index};`).join('\n')}\n`,
};

const TYPED: Readonly<Record<string, string>> = {
  'src/app/breach-branch.ts': 'export const pick = (a: boolean) => (a ? 1 : 2);\n',
  'src/system/files/breach-floating.ts':
    "import { readFile } from 'node:fs/promises';\nexport const go = () => {\n  readFile('x');\n};\n",
  'src/system/files/breach-misused.ts':
    "import { access } from 'node:fs/promises';\nexport const is = () => (access('x') ? 1 : 2);\n",
  'src/system/files/breach-switch.ts':
    "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      return;\n  }\n}\n",
  'src/system/files/breach-await.ts': 'export const f = async () => {\n  await 1;\n};\n',
};

const TEXT: Readonly<Record<string, string>> = {
  'src/app/breach-timer.ts': 'export const later = (work: () => void) => setTimeout(work, 1);\n',
  'src/app/breach-long.ts': `${Array.from({ length: 81 }, (_, index) => `export const x${index} = ${index};`).join('\n')}\n`,
  'src/kernel/breach-clock.ts': 'export const now = () => Date.now();\n',
  'src/kernel/breach-type-a.ts': 'export type Breach = 1;\n',
  'src/kernel/breach-type-b.ts': 'export type Breach = 2;\n',
  'src/system/files/breach-shell.ts': 'export const options = { shell: true };\n',
  'src/system/files/breach-pattern.ts': 'export const make = (text: string) => new RegExp(text);\n',
  'src/system/files/breach-chunk.ts': 'export const text = (chunk: Buffer) => chunk.toString();\n',
  'src/stores/breach-write.ts':
    "import { writeFileSync } from 'node:fs';\nexport const w = () => writeFileSync('a', 'b');\n",
  'src/system/files/breach-replace.ts': "export const swap = (a: string, body: string) => a.replace('x', body + '');\n",
  'src/system/files/breach-wait.ts': 'export const clock = { wait: (ms: number) => ms };\n',
  'src/system/files/breach-name.ts': 'export class TaskManager {}\n',
  'src/runs/breach-state.ts':
    "import { join } from 'node:path';\nexport const runs = (root: string) => join(root, '.foreword', 'runs');\n",
  'src/runs/breach-agent.ts': "export const isOdd = (name: string) => name === 'codex';\n",
  'src/runs/breach-agent-word.ts': "export const isOdd = (name: string) => name === 'cursor';\n",
  'src/runs/breach-agent-part.ts': 'export const claudeFolder = 1;\n',
  'src/runs/breach-agent-comment.ts': '// Gemini needs more time.\nexport const ms = 1;\n',
  'src/runs/breach-platform.ts': "export const isMac = process.platform === 'darwin';\n",
  'src/system/processes/breach-proc.ts': "export const stat = '/proc/self/stat';\n",
  'src/cli/breach-words.ts': "export const hint = 'Mend this file.';\n",
  'src/kernel/breach-words.ts': '/** The journal is told. */\nexport const one = 1;\n',
  'src/reports/breach-words.ts': '/** Answers the exit code. */\nexport const two = 2;\n',
  'src/verify/breach-words.ts': '/** The model speaks. */\nexport const three = 3;\n',
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

test.each(Object.entries(IMPORTS))('the dependency rule %s is caught by its name', (name, files) => {
  const output = planted(files, dependencies);
  expect(output.status).not.toBe(0);
  expect(output.text).toContain(`${name}: `);
});

test('every dependency rule is broken here once', () => {
  const text = readFileSync(join(root, 'scripts/dependency-rules.mjs'), 'utf8');
  const names = new Set([...text.matchAll(/^ {2}'([a-z-]+)':|`([a-z-]+): /gm)].map(([, rule, other]) => rule ?? other));
  expect([...names].sort()).toEqual(Object.keys(IMPORTS).sort());
});

test('every dependency rule is on the architecture page', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  expect(Object.keys(IMPORTS).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test('every lint rule is caught by its name', () => {
  const output = planted(LINT, () => run('biome', ['ci', '--max-diagnostics=200', 'src']));
  const names = [
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
  const names = [
    'no-floating-promises',
    'no-misused-promises',
    'switch-exhaustiveness-check',
    'await-thenable',
    'eslint(complexity)',
  ];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

test('every house rule is caught by its name', () => {
  const output = planted(TEXT, rules);
  const names = [
    'pure-knows-no-clock',
    'src/app/breach-timer.ts:1: app-only-joins',
    'app-only-joins: src/app/breach-long.ts has 81 lines',
    'names-are-unique: Breach is a type in src/kernel/breach-type-a.ts and in src/kernel/breach-type-b.ts',
    'no-shell',
    'no-pattern-from-text',
    'no-chunk-to-string',
    'no-plain-write',
    'no-text-as-replacement',
    'one-clock',
    'no-vague-name',
    'state-has-one-place',
    'src/runs/breach-agent.ts:1: no-agent-name-outside',
    'src/runs/breach-agent-word.ts:1: no-agent-name-outside',
    'src/runs/breach-agent-part.ts:1: no-agent-name-outside',
    'src/runs/breach-agent-comment.ts:1: no-agent-name-outside',
    'src/runs/breach-platform.ts:1: platform-in-system',
    'src/system/processes/breach-proc.ts:1: platform-in-system',
    'src/cli/breach-words.ts:1: plain-words',
    'src/kernel/breach-words.ts:1: plain-words',
    'src/reports/breach-words.ts:1: plain-words',
    'src/verify/breach-words.ts:1: plain-words',
  ];
  expect(names.filter((name) => !output.text.includes(name))).toEqual([]);
});

test('a comment may name an agent with the version in which something was seen, and so may a command line', () => {
  const files = {
    'src/runs/seen.ts': '// Codex 0.166 ends it after 3 s.\nexport const ms = 1;\n',
    'src/cli/commands/seen.ts': "export const example = 'foreword start codex';\n",
  };
  expect(planted(files, rules)).toMatchObject({ status: 0 });
});

test('a text may name what an agent is told, an event by its kind, and code may use any name', () => {
  const files = {
    'src/kernel/fine.ts': "/** What the agent is told. */\nexport const told = 'gate-spoken';\n",
    'src/context/texts/fine.ts': "export const text = 'Tell the user.';\n",
  };
  expect(planted(files, rules)).toMatchObject({ status: 0 });
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

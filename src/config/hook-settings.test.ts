import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { fits, HOOK_SECTIONS, readHookSettings } from './hook-settings.ts';
import { readConfig, settings, variableOf } from './load.ts';
import { faultsIn } from './schemas/check.ts';
import { schemaOf } from './schemas/setting.ts';
import type { Setting } from './setting.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('hook-settings');
  mkdirSync(join(root, '.foreword'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NAMES = ['gate.mode', 'gate.files', 'gate.mustRead', 'gate.budgetChars', 'prompt.maxChars', 'redact.variables'];

test('a hook has the same defaults as everybody else', async () => {
  const { gate, prompt, continuity, redact } = readConfig({ root, env: {} }).config;
  expect(await readHookSettings(root, {})).toEqual({
    ...gate,
    promptChars: prompt.maxChars,
    keepsWork: continuity.auto,
    secretVariables: redact.variables,
    faults: [],
  });
});

test('a hook reads the same settings, from the file and from variables', async () => {
  const text =
    'gate: { mode: directive, files: [a.md, b.md], mustRead: [b.md], budgetChars: 900 }\nprompt: { maxChars: 0 }\nredact: { variables: [MINE] }\n';
  writeFileSync(join(root, '.foreword/config.yaml'), text);
  const { gate, prompt, continuity, redact } = readConfig({ root, env: {} }).config;
  const expected = {
    ...gate,
    promptChars: prompt.maxChars,
    keepsWork: continuity.auto,
    secretVariables: redact.variables,
    faults: [],
  };
  expect(await readHookSettings(root, {})).toEqual(expected);
  const env = {
    FOREWORD_GATE_MODE: 'inline',
    FOREWORD_GATE_FILES: 'c.md, d.md',
    FOREWORD_GATE_MUST_READ: 'd.md',
    FOREWORD_GATE_BUDGET_CHARS: '1000',
    FOREWORD_PROMPT_MAX_CHARS: '500',
    FOREWORD_REDACT_VARIABLES: 'OTHER',
  };
  const stronger = readConfig({ root, env }).config;
  expect(await readHookSettings(root, env)).toEqual({
    ...stronger.gate,
    promptChars: stronger.prompt.maxChars,
    keepsWork: stronger.continuity.auto,
    secretVariables: stronger.redact.variables,
    faults: [],
  });
  const known = new Set<string>(settings().map(([name]) => name));
  for (const name of NAMES) {
    expect(known).toContain(name);
    expect(Object.keys(env)).toContain(variableOf(name));
  }
});

test('a person who names other files sees the must-read ones that hooks use', async () => {
  for (const [files, mustRead] of [
    ['a.md, b.md', ['a.md', 'b.md']],
    ['a.md, .context/CONSTITUTION.md', ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md']],
  ] as const) {
    const env = { FOREWORD_GATE_FILES: files };
    expect((await readHookSettings(root, env)).mustRead).toEqual(mustRead);
    const { config, origins } = readConfig({ root, env });
    expect(config.gate.mustRead).toEqual(mustRead);
    expect(origins['gate.mustRead']).toEqual({ value: mustRead, from: 'default' });
  }
});

test('hooks accept exactly what commands accept', () => {
  const value = fc.oneof(
    fc.anything({ maxDepth: 1 }),
    fc.constantFrom(
      'inline',
      'off',
      'Off',
      '',
      ' ',
      'a\nb',
      'a'.repeat(200),
      'a'.repeat(201),
      499,
      500,
      7900,
      7901,
      0,
      1.5,
    ),
    fc.array(fc.constantFrom<unknown>('a.md', '', ' ', 'a\nb', 7, null, 'a'.repeat(201))),
  );
  const hookSettings = Object.values(HOOK_SECTIONS).flatMap((section) => Object.values<Setting<unknown>>(section));
  const document = { where: '', lineOf: () => undefined, keyLineOf: () => undefined };
  for (const setting of hookSettings) {
    fc.assert(
      fc.property(value, (given) => {
        const faults = faultsIn(schemaOf(setting), { ...document, value: given });
        expect(fits(setting.rule, given)).toBe(faults.length === 0);
      }),
    );
  }
});

test('a wrong value is left out and named, and the next one counts', async () => {
  writeFileSync(join(root, '.foreword/config.yaml'), 'gate: { mode: directive, budgetChars: 5 }\n');
  const env = { FOREWORD_GATE_MODE: 'loud' };
  const { mode, budgetChars, faults } = await readHookSettings(root, env);
  expect([mode, budgetChars, faults]).toEqual([
    'directive',
    7500,
    ['gate.mode is not inline, directive, off; it is ignored', 'gate.budgetChars is not 500 to 7900; it is ignored'],
  ]);
});

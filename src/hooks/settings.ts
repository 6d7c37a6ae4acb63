// The settings a hook needs, read without the machinery that checks a configuration for people: a hook never stops at a
// wrong setting, it takes the default and says so in the log. settings.ts at the top has them for everybody else.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../system/files/read-text.ts';
import type { Environment } from './state.ts';

export interface HookSettings {
  readonly mode: 'inline' | 'directive' | 'off';
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly mustRead: readonly string[];
  readonly budgetChars: number;
  /** Of the header at a prompt; 0 for none. */
  readonly promptChars: number;
  /** Further variables whose values are secret. */
  readonly secretVariables: readonly string[];
  /** What was wrong, for the log. */
  readonly faults: readonly string[];
}

const CONTEXT_FILES = ['CONSTITUTION', 'TASKS', 'CONVENTIONS', 'DECISIONS', 'LEARNINGS', 'AGENT_PLAYBOOK'];

export const DEFAULTS: HookSettings = {
  mode: 'inline',
  files: CONTEXT_FILES.map((name) => `.context/${name}.md`),
  mustRead: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
  budgetChars: 7500,
  promptChars: 1024,
  secretVariables: [],
  faults: [],
};

/** As `variableOf` in config.ts makes them. */
const VARIABLES: Readonly<Record<string, string>> = {
  'gate.mode': 'FOREWORD_GATE_MODE',
  'gate.files': 'FOREWORD_GATE_FILES',
  'gate.mustRead': 'FOREWORD_GATE_MUST_READ',
  'gate.budgetChars': 'FOREWORD_GATE_BUDGET_CHARS',
  'prompt.maxChars': 'FOREWORD_PROMPT_MAX_CHARS',
  'redact.variables': 'FOREWORD_REDACT_VARIABLES',
};

const PLACES = ['.foreword/config.yaml', '.foreword/config.yml', '.foreword/config.json'];

/** Never throws. The reader of YAML is loaded only where there is a file. */
export async function readHookSettings(root: string, env: Environment): Promise<HookSettings> {
  const faults: string[] = [];
  const file = await readFile(root, faults);
  const gate = mapIn(file, 'gate');
  const take = <T>(name: string, given: unknown, accept: (value: unknown) => T | undefined, otherwise: T): T => {
    for (const value of [env[VARIABLES[name] ?? ''] || undefined, given ?? undefined]) {
      if (value === undefined) continue;
      const fitting = accept(value);
      if (fitting !== undefined) return fitting;
      faults.push(`${name} is not what it may be; the default is taken`);
    }
    return otherwise;
  };
  const files = take('gate.files', gate.files, textsOf, DEFAULTS.files);
  // Who names files of their own and no must-read ones among them wants to see those.
  const mustRead = DEFAULTS.mustRead.some((name) => files.includes(name)) ? DEFAULTS.mustRead : files;
  return {
    mode: take('gate.mode', gate.mode, modeOf, DEFAULTS.mode),
    files,
    mustRead: take('gate.mustRead', gate.mustRead, textsOf, mustRead),
    budgetChars: take('gate.budgetChars', gate.budgetChars, numberFrom(500, 7900), DEFAULTS.budgetChars),
    promptChars: take('prompt.maxChars', mapIn(file, 'prompt').maxChars, numberFrom(0, 7900), DEFAULTS.promptChars),
    secretVariables: take('redact.variables', mapIn(file, 'redact').variables, textsOf, []),
    faults,
  };
}

async function readFile(root: string, faults: string[]): Promise<unknown> {
  for (const place of PLACES.filter((one) => existsSync(join(root, one)))) {
    const read = readTextFile(join(root, place), root);
    if (read.kind === 'absent') continue;
    if (read.kind === 'text') {
      const { formatOf, readText } = await import('../system/formats/index.ts');
      const parsed = readText(formatOf(place) ?? 'yaml', read.text);
      if (parsed.ok) return parsed.value;
      faults.push(`${place}: ${parsed.message}`);
    } else faults.push(`${place}: ${read.message}`);
    return {};
  }
  return {};
}

type Settings = Readonly<Record<string, unknown>>;

function mapIn(value: unknown, name: string): Settings {
  const inner: unknown =
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Settings)[name] : undefined;
  return typeof inner === 'object' && inner !== null ? (inner as Settings) : {};
}

function modeOf(value: unknown): HookSettings['mode'] | undefined {
  return value === 'inline' || value === 'directive' || value === 'off' ? value : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const list: unknown = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) return undefined;
  return list.filter((item) => item !== '');
}

function numberFrom(least: number, most: number): (value: unknown) => number | undefined {
  return (value) => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined;
  };
}

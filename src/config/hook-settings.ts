// The settings that hooks need, and their reader: it loads no package when there is no file, since an agent waits for every
// hook. A hook never stops at a wrong setting: it uses the default and logs that. load.ts reads these and all others for
// commands, which refuse a wrong one.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../system/environment.ts';
import { readTextFile } from '../system/files/read-text.ts';
import {
  CONFIG_PLACES,
  choice,
  defaultOf,
  names,
  number,
  onOff,
  paths,
  type Setting,
  type SettingRule,
  writtenIn,
} from './setting.ts';

const CONTEXT_FILES = ['CONSTITUTION', 'TASKS', 'CONVENTIONS', 'DECISIONS', 'LEARNINGS', 'AGENT_PLAYBOOK'];
const MUST_READ = ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'];

export const HOOK_SECTIONS = {
  gate: {
    mode: choice(['inline', 'directive', 'off'], {
      defaultValue: 'inline',
      description:
        'What the agent gets with the result of its first tool: the files themselves (inline), or a list of files to read (directive).',
    }),
    files: paths({
      defaultValue: CONTEXT_FILES.map((name) => `.context/${name}.md`),
      description: 'The files that an agent must know before it uses a tool, in this order.',
    }),
    mustRead: paths({
      defaultValue: MUST_READ,
      // A person who lists other files instead of these wants the agent to read those.
      defaultFrom: ({ files }) => {
        const named = files as readonly string[];
        return MUST_READ.some((name) => named.includes(name)) ? MUST_READ : named;
      },
      description:
        'The files of gate.files that are included in full; the others are listed. When gate.files has none of the default files: all of gate.files.',
    }),
    budgetChars: number(
      { min: 500, max: 7900 },
      { defaultValue: 7500, description: 'The most characters of the gate text.' },
    ),
  },
  prompt: {
    maxChars: number(
      { min: 0, max: 7900 },
      {
        defaultValue: 1024,
        description: 'The most characters of the header that a prompt gets when the header changed. 0: no header.',
      },
    ),
  },
  continuity: {
    auto: onOff({
      defaultValue: true,
      description: 'Whether every session leaves a record of its facts (files, commands, prompts) for the next one.',
    }),
  },
  redact: {
    variables: names({
      defaultValue: [],
      description:
        'More environment variables with secret values, besides those whose names say so (KEY, TOKEN, PASSWORD and the like).',
    }),
  },
} as const;

export interface HookSettings {
  readonly mode: 'inline' | 'directive' | 'off';
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly mustRead: readonly string[];
  readonly budgetChars: number;
  /** Of the header at a prompt; 0 means no header. */
  readonly promptChars: number;
  /** Whether sessions leave a record of what they did. */
  readonly keepsWork: boolean;
  /** More environment variables with secret values. */
  readonly secretVariables: readonly string[];
  /** What was wrong, for the log. */
  readonly faults: readonly string[];
}

/** Never throws. */
export async function readHookSettings(root: string, env: Environment): Promise<HookSettings> {
  const faults: string[] = [];
  const file = await readFile(root, faults);
  // An agent waits: the names of the variables are made only where one of them can be set.
  const variables = Object.keys(env).some((name) => name.startsWith('FOREWORD_')) ? env : undefined;
  const section = <K extends keyof typeof HOOK_SECTIONS>(name: K) =>
    readSection(name, { file, env: variables, faults });
  const gate = section('gate');
  return {
    mode: gate.mode as HookSettings['mode'],
    files: gate.files as readonly string[],
    mustRead: gate.mustRead as readonly string[],
    budgetChars: gate.budgetChars as number,
    promptChars: section('prompt').maxChars as number,
    keepsWork: section('continuity').auto as boolean,
    secretVariables: section('redact').variables as readonly string[],
    faults,
  };
}

function readSection(
  section: keyof typeof HOOK_SECTIONS,
  from: { readonly file: unknown; readonly env: Environment | undefined; readonly faults: string[] },
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const written = mapIn(from.file, section);
  for (const [key, setting] of Object.entries<Setting<unknown>>(HOOK_SECTIONS[section])) {
    const name = `${section}.${key}`;
    const given = [from.env && writtenIn(from.env, name, setting)?.value, written[key]].filter(
      (one) => (one ?? null) !== null,
    );
    const right = given.find((value) => {
      const isRight = fits(setting.rule, value);
      if (!isRight) from.faults.push(`${name} is not ${setting.allowed}; it is ignored`);
      return isRight;
    });
    values[key] = right ?? defaultOf(setting, values);
  }
  return values;
}

/** Checks a value by the same rules as schemas/setting.ts, for the kinds of settings that hooks have. @internal */
export function fits(rule: SettingRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'whole':
      return Number.isInteger(value) && (value as number) >= rule.min && (value as number) <= rule.max;
    case 'flag':
      return typeof value === 'boolean';
    case 'choice':
      return rule.options.includes(value as string);
    case 'line':
      return isText(value) && value.length <= rule.maxChars && !/[\r\n\u2028\u2029]/.test(value);
    case 'path':
      return isText(value);
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(rule.item, item));
    default:
      return false;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The reader of YAML is loaded only where there is a file. */
async function readFile(root: string, faults: string[]): Promise<unknown> {
  for (const place of CONFIG_PLACES.filter((one) => existsSync(join(root, one)))) {
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

type MapValue = Readonly<Record<string, unknown>>;

function mapIn(value: unknown, name: string): MapValue {
  const inner: unknown =
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as MapValue)[name] : undefined;
  return typeof inner === 'object' && inner !== null ? (inner as MapValue) : {};
}

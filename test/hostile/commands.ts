// Command lines for every command of the program. The list of commands is the program's own: a new one is tried with what its
// own description says about its arguments and flags.

import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { IS_LONG } from '../scale.ts';
import type { Outside } from './outside.ts';
import { SHIPPED_SESSION } from './traps/state.ts';

export interface Line {
  /** The command by default; `hook` is the script that agents run. */
  readonly program?: 'hook';
  readonly args: readonly string[];
  readonly input?: string;
  /** Has a server that is asked and then ended by Ctrl-C. */
  readonly isServer?: true;
  /** The person's own work, which no trap may keep from being done. */
  readonly mustSucceed?: true;
}

/** A value for each placeholder of an argument or a flag. */
const VALUES: Readonly<Record<string, string>> = {
  TASK: 'api_health',
  ID: 'api_health',
  SESSION: SHIPPED_SESSION,
  AGENT: 'no-such-agent',
  NAME: 'claude',
  NAMES: 'claude',
  FILE: '.foreword/history.jsonl',
  TASKS: '.foreword/tasks.yaml',
  EVENT: 'pre-tool',
  N: '1',
  DIR: '.',
  PATH: 'to-key.md',
  TEXT: 'words',
  WORDS: 'cart',
  ROLE: 'reviewer',
  MODE: 'review',
  FORMAT: 'md',
  PROOF: 'served',
  SCOPE: 'project',
  WHO: 'agent',
  URL: '.foreword/foreword.db',
};

/** Where the placeholder does not say enough. */
const FLAG_VALUES: Readonly<Record<string, string>> = { port: '0' };

/** With these a person asks for a change of the own home. */
const AGREES = ['init --yes', 'uninstall --yes'];

const payload = (outside: Outside, more: object = {}): string =>
  JSON.stringify({
    session_id: '../../victim',
    transcript_path: `${outside.home}/thesis.txt`,
    cwd: outside.repository,
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: `${outside.home}/.ssh/id_ed25519`, command: '$(touch canary)' },
    prompt: 'cart total \u001b[31m',
    ...more,
  });

const EVENTS = ['session-start', 'pre-tool', 'prompt', 'post-tool', 'stop', 'pre-compact', 'session-end', '../../x'];

/** What people type, where the description alone would not lead far. */
function typical(name: string, outside: Outside): readonly Line[] | undefined {
  const mine = ['--config', `${outside.own}/config.json`];
  const lines = (...all: readonly (readonly string[])[]) => all.map((args) => ({ args: [name, ...args] }));
  const known: Readonly<Record<string, readonly Line[]>> = {
    context: lines([], ['--json', '--task', '../../victim'], ['--explain'], ['--format', 'md', '--cwd', 'part']),
    prompt: lines(
      ['api_health'],
      ['../../victim', '--json'],
      ['-rf'],
      ['api_health', '--template', 'templates/unknown.md'],
    ),
    run: [
      { args: ['run', `${outside.own}/tasks.json`, ...mine], mustSucceed: true },
      ...lines(
        [`${outside.own}/tasks.json`, ...mine, '--concurrency', '2', '--again'],
        ['.foreword/tasks.yaml', '--dry-run'],
        ['.foreword/tasks.yaml'],
      ),
    ],
    // The person's own git merge, with hooks and filters as always: what it merges is another test.
    merge: lines(['no-such-run'], ['../../victim', '--squash']),
    completion: lines(['bash'], ['--complete', '--', 'accept', ''], ['--complete', '--', 'attach', '']),
    dashboard: [{ args: ['dashboard', '--json'], isServer: true }],
    doctor: lines([], ['--settings', '--json']),
    verify: lines(['claude'], ['--json']),
    trust: lines([], ['--yes'], ['--json']),
    start: lines(['claude'], ['claude', '--detach', '--json'], ['evil', '--detach'], ['no-such-agent', '--', '-rf']),
    send: lines([SHIPPED_SESSION, 'words'], ['../../victim', 'words']),
    sessions: lines(
      [],
      ['--all', '--json'],
      ['--stop', SHIPPED_SESSION],
      ['--forget', SHIPPED_SESSION],
      ['--stop', '..'],
    ),
    receipts: lines([], ['--json'], ['--compliance'], ['--redeliver', 'fw_shipped', '--to', SHIPPED_SESSION]),
    attach: lines([], [SHIPPED_SESSION], ['../../victim']),
    init: lines(['--dry-run'], ['--yes', '--scope', 'project', '--agents', 'claude,codex,gemini', '--context-files']),
    uninstall: lines(['--dry-run'], ['--yes', '--scope', 'project']),
    hook: EVENTS.flatMap((event) =>
      [payload(outside), payload(outside, { session_id: `ses-${event}`, cwd: '/nowhere' })].flatMap((input) => [
        { args: ['hook', event, '--agent', 'claude'], input },
        { program: 'hook', args: [event, 'claude'], input },
      ]),
    ),
    clean: lines([], ['--expired', '--json']),
    save: [
      ...lines(['words', '--file', 'to-key.md', '--task', '../../victim'], ['--by', 'agent', '\u001b[31m']),
      { args: ['save'], input: '{"summary":"x","nextSteps":["\u001b[2J"]}' },
    ],
    load: lines([], ['--anyway', '--json'], ['--explain']),
    search: lines(['cart', 'total'], ['PRIVATE', '--stats', '--json']),
    export: lines([]),
    import: lines(['.foreword/history.jsonl'], ['to-key.md'], ['pipe'], ['huge.ts']),
  };
  return known[name];
}

/** From a command's own description: without a flag, with each flag in turn, and in JSON. */
function described(command: Command): readonly Line[] {
  const args = command.args.flatMap((arg) => (arg.startsWith('[') ? [] : [VALUES[arg.replace('...', '')] ?? 'words']));
  const flags = Object.entries(command.flags).filter(([flag]) => !AGREES.includes(`${command.name} --${flag}`));
  const withFlags = flags.map(([flag, { value, choices }]) => [
    ...args,
    `--${flag}`,
    ...(value === undefined ? [] : [FLAG_VALUES[flag] ?? choices?.[0] ?? VALUES[value] ?? 'words']),
  ]);
  const isServer = command.name === 'dashboard' ? ({ isServer: true } as const) : {};
  return [args, [...args, '--json'], ...withFlags].map((words) => ({ args: [command.name, ...words], ...isServer }));
}

/** Every command, with all that people type. */
export async function allLines(outside: Outside): Promise<readonly Line[]> {
  const all = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => {
      const lines = typical(name, outside) ?? described(await load());
      return IS_LONG ? [...lines, ...described(await load())] : lines;
    }),
  );
  return all.flat();
}

/** Lines that read or write most of what a project has. All of them in the long run. */
export async function someLines(outside: Outside): Promise<readonly Line[]> {
  const lines = IS_LONG ? await allLines(outside) : SOME.flatMap(([name, ...at]) => pick(typical(name, outside), at));
  return lines.map(({ mustSucceed: _, ...line }) => line);
}

function pick(lines: readonly Line[] | undefined, at: readonly number[]): readonly Line[] {
  return at.flatMap((index) => lines?.[index] ?? []);
}

/** A command and which of its lines. */
const SOME: readonly (readonly [string, ...number[]])[] = [
  ['context', 0],
  ['run', 0, 1],
  ['sessions', 0],
  ['init', 1],
  ['clean', 0],
  ['save', 0],
  ['load', 0],
  ['search', 0],
  // By the command at a session's start, by the script at a session's start and before a tool.
  ['hook', 2, 3, 7],
];

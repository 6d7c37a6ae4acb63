// Agents that run commands at hooks, from a file that others use too. Their differences as data: where the file is, what
// they call an event, how an entry looks, in which unit a timeout is. Versions in which this was seen: Claude Code 2.1.325,
// Codex 0.166, Gemini 0.61, Copilot 1.0.102, Qwen 0.24.4, Crush 0.90, Cursor's SDK 1.0.18.

import { join } from 'node:path';
import type { HookEvent } from '../kernel/hook-events.ts';
import { configHome, folderFrom } from './folders.ts';
import { entryOf, type Node, plainOf, readJsonc } from './jsonc.ts';
import { hookLine } from './shell-command.ts';
import type { Asked, Entry, Target, Want } from './target.ts';

/** Covers an agent that never sends its payload; the program has a shorter deadline of its own. */
const TIMEOUT_S = 5;
/** Codex ends what runs at the end of a session after 3 s, and warns of a larger number. */
const CODEX_END_S = 3;

type Events = Readonly<Record<string, HookEvent>>;

/** The gate speaks before a tool where that reaches the model, else after it. No agent gets both: it would pay twice. */
const CLAUDE_EVENTS: Events = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'pre-tool',
  PreCompact: 'pre-compact',
  Stop: 'stop',
  SessionEnd: 'session-end',
};

type Shape = (line: string, ours: HookEvent) => Readonly<Record<string, unknown>>;

/** Without a matcher, which means every tool and every kind of start. */
const inGroup =
  (timeout: (ours: HookEvent) => number, more: Readonly<Record<string, unknown>> = {}): Shape =>
  (line, ours) => ({ hooks: [{ type: 'command', ...more, command: line, timeout: timeout(ours) }] });
const seconds = () => TIMEOUT_S;
const milliseconds = () => TIMEOUT_S * 1000;

function entriesOf({ words }: Asked, events: Events, shape: Shape, unless?: string): readonly Entry[] {
  return Object.entries(events).map(([event, ours]) => ({ event, value: shape(hookLine(words(ours), unless), ours) }));
}

function jsonWant(entries: readonly Entry[], more: Partial<Extract<Want, { format: 'json' }>> = {}): Want {
  return { format: 'json', entries, place: 'first', base: {}, ...more };
}

const json = (file: string) => ({ file, format: 'json' as const });

/** Copilot runs what stands in .claude/ of a project, and Cursor, where a person switched that on, what stands in any of
 *  Claude Code's files. They have entries of their own, and would be told everything twice. Both set a variable for their
 *  hooks that Claude Code does not, and it sets one of its own, also when one of them started it (Copilot 1.0.102). */
const NOT_CLAUDE = 'test -z "$CLAUDECODE" -a -n "$COPILOT_PROJECT_DIR$CURSOR_PROJECT_DIR"';

export const claude: Target = {
  agent: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  folders: (places) => [folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude')],
  // In a project the local file: it is the one that is not committed, and ours holds a path of this machine.
  sites: (scope, places) =>
    scope === 'user'
      ? [json(join(folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json'))]
      : ['settings.local.json', 'settings.json'].map((name) => json(join(places.root, '.claude', name))),
  way: (asked) => put(claude, asked, jsonWant(entriesOf(asked, CLAUDE_EVENTS, inGroup(seconds), NOT_CLAUDE))),
  switchedOff: ({ look, places }) => {
    const [site] = claude.sites('user', places);
    return settingIn(look, site?.file, ['disableAllHooks']) === true ? `disableAllHooks in ${site?.file}` : undefined;
  },
  notes: ({ scope }) =>
    scope === 'user' ? [] : ['Claude Code runs hooks of a project only after you said that you trust its folder.'],
};

export const codex: Target = {
  agent: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folders: (places) => [folderFrom(places, 'CODEX_HOME', '.codex')],
  sites: (scope, places) => {
    const folder = scope === 'user' ? folderFrom(places, 'CODEX_HOME', '.codex') : join(places.root, '.codex');
    return [json(join(folder, 'hooks.json')), { file: join(folder, 'config.toml'), format: 'toml' }];
  },
  way: (asked) => {
    const [file, config] = codex.sites(asked.scope, asked.places);
    const shape = inGroup((ours) => (ours === 'session-end' ? CODEX_END_S : TIMEOUT_S));
    const entries = entriesOf(asked, CLAUDE_EVENTS, shape);
    // Both forms in one folder make it warn at every start, so ours go where the person keeps theirs (unless as lists in
    // one value, to which nothing can be added). Last in each list: it knows a trusted hook by its position, and hooks run
    // side by side, so nothing is gained by being first.
    const isInToml =
      file !== undefined &&
      config !== undefined &&
      !asked.look.exists(file.file) &&
      /^[ \t]*\[\[?[ \t]*hooks[ \t]*\.[ \t]*[A-Z]/m.test(asked.look.text(config.file) ?? '');
    if (isInToml) return { kind: 'put', site: config, want: { format: 'toml', entries } };
    return put(codex, asked, jsonWant(entries, { place: 'last' }));
  },
  switchedOff: ({ look, places }) => {
    const [, config] = codex.sites('user', places);
    const features = /^[ \t]*\[features\]([^[]*)/m.exec(look.text(config?.file ?? '') ?? '')?.[1] ?? '';
    return /^[ \t]*hooks[ \t]*=[ \t]*false/m.test(features) ? `features.hooks in ${config?.file}` : undefined;
  },
  notes: ({ scope, words }) => [
    `Codex runs a new hook only after a person looked at it. At its next start in a terminal it says "Hooks need review" and that ${Object.keys(CLAUDE_EVENTS).length} hooks are new or changed. Choose "Review hooks": each must run ${words('stop')[0]} and nothing else. Or choose "Trust all and continue". Until then they do not run, and codex exec passes them over without a word.`,
    ...(scope === 'user' ? [] : ['Codex reads .codex/ of a project only in a folder that you trust.']),
  ],
};

const GEMINI_EVENTS: Events = {
  SessionStart: 'session-start',
  BeforeAgent: 'prompt',
  AfterTool: 'post-tool',
  PreCompress: 'pre-compact',
  AfterAgent: 'stop',
  SessionEnd: 'session-end',
};

const inGeminiGroup: Shape = (line, ours) => ({
  ...(ours === 'pre-compact' ? { matcher: 'manual' } : {}),
  ...inGroup(milliseconds, { name: 'foreword' })(line, ours),
});

export const gemini: Target = {
  agent: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folders: ({ home, env }) => [join(env.GEMINI_CLI_HOME || home, '.gemini')],
  sites: (scope, places) => [
    json(join(scope === 'user' ? (gemini.folders(places)[0] ?? '') : join(places.root, '.gemini'), 'settings.json')),
  ],
  // Before a tool it takes no context, so the gate speaks after the first one. PreCompress comes before every request,
  // whether anything is compressed or not: only that of a person's /compress is asked for.
  way: (asked) => put(gemini, asked, jsonWant(entriesOf(asked, GEMINI_EVENTS, inGeminiGroup))),
  switchedOff: ({ look, places }) => {
    const [site] = gemini.sites('user', places);
    return settingIn(look, site?.file, ['hooksConfig', 'enabled']) === false
      ? `hooksConfig.enabled in ${site?.file}`
      : undefined;
  },
  notes: ({ scope }) =>
    scope === 'user'
      ? []
      : ['Gemini CLI runs hooks of a project only in a folder that you trust; it warns once of new ones.'],
};

export const qwen: Target = {
  agent: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
  folders: (places) => [folderFrom(places, 'QWEN_HOME', '.qwen')],
  sites: (scope, places) => [
    json(
      join(scope === 'user' ? folderFrom(places, 'QWEN_HOME', '.qwen') : join(places.root, '.qwen'), 'settings.json'),
    ),
  ],
  // What it is told before a tool does not reach its model, whatever its documentation says.
  way: (asked) => {
    const { PreToolUse: _, ...events } = CLAUDE_EVENTS;
    const all: Events = { ...events, PostToolUse: 'post-tool' };
    return put(qwen, asked, jsonWant(entriesOf(asked, all, inGroup(milliseconds, { name: 'foreword' }))));
  },
  notes: ({ scope }) =>
    scope === 'user' ? [] : ['Qwen Code runs hooks of a project only in a folder that you trust.'],
};

/** A file of our own in a folder of hook files; still edited like any other, since somebody may add to it. */
export const copilot: Target = {
  agent: 'copilot',
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folders: (places) => [folderFrom(places, 'COPILOT_HOME', '.copilot')],
  sites: (scope, places) => {
    const folder = scope === 'user' ? folderFrom(places, 'COPILOT_HOME', '.copilot') : join(places.root, '.github');
    return [json(join(folder, 'hooks', 'foreword.json'))];
  },
  way: (asked) => {
    const events: Events = {
      sessionStart: 'session-start',
      userPromptSubmitted: 'prompt',
      preToolUse: 'pre-tool',
      preCompact: 'pre-compact',
      agentStop: 'stop',
      sessionEnd: 'session-end',
    };
    const shape: Shape = (line) => ({ type: 'command', bash: line, timeoutSec: TIMEOUT_S });
    return put(copilot, asked, jsonWant(entriesOf(asked, events, shape), { base: { version: 1 } }));
  },
  switchedOff: ({ look, places }) => {
    const file = join(folderFrom(places, 'COPILOT_HOME', '.copilot'), 'settings.json');
    return settingIn(look, file, ['disableAllHooks']) === true ? `disableAllHooks in ${file}` : undefined;
  },
  notes: ({ scope }) =>
    scope === 'user'
      ? []
      : ['Copilot runs hooks of a repository only in a folder that you trust; with -p it skips them otherwise.'],
};

/** One name that it does not know voids the whole file, so only names of every version since early 2026. */
export const cursor: Target = {
  agent: 'cursor',
  title: 'Cursor CLI',
  programs: ['cursor-agent'],
  folders: ({ home }) => [join(home, '.cursor')],
  sites: (scope, { home, root }) => [json(join(scope === 'user' ? home : root, '.cursor', 'hooks.json'))],
  way: (asked) => {
    const events: Events = {
      sessionStart: 'session-start',
      beforeSubmitPrompt: 'prompt',
      preToolUse: 'pre-tool',
      preCompact: 'pre-compact',
      stop: 'stop',
      sessionEnd: 'session-end',
    };
    const shape: Shape = (line) => ({ command: line, timeout: TIMEOUT_S });
    return put(cursor, asked, jsonWant(entriesOf(asked, events, shape), { base: { version: 1 } }));
  },
  notes: () => ['Cursor with -p runs no hook at a prompt; it is told at the session start and before its first tool.'],
};

/** It has one event, and its JSON takes no comments; we add none. */
export const crush: Target = {
  agent: 'crush',
  title: 'Crush',
  programs: ['crush'],
  folders: (places) => [join(configHome(places), 'crush')],
  sites: (scope, places) => {
    const { root, env } = places;
    if (scope === 'user')
      return [json(join(env.CRUSH_GLOBAL_CONFIG || join(configHome(places), 'crush'), 'crush.json'))];
    return [json(join(root, 'crush.json')), json(join(root, '.crush.json'))];
  },
  way: (asked) => {
    const shape: Shape = (line) => ({ command: line, timeout: TIMEOUT_S });
    const want = jsonWant(entriesOf(asked, { PreToolUse: 'pre-tool' }, shape));
    const sites = crush.sites(asked.scope, asked.places);
    const site = sites.findLast(({ file }) => asked.look.exists(file)) ?? sites[0];
    return site === undefined ? { kind: 'cannot', why: 'no place' } : { kind: 'put', site, want };
  },
  notes: () => ['Crush is told before its first tool; it has no other hook.'],
};

function put(target: Target, { scope, places }: Asked, want: Want) {
  const [site] = target.sites(scope, places);
  if (site === undefined) return { kind: 'cannot', why: 'it keeps no such file' } as const;
  return { kind: 'put', site, want } as const;
}

/** A value in a person's settings; `undefined` when it is not there or the file cannot be read. */
function settingIn(look: Asked['look'], file: string | undefined, path: readonly string[]): unknown {
  const text = file === undefined ? undefined : look.text(file);
  const read = text === undefined ? undefined : readJsonc(text);
  const found = path.reduce<Node | undefined>(
    (node, key) => entryOf(node, key)?.value,
    read?.ok === true ? read.root : undefined,
  );
  return text === undefined || found === undefined ? undefined : plainOf(text, found);
}

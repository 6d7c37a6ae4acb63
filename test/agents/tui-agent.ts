// The scripted terminal agent described as an agent of one's own: the data for `agents:` of a configuration file, and the
// same as the type sessions work with. The rules are written as a careful user would write them: anchored to where
// the agent itself draws, so that its output and our own echoed text do not match.

import { join } from 'node:path';
import type { ComposerRule, Interactive, ScreenRule } from '../../src/kernel/agent.ts';
import type { Profile } from './tui-log.ts';

const PROGRAM = join(import.meta.dirname, 'tui.mjs');

export interface TuiOptions {
  readonly profile: Profile;
  /** Where the agent writes down what it reads. */
  readonly log: string;
  /** Options of tui/script.mjs; `{ wild: seed }` draws them. */
  readonly script?: Readonly<Record<string, unknown>>;
  /** Default: `submitted`. */
  readonly proofs?: Interactive['proofs'];
  /** Default: typed, file, notice. */
  readonly ladder?: Interactive['ladder'];
  /** Default 300. */
  readonly submitDelayMs?: number;
  /** What a launch can carry; default nothing. `hook` is Claude's layout of hooks in a file given by --settings. */
  readonly launch?: readonly ('prompt' | 'hook')[];
  /** Its instruction file; default AGENTS.md. */
  readonly file?: string;
}

export function tuiCommand({ profile, log, script }: TuiOptions): readonly [string, ...string[]] {
  const told = script === undefined ? [] : ['--script', JSON.stringify(script)];
  return [process.execPath, PROGRAM, '--profile', profile, '--log', log, ...told];
}

/** For `agents: { name: … }`; plain data that can be written as YAML or JSON. */
export function tuiAgent(options: TuiOptions) {
  const { command, screens, composer, proofs, submit, ladder } = tuiInteractive(options);
  return { interactive: { command }, screens, composer, proofs, submit, ladder, file: options.file ?? 'AGENTS.md' };
}

export function tuiInteractive(options: TuiOptions): Interactive {
  const { prompt, hook } = LAUNCH;
  const launch = {
    ...(options.launch?.includes('prompt') ? { prompt } : {}),
    ...(options.launch?.includes('hook') ? { hook } : {}),
  };
  const ghost = options.script?.isGhostFaint === false ? { ghost: literal(String(options.script.ghost ?? '')) } : {};
  return {
    command: tuiCommand(options),
    screens: SCREENS[options.profile],
    composer: { ...COMPOSERS[options.profile], ...ghost },
    submit: { key: 'enter', delayMs: options.submitDelayMs ?? 300 },
    proofs: options.proofs ?? ['submitted'],
    ladder: options.ladder ?? ['typed', 'file', 'notice'],
    ...(options.launch === undefined ? {} : { launch }),
  };
}

/** The dialogs as they are drawn: in a box, or behind a question mark. `unheard` is in no rule on purpose. */
function asking(before: string): readonly ScreenRule[] {
  const rule = (name: string, text: string): ScreenRule => ({ state: 'asking', name, bottom: `^${before}${text}` });
  return [
    rule('trust folder', 'Do you trust the files in this folder\\?'),
    rule('approval', 'Do you want to run this command\\?'),
    rule('onboarding', 'Choose a theme for the interface'),
    rule('update', 'A new version is available\\. Update now\\?'),
    { state: 'asking', name: 'menu', bottom: '^  enter to select$' },
  ];
}

const BUSY: ScreenRule = { state: 'busy', bottom: '^\\S [^(]*\\(\\d+s · esc to interrupt\\)$' };

const SCREENS: Readonly<Record<Profile, readonly ScreenRule[]>> = {
  boxed: [...asking('│ '), BUSY, { state: 'ready', cursorLine: '^│ [> ] .*│$', bottom: '^  \\? for shortcuts' }],
  plain: [...asking('\\? '), BUSY, { state: 'ready', cursorLine: '^[>.]( |$)' }],
  shell: [...asking('\\? '), BUSY, { state: 'ready', cursorLine: '^[$>]( |$)' }],
  alternate: [...asking('│ '), BUSY, { state: 'ready', cursorLine: '^(❯|  )', bottom: '^  \\? for shortcuts' }],
};

const PLACEHOLDER = '\\[Pasted (text #\\d+( \\+\\d+ lines)?|Content \\d+ chars|~\\d+ lines)\\]';

const COMPOSERS: Readonly<Record<Profile, ComposerRule>> = {
  boxed: { line: '^│ > (.*)│$', more: '^│   (.*)│$', placeholder: PLACEHOLDER },
  plain: { line: '^> ?(.*)$', more: '^\\. ?(.*)$', placeholder: PLACEHOLDER },
  shell: { line: '^\\$ ?(.*)$', more: '^> ?(.*)$', placeholder: PLACEHOLDER },
  alternate: { line: '^❯ ?(.*)$', more: '^(?:  (.*)|\\s*)$', placeholder: PLACEHOLDER },
};

const HOOKS = {
  hooks: {
    SessionStart: [{ hooks: [{ type: 'command', command: '{command session-start}' }] }],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: '{command prompt}' }] }],
  },
};

const LAUNCH = {
  prompt: ['--', '{text}'],
  hook: {
    firesAt: 'launch',
    file: { name: 'tui-settings.json', content: JSON.stringify(HOOKS) },
    args: ['--settings', '{file}'],
  },
} as const;

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

// How a configured agent is used in a terminal: the settings about its screens, its composer and its channels, and their
// defaults.

import * as v from 'valibot';
import type { ComposerRule, Interactive, ScreenRule } from '../../kernel/agent.ts';
import { CHANNEL_NAMES, type Channel, PROOFS, type Proof } from '../../kernel/receipt.ts';
import { flag, line, listOf, oneOf, whole } from './words.ts';

const pattern = line(2000, 'a regular expression on one line, at most 2000 characters');
const command = v.pipe(
  listOf(v.string('text'), 'a list: the program, then its arguments'),
  v.minLength(1, 'a list: the program, then its arguments'),
  v.check((parts) => parts[0]?.trim() !== '', 'a list that begins with a program'),
);

const screenRule = v.pipe(
  v.strictObject(
    {
      state: oneOf(['starting', 'ready', 'busy', 'asking']),
      name: v.optional(v.pipe(line(40, 'a few words'), v.description('What the agent asks, as shown to a person.'))),
      text: v.optional(v.pipe(pattern, v.description('Matches any line.'))),
      bottom: v.optional(v.pipe(pattern, v.description('Matches one of the last 14 lines that are not blank.'))),
      cursorLine: v.optional(v.pipe(pattern, v.description("Matches the cursor's line."))),
      inside: v.optional(v.pipe(pattern, v.description('Matches a line of the composer.'))),
      over: v.optional(v.pipe(pattern, v.description('Matches one of the four lines right above the composer.'))),
      solid: v.optional(v.pipe(pattern, v.description('With over: matches the same line without its faint text.'))),
      border: v.optional(v.pipe(pattern, v.description('With over: matches the line right under it.'))),
      head: v.optional(
        v.pipe(pattern, v.description('With over: matches the first line of those that stand together with it.')),
      ),
      footer: v.optional(v.pipe(pattern, v.description('Matches a line under the composer.'))),
      title: v.optional(v.pipe(pattern, v.description("Matches the terminal's title."))),
      hasComposer: v.optional(
        v.pipe(flag(), v.description('true: only on a screen with a composer; false: only without one.')),
      ),
      takesPastes: v.optional(
        v.pipe(flag(), v.description('true: only while bracketed paste is on; false: only while it is off.')),
      ),
    },
    'a map with state and a condition',
  ),
  v.check(
    ({ state: _, name: __, takesPastes: ___, solid: ____, border: _____, head: ______, ...signs }) =>
      signs.hasComposer === true || Object.values(signs).some((sign) => typeof sign === 'string'),
    'a state and a condition: text, bottom, cursorLine, inside, over, footer, title or hasComposer: true',
  ),
);

const composer = v.strictObject(
  {
    line: v.optional(v.pipe(pattern, v.description('Matches its first line; the first group is the draft.'))),
    more: v.optional(
      v.pipe(
        pattern,
        v.description(
          'Matches a further line of it, blank ones included; spaces at the end of a line are not there. Without it: lines indented by two, and blank ones.',
        ),
      ),
    ),
    above: v.optional(v.pipe(pattern, v.description('Matches the line right above its first one.'))),
    below: v.optional(v.pipe(pattern, v.description('Matches the line that ends it.'))),
    right: v.optional(v.pipe(pattern, v.description('Matches a line below it that is as wide as it.'))),
    cursor: v.optional(v.pipe(oneOf(['shown', 'placed']), v.description('The cursor is always inside it.'))),
    ghost: v.optional(v.pipe(pattern, v.description('Matches the hint text that an empty one shows.'))),
    placeholder: v.optional(v.pipe(pattern, v.description('Matches the placeholder of a long paste.'))),
    shell: v.optional(v.pipe(pattern, v.description('Matches when a shell would run the draft.'))),
  },
  'a map with line, and more, above, below, right, cursor, ghost, placeholder or shell',
);

const launchPrompt = v.pipe(
  listOf(v.string('text'), 'a list of arguments'),
  v.check(
    (parts) => parts.filter((part) => part.includes('{text}')).length === 1 && isTextNoFlag(parts),
    'arguments with {text} in one of them that cannot be taken for a flag: behind --, or in --name={text}',
  ),
  v.description('Arguments that make {text} the first prompt of a session.'),
);

const launchMcp = v.pipe(
  listOf(v.string('text'), 'a list of arguments'),
  v.check(
    (parts) => parts.some((part) => /\{(?:server|line)\}/.test(part)),
    'arguments with {server} (a JSON object with command, args and env) or {line} (a line of a shell) in one of them',
  ),
  v.description('Arguments that give it our MCP server for this session.'),
);

export const terminalEntries = {
  interactive: v.optional(
    v.pipe(v.strictObject({ command }, 'a map with command'), v.description('How to start it in a terminal.')),
  ),
  screens: v.optional(
    v.pipe(
      listOf(screenRule, 'a list of rules'),
      v.description('Rules that turn its screens into states; asking and busy are tried first.'),
    ),
  ),
  composer: v.optional(v.pipe(composer, v.description('Where it shows a draft. Without a composer nothing is typed.'))),
  quietMs: v.optional(
    v.pipe(
      whole(0, 60_000),
      v.description('Milliseconds for which its screen must stand still before something is typed, if more than 1000.'),
    ),
  ),
  proofs: v.optional(
    v.pipe(
      listOf(oneOf(PROOFS), `a list of ${PROOFS.join(', ')}`),
      v.description('The proofs it can give. Default: submitted.'),
    ),
  ),
  submit: v.optional(
    v.pipe(
      v.strictObject(
        { key: v.optional(oneOf(['enter'])), delayMs: v.optional(whole(0, 10_000)) },
        'a map with key, delayMs',
      ),
      v.description('The key that submits what was typed, and the delay before it.'),
    ),
  ),
  ladder: v.optional(
    v.pipe(
      listOf(oneOf(CHANNEL_NAMES), 'a list of channels'),
      v.description('The channels in the order they are tried.'),
    ),
  ),
  file: v.optional(
    v.pipe(line(500, 'a path'), v.description('The file in the project that it reads as its instructions.')),
  ),
  launch: v.optional(
    v.pipe(
      v.strictObject({ prompt: v.optional(launchPrompt), mcp: v.optional(launchMcp) }, 'a map with prompt and mcp'),
      v.description(
        'What its command line accepts: prompt, a list of arguments with {text} in one of them; mcp, one with {server} or {line}.',
      ),
    ),
  ),
};

/** Keys whose value is a pattern. */
export const TERMINAL_PATTERNS = [
  ...['bottom', 'cursorLine', 'inside', 'over', 'solid', 'border', 'head', 'footer', 'title'],
  ...['line', 'more', 'above', 'below', 'right', 'ghost', 'placeholder', 'shell'],
];

type TerminalSettings = { [Key in keyof typeof terminalEntries]?: v.InferOutput<(typeof terminalEntries)[Key]> };

/** Matches no screen: without a composer nothing is typed. */
const NOWHERE = '[^\\s\\S]';

/** Configured values win over built-in ones, and those over the defaults. Configured screen rules come before built-in ones. */
export function toInteractive(given: TerminalSettings, builtIn: Interactive | undefined): Interactive | undefined {
  const started = given.interactive?.command ?? builtIn?.command;
  if (started === undefined) return undefined;
  const [program = '', ...rest] = started;
  const prompt = given.launch?.prompt ?? builtIn?.launch?.prompt;
  const mcp = given.launch?.mcp === undefined ? builtIn?.launch?.mcp : { args: given.launch.mcp };
  const launch = {
    ...builtIn?.launch,
    ...(prompt === undefined ? {} : { prompt }),
    ...(mcp === undefined ? {} : { mcp }),
  };
  const quietMs = given.quietMs ?? builtIn?.quietMs;
  const file = given.file ?? builtIn?.file;
  return {
    command: [program, ...rest],
    screens: [...((given.screens ?? []) as readonly ScreenRule[]), ...(builtIn?.screens ?? [])],
    composer: { line: NOWHERE, ...builtIn?.composer, ...(given.composer as Partial<ComposerRule> | undefined) },
    ...(quietMs === undefined ? {} : { quietMs }),
    ...(builtIn?.queued === undefined ? {} : { queued: builtIn.queued }),
    ...(builtIn?.statusLine === undefined ? {} : { statusLine: builtIn.statusLine }),
    ...(builtIn?.screensFrom === undefined ? {} : { screensFrom: builtIn.screensFrom }),
    submit: { key: 'enter', delayMs: given.submit?.delayMs ?? builtIn?.submit.delayMs ?? 300 },
    proofs: given.proofs === undefined && builtIn !== undefined ? builtIn.proofs : proofsFrom(given.proofs ?? []),
    ladder: given.ladder ?? builtIn?.ladder ?? usualLadder(prompt !== undefined, mcp !== undefined),
    ...(file === undefined ? {} : { file }),
    ...(Object.keys(launch).length === 0 ? {} : { launch }),
  };
}

/** Every agent that can be typed to can give the proof `submitted`. */
function proofsFrom(given: readonly Proof[]): readonly Proof[] {
  return PROOFS.filter((proof) => ['queued', 'placed', 'submitted'].includes(proof) || given.includes(proof));
}

function usualLadder(hasPrompt: boolean, hasMcp: boolean): readonly Channel[] {
  return [...(hasMcp ? (['mcp'] as const) : []), ...(hasPrompt ? (['flag'] as const) : []), 'typed', 'file', 'notice'];
}

function isTextNoFlag(parts: readonly string[]): boolean {
  const end = parts.indexOf('--');
  return parts.every((part, index) => !part.startsWith('{text}') || (end !== -1 && end < index));
}

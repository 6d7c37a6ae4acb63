// Configured agents: the settings under `agents`. The same data as in agents/; the settings for a terminal are in
// agent-terminal.ts.

import * as v from 'valibot';
import { type Agent, type ErrorRule, type Oneshot, type OutputSpec, withArguments } from '../../kernel/agent.ts';
import type { Fault } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Price } from '../../kernel/usage-rules.ts';
import type { Path } from '../../system/formats/index.ts';
import { conditions, pattern, place, resume, session, toResume } from './agent-resume.ts';
import { TERMINAL_PATTERNS, terminalEntries, toInteractive } from './agent-terminal.ts';
import { price, usageEntries } from './agent-usage.ts';
import { faultAt, faultsIn, sentence, shown } from './check.ts';
import { type Document, isMap, pathText } from './document.ts';
import { flag, line, listOf, oneOf, text, whole } from './words.ts';

/** Long enough for any task; an agent that prints only at its end must not be taken for one that hangs. */
const FIRST_OUTPUT_S = 900;

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const CLASSES = ['quota', 'rate_limit', 'overload', 'auth', 'setup', 'network', 'context'] as const;

// A description is in the same pipe as the rules it describes: the walk over a document does not look into pipes in pipes.
const variable = v.pipe(v.string('the name of a variable'), v.regex(/^[A-Za-z_]\w*$/, 'the name of a variable'));
const command = v.pipe(
  listOf(v.string('text'), 'a list: the program, then its arguments'),
  v.minLength(1, 'a list: the program, then its arguments'),
  v.check((parts) => parts[0]?.trim() !== '', 'a list that begins with a program'),
  v.description('{prompt} is replaced by the prompt or the path of its file.'),
);

const output = v.pipe(
  v.strictObject(
    {
      format: oneOf(['text', 'json', 'jsonl']),
      session: v.optional(session),
      ...usageEntries,
      answered: v.optional(
        v.pipe(
          pattern,
          v.description('With format text: matches the line that the program prints after a model answered.'),
        ),
      ),
      rules: v.optional(
        listOf(
          v.strictObject(
            {
              when: conditions,
              answer: v.optional(place),
              isPiece: v.optional(flag()),
              error: v.optional(
                v.strictObject(
                  {
                    message: v.optional(place),
                    code: v.optional(place),
                    status: v.optional(place),
                    resetsAt: v.optional(place),
                    retryMs: v.optional(place),
                    isNotice: v.optional(flag()),
                  },
                  'a map with message, code, status, resetsAt, retryMs or isNotice',
                ),
              ),
            },
            'a map with when, and answer or error',
          ),
          'a list of rules',
        ),
      ),
    },
    'a map with format, and rules for JSON',
  ),
  v.check(({ format, rules }) => format === 'text' || rules !== undefined, 'rules beside the format json or jsonl'),
  v.description('The format of its output. Default: text.'),
);

const oneshot = v.pipe(
  v.strictObject(
    {
      command,
      readOnly: v.optional(
        v.pipe(command, v.description('The command with flags that keep it from writing, for when it only verifies.')),
      ),
      resume: v.optional(resume),
      prompt: v.pipe(
        oneOf(['stdin', 'file', 'argument']),
        v.description('How it gets the prompt. An argument is put behind --.'),
      ),
      output: v.optional(output),
      set: v.optional(v.record(v.string(), v.string('text'), 'a map of variables')),
      firstOutputS: v.optional(
        v.pipe(
          whole(1, 86_400),
          v.description(`Seconds without output after which it counts as hung. Default: ${FIRST_OUTPUT_S}.`),
        ),
      ),
      isQuiet: v.optional(
        v.pipe(
          v.boolean('true or false'),
          v.description(
            'Whether it prints nothing while it works, so that silence is no hang (run.hangS). Default: true unless the format is jsonl.',
          ),
        ),
      ),
      retryLine: v.optional(v.pipe(pattern, v.description('Matches a line that it prints when it retries a service.'))),
      limitLine: v.optional(
        v.pipe(pattern, v.description('Matches a line that it prints before it waits for long: it is ended at once.')),
      ),
    },
    'a map with command and prompt',
  ),
  v.check(
    (given) => [given.command, given.readOnly ?? []].every((line) => isPromptNoFlag({ ...given, command: line })),
    'a prompt that cannot be taken for a flag: {prompt} behind --, or in --name={prompt}',
  ),
  v.check(
    (given) => given.resume === undefined || given.output?.session !== undefined,
    'output.session beside resume: where its output names the session',
  ),
  v.description('How to run it on one task without a terminal.'),
);

const rule = v.pipe(
  v.strictObject(
    {
      class: oneOf(CLASSES),
      stderr: v.optional(pattern),
      text: v.optional(pattern),
      codes: v.optional(listOf(text('a code'), 'a list of codes')),
      statuses: v.optional(listOf(whole(100, 599), 'a list of HTTP statuses')),
      exitCodes: v.optional(listOf(whole(1, 255), 'a list of exit statuses')),
    },
    'a map with class, and stderr, text, codes, statuses or exitCodes',
  ),
  v.check(
    ({ class: _, ...signals }) => Object.values(signals).some((signal) => signal !== undefined),
    'a class and a condition: stderr, text, codes, statuses or exitCodes',
  ),
  v.check(({ stderr, text: words }) => stderr === undefined || words === undefined, 'either stderr or text'),
);

const ARGUMENTS = 'a list of arguments, without -- and {prompt}';
const args = v.pipe(
  listOf(v.string('text'), ARGUMENTS),
  v.maxLength(100, ARGUMENTS),
  v.check(
    (parts) => parts.every((part) => part !== '--' && !part.includes('{prompt}') && !part.includes('\0')),
    ARGUMENTS,
  ),
  v.description('Arguments that its commands get in addition, with and without a terminal: [--model, opus].'),
);

const HOME_PATHS = 'a list of paths that begin with ~/ or a variable';
const homePaths = listOf(line(500, HOME_PATHS), HOME_PATHS);
const box = v.pipe(
  v.strictObject(
    {
      homes: v.optional(
        v.pipe(
          v.record(v.string(), line(500, 'a path that begins with ~/'), 'a map of variables and folders'),
          v.description('Variables that move a folder of the agent, each with the folder that it uses without them.'),
        ),
      ),
      writable: v.optional(
        v.pipe(homePaths, v.description('Folders in the home that it may write: credentials, transcripts, caches.')),
      ),
      readOnly: v.optional(
        v.pipe(homePaths, v.description('Files and folders that it may only read: settings, hooks, instructions.')),
      ),
      copied: v.optional(
        v.pipe(
          homePaths,
          v.description('Files and folders in the home of which it gets a copy that is not written back.'),
        ),
      ),
      asideIfNew: v.optional(
        v.pipe(
          homePaths,
          v.description('Files and folders that it may only read, and that are moved aside when it made them itself.'),
        ),
      ),
      makesNamespaces: v.optional(v.pipe(flag(), v.description('It has a sandbox of its own around its commands.'))),
    },
    'a map with writable, readOnly, copied, asideIfNew, homes or makesNamespaces',
  ),
  v.description('What it needs of your home in the box of a run. Default: nothing.'),
);

/** @internal */
const agentSchema = v.strictObject(
  {
    args: v.optional(args),
    oneshot: v.optional(oneshot),
    env: v.optional(
      v.pipe(listOf(variable, 'a list of variables'), v.description('Your environment variables that it gets.')),
    ),
    errors: v.optional(
      v.pipe(listOf(rule, 'a list of rules'), v.description('Rules that classify its failures, tried in order.')),
    ),
    leaves: v.optional(
      v.pipe(
        listOf(text('a glob'), 'a list of globs'),
        v.description('Files that it keeps in the project for itself.'),
      ),
    ),
    box: v.optional(box),
    price: v.optional(price),
    ...terminalEntries,
  },
  'a map with oneshot, env, errors …',
);

/** @internal */
export const agentsSchema = v.record(v.string(), agentSchema, 'a map of agents');

export type AgentSettings = v.InferOutput<typeof agentSchema>;

/** Every fault in a file's `agents`, with its line. Patterns are checked when they are used: `agentUseFaults`. */
export function agentsFaults(document: Document): readonly Fault[] {
  const agents = isMap(document.value) ? (document.value.agents ?? undefined) : undefined;
  if (agents === undefined) return [];
  if (!isMap(agents)) return [faultAt(document, ['agents'], sentence(agents, 'a map of agents'))];
  return Object.entries(agents).flatMap(([name, value]) => {
    const at: Path = ['agents', name];
    const message = `${shown(name)} is not a valid agent name; use at most 40 lower-case letters, digits and -.`;
    const named = NAME.test(name) ? [] : [faultAt(document, at, message, 'key')];
    const inner = faultsIn(agentSchema, {
      where: document.where,
      value: value ?? {},
      lineOf: (path) => document.lineOf([...at, ...path]),
      keyLineOf: (path) => document.keyLineOf([...at, ...path]),
    });
    return [...named, ...inner.map((fault) => ({ ...fault, path: joined(pathText(at), fault.path) }))];
  });
}

/** The built-in agents with the configured ones. A configured agent with the name of a built-in one replaces the fields it
 *  has and keeps the rest; its variables and error rules come before the built-in ones. */
export function joinAgents(
  builtIn: readonly Agent[],
  settings: Readonly<Record<string, AgentSettings>>,
): readonly Agent[] {
  const own = Object.entries(settings).map(([name, value]) =>
    toAgent(
      name,
      value,
      builtIn.find((agent) => agent.name === name),
    ),
  );
  return [...builtIn.filter((agent) => !Object.hasOwn(settings, agent.name)), ...own];
}

/** Faults that can be found only with all agents known and the pattern engine loaded. `compile` is `compilePattern`. */
export function agentUseFaults(
  config: {
    readonly agents: Readonly<Record<string, AgentSettings>>;
    readonly lineup: readonly string[];
    readonly helper: string | undefined;
    readonly run?: { readonly review: string | undefined };
  },
  known: {
    readonly builtIn: readonly Agent[];
    readonly compile: (text: string) => object;
    /** Where a setting was written. */
    readonly placeOf: (path: Path) => Pick<Fault, 'where' | 'line'>;
  },
): readonly Fault[] {
  const fault = (path: Path, message: string): Fault => ({ ...known.placeOf(path), path: pathText(path), message });
  const names = [...new Set([...known.builtIn.map((agent) => agent.name), ...Object.keys(config.agents)])];
  const faults: Fault[] = [];
  const named: (readonly [Path, string])[] = config.lineup.map((name, index) => [['lineup', index], name]);
  if (config.helper !== undefined) named.push([['helper'], config.helper]);
  const review = config.run?.review;
  if (review !== undefined && review !== 'next') named.push([['run', 'review'], review]);
  for (const [path, name] of named) {
    if (names.includes(name)) continue;
    const meant = nearest(name, names);
    faults.push(
      fault(
        path,
        `No such agent ${shown(name)}; ${meant ? `did you mean ${meant}?` : `the agents are ${names.join(', ')}.`}`,
      ),
    );
  }
  for (const [name, settings] of Object.entries(config.agents)) {
    const isNew = !known.builtIn.some((agent) => agent.name === name);
    if (isNew && !settings?.oneshot && !settings?.interactive)
      faults.push(fault(['agents', name], 'Has no command; add oneshot or interactive.'));
    if (isNew && settings?.composer && settings.composer.line === undefined)
      faults.push(fault(['agents', name, 'composer'], 'Has no line, so nothing could be typed; add line.'));
    for (const [path, written] of patternsIn(settings, ['agents', name])) {
      const compiled = known.compile(written);
      if ('fault' in compiled) faults.push(fault(path, `Not a valid pattern: ${String(compiled.fault)}.`));
    }
  }
  return faults;
}

function isPromptNoFlag(given: { readonly command: readonly string[]; readonly prompt: string }): boolean {
  if (given.prompt !== 'argument') return true;
  const end = given.command.indexOf('--');
  return given.command.every((part, index) => !part.startsWith('{prompt}') || (end !== -1 && end < index));
}

function toAgent(name: string, given: AgentSettings | null, builtIn: Agent | undefined): Agent {
  const settings = given ?? {};
  const shot = boxedWithArgs(
    withArgs(settings.oneshot ? toOneshot(settings.oneshot) : builtIn?.oneshot, settings.args),
    settings.args,
  );
  const interactive = withArgs(toInteractive(settings, builtIn?.interactive), settings.args);
  return {
    name,
    ...(shot === undefined ? {} : { oneshot: shot }),
    ...(interactive === undefined ? {} : { interactive }),
    env: [...new Set([...(settings.env ?? []), ...(builtIn?.env ?? [])])],
    leaves: [...(settings.leaves ?? []), ...(builtIn?.leaves ?? [])],
    ...(builtIn?.localFiles === undefined ? {} : { localFiles: builtIn.localFiles }),
    ...(builtIn?.gitFiles === undefined ? {} : { gitFiles: builtIn.gitFiles }),
    ...boxOf(settings, builtIn),
    errors: [...(settings.errors ?? []).map(toRule), ...(builtIn?.errors ?? [])],
    ...(builtIn?.notes === undefined ? {} : { notes: builtIn.notes }),
    ...(settings.price === undefined ? {} : { price: settings.price as Price }),
  };
}

/** Each list of the configuration takes the place of the built-in one. An agent of one's own needs nothing of the home unless it says so. */
function boxOf(settings: AgentSettings, builtIn: Agent | undefined): Pick<Agent, 'box'> {
  const given = Object.fromEntries(Object.entries(settings.box ?? {}).filter(([, value]) => value !== undefined));
  const isUnknown = builtIn !== undefined && builtIn.box === undefined && Object.keys(given).length === 0;
  return isUnknown ? {} : { box: { ...builtIn?.box, ...given } };
}

function boxedWithArgs(oneshot: Oneshot | undefined, more: readonly string[] = []): Oneshot | undefined {
  const command = oneshot?.boxed?.command;
  if (oneshot === undefined || command === undefined) return oneshot;
  return { ...oneshot, boxed: { ...oneshot.boxed, command: withArgs({ command }, more)?.command ?? command } };
}

function withArgs<T extends { readonly command: readonly [string, ...string[]] }>(
  how: T | undefined,
  more: readonly string[] = [],
): T | undefined {
  return how === undefined || more.length === 0 ? how : { ...how, command: withArguments(how.command, more) };
}

function toOneshot(given: NonNullable<AgentSettings['oneshot']>): Oneshot {
  return {
    command: words(given.command),
    ...(given.readOnly ? { readOnly: words(given.readOnly) } : {}),
    ...(given.resume ? { resume: toResume(given.resume) } : {}),
    prompt: given.prompt,
    output: (given.output ?? { format: 'text' }) as OutputSpec,
    ...(given.set ? { set: given.set } : {}),
    firstOutputS: given.firstOutputS ?? FIRST_OUTPUT_S,
    ...(given.isQuiet === undefined ? {} : { isQuiet: given.isQuiet }),
    ...(given.retryLine ? { retryLine: given.retryLine } : {}),
    ...(given.limitLine ? { limitLine: given.limitLine } : {}),
  };
}

function words([program = '', ...rest]: readonly string[]): readonly [string, ...string[]] {
  return [program, ...rest];
}

function toRule({ stderr, text: words, ...rest }: NonNullable<AgentSettings['errors']>[number]): ErrorRule {
  const said = words ?? stderr;
  return { ...(rest as ErrorRule), ...(said ? { text: said } : {}) };
}

const PATTERN_KEYS = ['stderr', 'answered', 'retryLine', 'limitLine', 'gone', ...TERMINAL_PATTERNS];

/** `text` is a pattern in error rules and screens, which is everywhere it is allowed. */
function* patternsIn(value: unknown, path: Path): Generator<readonly [Path, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const at: Path = [...path, Array.isArray(value) ? Number(key) : key];
    if (typeof inner !== 'string') {
      if (key !== 'when' && key !== 'set') yield* patternsIn(inner, at);
    } else if (!Array.isArray(value) && (key === 'text' || PATTERN_KEYS.includes(key))) yield [at, inner];
  }
}

function joined(outer: string, inner: string): string {
  if (inner === '') return outer;
  return inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}

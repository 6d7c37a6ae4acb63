import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/index.ts';
import type { Agent } from '../../kernel/agent.ts';
import { renderFault } from '../../kernel/errors.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { compilePattern } from '../../system/patterns/linear.ts';
import { type AgentSettings, agentsFaults, agentUseFaults, joinAgents } from './agents.ts';
import { openDocument } from './document.ts';

function faultsIn(yaml: string): readonly string[] {
  const opened = openDocument('yaml', yaml, 'config.yaml');
  if (!opened.ok) throw new Error('not YAML');
  return agentsFaults(opened.value).map(renderFault);
}

/** The example of the documentation, with all that sessions need. */
const WHOLE = `agents:
  mine:
    oneshot: { command: [mine, --print], prompt: stdin }
    interactive: { command: [mine] }
    screens:
      - { state: asking, text: "Do you trust" }
      - { state: busy, text: "esc to interrupt" }
      - { state: ready, cursorLine: "^>( |$)" }
    composer: { line: "^> ?(.*)$", placeholder: "\\\\[Pasted[^\\\\]]*\\\\]" }
    proofs: [submitted]
    env: [MINE_API_KEY]
    submit: { key: enter, delayMs: 300 }
    errors:
      - { class: rate_limit, stderr: "429|rate limit" }
    ladder: [typed, file, notice]
    file: AGENTS.md
`;

test('an agent can be described whole, or not at all', () => {
  expect(faultsIn(WHOLE)).toEqual([]);
  expect(faultsIn('agents:\n  codex:\n')).toEqual([]);
  expect(faultsIn('agents:\n')).toEqual([]);
  expect(faultsIn('history: {}\n')).toEqual([]);
});

test('every fault is named with its line and what is allowed', () => {
  const yaml = `agents:
  Mine: {}
  one:
    oneshot:
      command: []
      prompt: clipboard
      retries: 3
    env: [A-B]
    errors:
      - { class: bored, stderr: x }
      - { class: quota }
      - { class: quota, stderr: x, text: y }
    screens: [{ state: gone }]
    ladder: [shout]
  two:
    oneshot: { command: [x, '{prompt}'], prompt: argument }
  three:
    oneshot: { command: [x], prompt: stdin, output: { format: json } }
  four: 7
  five:
    oneshot: { command: [x], prompt: stdin, resume: { args: ['{session}'] } }
`;
  expect(faultsIn(yaml)).toEqual([
    'config.yaml:2: agents.Mine: "Mine" is not a valid agent name; use at most 40 lower-case letters, digits and -.',
    'config.yaml:7: agents.one.oneshot.retries: Unknown key "retries"; the known keys are command, readOnly, resume, prompt, output, set, firstOutputS, isQuiet, retryLine, limitLine.',
    'config.yaml:5: agents.one.oneshot.command: Got an empty list, expected a list: the program, then its arguments.',
    'config.yaml:6: agents.one.oneshot.prompt: Got "clipboard", expected one of stdin, file, argument.',
    'config.yaml:8: agents.one.env[0]: Got "A-B", expected the name of a variable.',
    'config.yaml:10: agents.one.errors[0].class: Got "bored", expected one of quota, rate_limit, overload, auth, setup, network, context.',
    'config.yaml:11: agents.one.errors[1]: Got a map, expected a class and a condition: stderr, text, codes, statuses or exitCodes.',
    'config.yaml:12: agents.one.errors[2]: Got a map, expected either stderr or text.',
    'config.yaml:13: agents.one.screens[0].state: Got "gone", expected one of starting, ready, busy, asking.',
    `config.yaml:14: agents.one.ladder[0]: Got "shout", expected one of ${CHANNEL_NAMES.join(', ')}.`,
    'config.yaml:16: agents.two.oneshot: Got a map, expected a prompt that cannot be taken for a flag: {prompt} behind --, or in --name={prompt}.',
    'config.yaml:18: agents.three.oneshot.output: Got a map, expected rules beside the format json or jsonl.',
    'config.yaml:19: agents.four: Got 7, expected a map with oneshot, env, errors ….',
    'config.yaml:21: agents.five.oneshot: Got a map, expected output.session beside resume: where its output names the session.',
  ]);
  expect(faultsIn('agents: [mine]')).toEqual(['config.yaml:1: agents: Got a list, expected a map of agents.']);
});

test('a prompt may stand behind -- or be part of a flag', () => {
  const of = (command: string) => faultsIn(`agents: {a: {oneshot: {command: ${command}, prompt: argument}}}`).length;
  expect([of("[x, --, '{prompt}']"), of("[x, '--text={prompt}']"), of('[x]'), of("['{prompt}']")]).toEqual([
    0, 0, 0, 1,
  ]);
});

test('an agent of one’s own has the data of a built-in one', () => {
  const agents = joinAgents([], {
    mine: {
      oneshot: { command: ['mine', '--print'], prompt: 'stdin' },
      env: ['KEY'],
      errors: [
        { class: 'rate_limit', stderr: '429' },
        { class: 'auth', exitCodes: [3] },
      ],
    },
  });
  expect(agents).toEqual([
    {
      name: 'mine',
      oneshot: { command: ['mine', '--print'], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 900 },
      env: ['KEY'],
      leaves: [],
      box: {},
      errors: [
        { class: 'rate_limit', text: '429' },
        { class: 'auth', exitCodes: [3] },
      ],
    },
  ]);
});

test('a built-in agent keeps what is not changed', () => {
  const joined = joinAgents(AGENTS, {
    codex: { env: ['MY_KEY', 'CODEX_HOME'], errors: [{ class: 'setup', text: 'x' }] },
  });
  const [before, after] = [AGENTS, joined].map((all) => all.find((agent) => agent.name === 'codex')!);
  expect(joined).toHaveLength(AGENTS.length);
  expect(after).toEqual({
    ...before,
    env: ['MY_KEY', 'CODEX_HOME', ...before!.env.filter((name) => name !== 'CODEX_HOME')],
    leaves: [],
    errors: [{ class: 'setup', text: 'x' }, ...before!.errors],
  });
});

function settingsIn(yaml: string): Readonly<Record<string, AgentSettings>> {
  const opened = openDocument('yaml', yaml, 'config.yaml');
  if (!opened.ok) throw new Error('not YAML');
  return (opened.value.value as { agents: Record<string, AgentSettings> }).agents;
}

test('an agent of one’s own can be used in a terminal', () => {
  const [mine] = joinAgents([], settingsIn(WHOLE));
  expect(mine?.interactive).toEqual({
    command: ['mine'],
    screens: [
      { state: 'asking', text: 'Do you trust' },
      { state: 'busy', text: 'esc to interrupt' },
      { state: 'ready', cursorLine: '^>( |$)' },
    ],
    composer: { line: '^> ?(.*)$', placeholder: '\\[Pasted[^\\]]*\\]' },
    proofs: ['queued', 'placed', 'submitted'],
    submit: { key: 'enter', delayMs: 300 },
    ladder: ['typed', 'file', 'notice'],
    file: 'AGENTS.md',
  });
});

test('settings about a terminal have defaults, and nothing is typed without a composer', () => {
  const [mine] = joinAgents([], { mine: { interactive: { command: ['mine', '--fast'] } } });
  expect(mine?.interactive).toMatchObject({
    command: ['mine', '--fast'],
    screens: [],
    proofs: ['queued', 'placed', 'submitted'],
    submit: { key: 'enter', delayMs: 300 },
    ladder: ['typed', 'file', 'notice'],
  });
  const line = compilePattern(mine?.interactive?.composer.line ?? '');
  expect(['', ' ', '>', '> x'].filter((text) => 'test' in line && line.test(text))).toEqual([]);
  const [other] = joinAgents([], {
    other: {
      interactive: { command: ['other'] },
      proofs: ['acknowledged'],
      launch: { prompt: ['--say={text}'] },
      quietMs: 500,
    },
  });
  expect(other?.interactive).toMatchObject({
    quietMs: 500,
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    ladder: ['flag', 'typed', 'file', 'notice'],
    launch: { prompt: ['--say={text}'] },
  });
  expect(joinAgents([], { none: { oneshot: { command: ['x'], prompt: 'stdin' } } })[0]).not.toHaveProperty(
    'interactive',
  );
});

test('settings of a built-in agent’s terminal come before or replace the built-in ones', () => {
  const rule = { state: 'busy' as const, bottom: 'mine works' };
  const joined = joinAgents(AGENTS, {
    codex: { screens: [rule], composer: { placeholder: 'x' }, submit: { delayMs: 7 }, ladder: ['notice'] },
  });
  const [before, after] = [AGENTS, joined].map((all) => all.find((agent) => agent.name === 'codex')?.interactive);
  expect(after).toEqual({
    ...before,
    screens: [rule, ...before!.screens],
    composer: { ...before!.composer, placeholder: 'x' },
    submit: { key: 'enter', delayMs: 7 },
    ladder: ['notice'],
  });
  expect(joined.find((agent) => agent.name === 'claude')).toBe(AGENTS.find((agent) => agent.name === 'claude'));
});

test('rules for screens have a condition, and no text of a launch can be a flag', () => {
  const yaml = `agents:
  one:
    interactive: { command: [] }
    screens:
      - { state: ready }
      - { state: asking, name: menu, hasComposer: false }
      - { state: busy, below: x }
    composer: { line: x, cursor: hidden }
    launch: { prompt: ['{text}'] }
  two:
    launch: { prompt: [--prompt] }
  three:
    screens: [{ state: ready, hasComposer: true }, { state: busy, title: x }]
    launch: { prompt: [--, '{text}'] }
`;
  expect(faultsIn(yaml)).toEqual([
    'config.yaml:3: agents.one.interactive.command: Got an empty list, expected a list: the program, then its arguments.',
    'config.yaml:5: agents.one.screens[0]: Got a map, expected a state and a condition: text, bottom, cursorLine, inside, over, footer, title or hasComposer: true.',
    'config.yaml:6: agents.one.screens[1]: Got a map, expected a state and a condition: text, bottom, cursorLine, inside, over, footer, title or hasComposer: true.',
    'config.yaml:7: agents.one.screens[2].below: Unknown key "below"; the known keys are state, name, text, bottom, cursorLine, inside, over, solid, border, head, footer, title, hasComposer, takesPastes.',
    'config.yaml:8: agents.one.composer.cursor: Got "hidden", expected one of shown, placed.',
    'config.yaml:9: agents.one.launch.prompt: Got a list, expected arguments with {text} in one of them that cannot be taken for a flag: behind --, or in --name={text}.',
    'config.yaml:11: agents.two.launch.prompt: Got a list, expected arguments with {text} in one of them that cannot be taken for a flag: behind --, or in --name={text}.',
  ]);
});

test('every pattern for a terminal is looked at by the engine that will run it', () => {
  const agents: Record<string, AgentSettings> = {
    mine: {
      interactive: { command: ['mine'] },
      screens: [{ state: 'busy', bottom: '(?=x)', footer: 'fine', title: '(', inside: '\\1' }],
      composer: { line: '(?<!x)', more: '(', ghost: ')', shell: '[' },
    },
    other: { interactive: { command: ['other'] }, composer: { ghost: 'x' } },
  };
  const faults = agentUseFaults(
    { agents, lineup: [], helper: undefined },
    { builtIn: [], compile: compilePattern, placeOf: () => ({ where: 'config.yaml' }) },
  );
  expect(faults.map(({ path }) => path)).toEqual([
    'agents.mine.screens[0].bottom',
    'agents.mine.screens[0].title',
    'agents.mine.screens[0].inside',
    'agents.mine.composer.line',
    'agents.mine.composer.more',
    'agents.mine.composer.ghost',
    'agents.mine.composer.shell',
    'agents.other.composer',
  ]);
});

test('a built-in agent gets another model by arguments alone, where its program takes them', () => {
  const settings: Readonly<Record<string, AgentSettings>> = Object.fromEntries(
    ['claude', 'codex', 'goose'].map((name) => [name, { args: ['--model', 'opus'] }]),
  );
  const commands = joinAgents(AGENTS, settings).flatMap(({ name, oneshot, interactive }) =>
    name in settings ? [[oneshot?.command.join(' '), interactive?.command.join(' ')]] : [],
  );
  expect(commands).toEqual([
    [expect.stringMatching(/^claude -p .* --model opus$/), 'claude --model opus'],
    ['codex exec --json --skip-git-repo-check --sandbox workspace-write --model opus -', 'codex --model opus'],
    [expect.stringMatching(/^goose run --instructions - .* --model opus$/), 'goose session --model opus'],
  ]);
  const boxed = joinAgents(AGENTS, settings).find(({ name }) => name === 'codex')?.oneshot?.boxed;
  expect(boxed?.command?.join(' ')).toMatch(/ --sandbox danger-full-access --model opus -$/);
  const own = { oneshot: { command: ['mine', '--', '{prompt}'], prompt: 'argument' as const }, args: ['-x'] };
  expect(joinAgents([], { mine: own })[0]?.oneshot?.command).toEqual(['mine', '-x', '--', '{prompt}']);
});

test('added arguments cannot end the options or take the prompt', () => {
  const allowed = 'expected a list of arguments, without -- and {prompt}.';
  expect(faultsIn('agents: { claude: { args: [--, x] } }')).toEqual([expect.stringContaining(allowed)]);
  expect(faultsIn('agents: { claude: { args: ["{prompt}"] } }')).toEqual([expect.stringContaining(allowed)]);
  expect(faultsIn('agents: { claude: { args: [--model, opus] } }')).toEqual([]);
});

test('lists of a box in the configuration take the place of the built-in ones, and a wrong one is named', () => {
  const builtIn: Agent = {
    name: 'mine',
    env: [],
    errors: [],
    box: { writable: ['~/.mine'], copied: ['~/.mine.json'] },
  };
  const [joined] = joinAgents([builtIn], { mine: { box: { writable: ['~/.mine', '~/.cache/mine'] } } });
  expect(joined?.box).toEqual({ writable: ['~/.mine', '~/.cache/mine'], copied: ['~/.mine.json'] });
  expect(faultsIn('agents: { claude: { box: { writable: ~/.claude } } }')).toEqual([
    expect.stringContaining('expected a list of paths that begin with ~/ or a variable.'),
  ]);
});

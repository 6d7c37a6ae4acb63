import { expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import { renderFault } from '../core/errors.ts';
import { agentsFaults, joinAgents } from './agents.ts';
import { openDocument } from './document.ts';

function faultsIn(yaml: string): readonly string[] {
  const opened = openDocument('yaml', yaml, 'config.yaml');
  if (!opened.ok) throw new Error('not YAML');
  return agentsFaults(opened.value).map(renderFault);
}

/** The example of the design, with all that live sessions will need. */
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
`;
  expect(faultsIn(yaml)).toEqual([
    'config.yaml:2: agents.Mine: "Mine" cannot be an agent\'s name; use small letters, digits and -, at most 40.',
    'config.yaml:7: agents.one.oneshot.retries: Unknown key "retries"; known are command, prompt, output, set, firstOutputS, retryLine.',
    'config.yaml:5: agents.one.oneshot.command: Got an empty list, expected a list: the program, then its arguments.',
    'config.yaml:6: agents.one.oneshot.prompt: Got "clipboard", expected one of stdin, file, argument.',
    'config.yaml:8: agents.one.env[0]: Got "A-B", expected the name of a variable.',
    'config.yaml:10: agents.one.errors[0].class: Got "bored", expected one of quota, rate_limit, overload, auth, setup, network, context.',
    'config.yaml:11: agents.one.errors[1]: Got a map, expected a class and what tells it: stderr, text, codes, statuses or exitCodes.',
    'config.yaml:12: agents.one.errors[2]: Got a map, expected either stderr or text.',
    'config.yaml:13: agents.one.screens[0].state: Got "gone", expected one of starting, ready, busy, asking.',
    'config.yaml:14: agents.one.ladder[0]: Got "shout", expected one of hook, flag, typed, file, notice.',
    'config.yaml:16: agents.two.oneshot: Got a map, expected a prompt that cannot be taken for a flag: {prompt} behind --, or in --name={prompt}.',
    'config.yaml:18: agents.three.oneshot.output: Got a map, expected rules beside the format json or jsonl.',
    'config.yaml:19: agents.four: Got 7, expected a map with oneshot, env, errors ….',
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

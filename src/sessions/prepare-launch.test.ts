import { describe, expect, test } from 'vitest';
import { sha256 } from '../system/sha256.ts';
import { fakeAgent } from '../testing/fake-session.ts';
import type { Measurement } from '../verify/measurement.ts';
import { PLAIN_LAUNCH } from './channels/channel.ts';
import {
  agentEnvironment,
  canTakeHistory,
  canTakeHooks,
  hookLaunch,
  startupChannels,
  withStartup,
} from './prepare-launch.ts';
import type { SessionStartup } from './prepared.ts';

const HOOK = {
  firesAt: 'launch',
  file: { name: 'hooks.json', content: '{"run":"{command session-start}","code":"{plug-in}"}' },
  args: ['--hooks', '{file}'],
  givesWayTo: { args: ['--hooks'], variables: ['MINE_HOOKS'], files: ['/etc/mine/hooks.json'] },
} as const;
const HISTORY = {
  file: { name: 'told.jsonl', content: '{"id":"{id}","at":"{time}","said":"{text}"}' },
  args: ['--open={file}'],
  since: '1.10.0',
  givesWayTo: ['--id'],
} as const;
const TEXTS = {
  sha256,
  script: '/opt/fore word/hook',
  quote: (word: string) => (word.includes(' ') ? `'${word}'` : word),
  plugIn: (agent: string, words: (event: string) => readonly string[]) =>
    agent === 'mine' ? `run(${words('stop').join(',')})` : '',
};
const MEASURED = {
  arrivals: { 'start-typed': { kind: 'dropped' }, file: { kind: 'served' } },
} as unknown as Measurement;

describe('our hooks at a launch', () => {
  const { interactive } = fakeAgent({ launch: { hook: HOOK } });
  const around = { args: [], env: {}, isThere: () => false };

  test('come in where the agent takes them and nothing of the person is in the way', () => {
    expect(canTakeHooks(interactive, around)).toBe(true);
    expect(canTakeHooks(fakeAgent().interactive, around)).toBe(false);
  });

  test("give way to a person's argument, variable or file", () => {
    expect(canTakeHooks(interactive, { ...around, args: ['--hooks=mine.json'] })).toBe(false);
    expect(canTakeHooks(interactive, { ...around, env: { MINE_HOOKS: 'x' } })).toBe(false);
    expect(canTakeHooks(interactive, { ...around, isThere: (path) => path === '/etc/mine/hooks.json' })).toBe(false);
  });

  test("call our script in place of the shell that the agent runs for it, and hold the agent's plug-in", () => {
    expect(hookLaunch(fakeAgent({ launch: { hook: HOOK } }), '/run/s1', TEXTS)).toEqual({
      args: ['--hooks', '/run/s1/hooks.json'],
      set: {},
      files: [
        {
          path: '/run/s1/hooks.json',
          content: `{"run":"exec '/opt/fore word/hook' session-start mine","code":"run(/opt/fore word/hook,stop,mine)"}`,
        },
      ],
    });
  });
});

describe('the startup context at a launch', () => {
  const startup = { id: 'fw_1', text: 'hello', code: 'abcdef', ladder: ['flag'], required: 'submitted' } as const;

  const at = (given: SessionStartup | undefined): Parameters<typeof withStartup>[2] => ({
    startup: given,
    folder: '/run/s1',
    now: '2026-01-01T00:00:00Z',
    server: {
      words: ['/usr/bin/node', '/opt/fore word/start.cjs', 'mcp'],
      env: { FOREWORD_SESSION: 's1' },
      quote: TEXTS.quote,
    },
  });

  test('is in a file of the session where the launch puts it into the conversation', () => {
    const agent = fakeAgent({ launch: { history: HISTORY } });
    const text = 'a "quoted" {id}\nsecond line $&';
    const plan = withStartup(agent, PLAIN_LAUNCH, at({ ...startup, text, launched: 'flag', awaitsPrompt: true }));
    expect(plan.args).toEqual(['--open=/run/s1/told.jsonl']);
    expect(plan.files.map(({ path }) => path)).toEqual(['/run/s1/told.jsonl']);
    const told = JSON.parse(plan.files[0]?.content ?? '');
    expect(told).toEqual({
      id: 'fw_1',
      at: '2026-01-01T00:00:00Z',
      said: expect.stringMatching(/^\[foreword fw_1\] /),
    });
    expect(told.said.endsWith(text)).toBe(true);
  });

  test('is put there only by a version that has it, and not beside arguments that exclude it', () => {
    const { interactive } = fakeAgent({ launch: { history: HISTORY } });
    const takes = (version: string | undefined, ...args: string[]) => canTakeHistory(interactive, { version, args });
    expect(['1.9.0', '1.10.0', '1.10.2', '2.0.0', '1.10.0-rc.1'].map((version) => takes(version))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect([takes(undefined), takes('2.0.0', '--id', 'x'), takes('2.0.0', '--id=x'), takes('2.0.0', '--idle')]).toEqual(
      [false, false, false, true],
    );
    expect(canTakeHistory(fakeAgent().interactive, { version: '2.0.0', args: [] })).toBe(false);
  });

  test('is the last argument when the flag carries it', () => {
    const agent = fakeAgent({ launch: { prompt: ['--prompt={text}'] } });
    const { args } = withStartup(agent, { ...PLAIN_LAUNCH, args: ['-x'] }, at({ ...startup, launched: 'flag' }));
    expect(args).toHaveLength(2);
    expect(args[0]).toBe('-x');
    expect(args[1]).toMatch(/^--prompt=[\s\S]*hello/);
  });

  test('is asked for by the model where the launch brings our server', () => {
    const given = { ...startup, ladder: ['mcp'], launched: 'mcp' } as const;
    const json = fakeAgent({ launch: { mcp: { args: ['--servers', '{"foreword":{server}}'] } } });
    const [flag, value = ''] = withStartup(json, PLAIN_LAUNCH, at(given)).args;
    expect([flag, JSON.parse(value)]).toEqual([
      '--servers',
      {
        foreword: {
          command: '/usr/bin/node',
          args: ['/opt/fore word/start.cjs', 'mcp'],
          env: { FOREWORD_SESSION: 's1' },
        },
      },
    ]);
    const line = fakeAgent({ launch: { mcp: { args: ['--with={line}'] } } });
    expect(withStartup(line, PLAIN_LAUNCH, at(given)).args).toEqual([
      "--with=FOREWORD_SESSION=s1 /usr/bin/node '/opt/fore word/start.cjs' mcp",
    ]);
  });

  test('is not in the arguments when another channel carries it', () => {
    const hooks = { ...PLAIN_LAUNCH, args: ['-x'] };
    expect(withStartup(fakeAgent(), hooks, at({ ...startup, launched: 'hook' }))).toBe(hooks);
    expect(withStartup(fakeAgent(), hooks, at(undefined))).toBe(hooks);
  });
});

describe('the channels of a startup context', () => {
  const given = {
    own: 'nothing',
    isTrusted: false,
    takesHistory: false,
    takesMcp: false,
    hasHooks: false,
    needsReply: false,
    measured: () => MEASURED,
  } as const;
  const request = { channel: undefined, isUnattended: false, wait: undefined };

  test('that this version was seen to lose come after those it was seen to serve', () => {
    expect(startupChannels(fakeAgent(), request, given).ladder).toEqual(['file', 'typed', 'notice']);
  });

  test('begin with the one a person names, whatever was measured', () => {
    const ladder = startupChannels(fakeAgent(), { ...request, channel: 'typed' }, given).ladder;
    expect(ladder).toEqual(['typed', 'file', 'notice']);
  });

  test('that the agent does not have are refused with those it has', () => {
    expect(() => startupChannels(fakeAgent(), { ...request, channel: 'hook' }, given)).toThrow(
      expect.objectContaining({
        code: 'bad-usage',
        message: 'mine does not have the channel hook.',
        hint: 'Its channels: typed, file, notice.',
      }),
    );
  });
});

test("an agent's environment names its session, and never the context of an outer one", () => {
  const env = { PATH: '/bin', FOREWORD_CONTEXT_FILE: '/run/outer/context.json' };
  const launch = { ...PLAIN_LAUNCH, set: { MINE: '1' } };
  const session = { id: 's1', socket: '/run/s1/socket', contextFile: undefined };
  const common = { PATH: '/bin', MINE: '1', FOREWORD_SESSION: 's1', FOREWORD_SOCKET: '/run/s1/socket' };
  expect(agentEnvironment(env, launch, session)).toEqual(common);
  expect(agentEnvironment(env, launch, { ...session, contextFile: '/run/s1/context.json' })).toEqual({
    ...common,
    FOREWORD_CONTEXT_FILE: '/run/s1/context.json',
  });
});

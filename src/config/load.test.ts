import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import { completeSettings } from '../context/texts/handover-texts.ts';
import { isForewordError, renderFault } from '../kernel/errors.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { compilePattern } from '../system/patterns/linear.ts';
import { checkAgents, loadConfig, readConfig, settings, trustNeeded, variableOf } from './load.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-config-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

/** The error for a person when the configuration is wrong. */
function faultsOf(sources: Omit<Parameters<typeof loadConfig>[0], 'root'>): readonly string[] {
  try {
    loadConfig({ env: {}, ...sources, root });
    return [];
  } catch (error) {
    if (!isForewordError(error) || error.code !== 'bad-config') throw error;
    return error.faults.map(renderFault);
  }
}

describe('values', () => {
  test('without anything, every setting has its default', () => {
    const { config, origins } = loadConfig({ root, env: {} });
    expect(config).toMatchObject({
      project: basename(root),
      store: undefined,
      lineup: ['gemini', 'copilot', 'cursor', 'codex', 'claude'],
      helper: undefined,
      agents: {},
      context: { recentSec: 180, tasks: undefined, notes: undefined, policy: undefined },
      history: { size: 5, maxBlockers: 10 },
      handover: {
        enabled: true,
        maxLines: 10,
        types: ['circuit_breaker', 'retry', 'helper'],
        helperMaxAttempts: 2,
        maxFiles: 3,
      },
      startup: { budgetChars: 6000, maxHits: 5 },
      search: { maxFileBytes: 524_288, maxHits: 5 },
      state: { dump: false },
      templates: { engineer: undefined, reviewer: undefined, helper: undefined },
      run: {
        maxAgentFailures: 10,
        maxWaitS: 43_200,
        holdout: 0,
        concurrency: 1,
        leaseMs: 30_000,
        prepare: undefined,
        prepareTimeoutS: 1800,
        share: ['node_modules', 'vendor'],
        checkTimeoutS: 600,
        helperTimeoutS: 300,
        hangS: 600,
        confine: 'auto',
        allow: [],
        reviewRounds: 2,
        leaveAt: 95,
      },
      breaker: {
        quotaMs: 3_600_000,
        authMs: 3_600_000,
        rateLimitMs: 60_000,
        maxMs: 900_000,
        failures: 3,
        withinMs: 300_000,
      },
      injection: {
        readinessTimeoutMs: 30_000,
        requireAcknowledgment: false,
        ackTimeoutMs: 5000,
        retryBackoffs: [1000, 2000, 5000, 10_000],
        fileFallbackAfterAttempts: 3,
        sendNotificationOnFailure: true,
        readinessPatterns: [],
        acknowledgmentPatterns: [],
      },
      session: { queueSize: 100 },
      gate: {
        mode: 'inline',
        files: ['CONSTITUTION', 'TASKS', 'CONVENTIONS', 'DECISIONS', 'LEARNINGS', 'AGENT_PLAYBOOK'].map(
          (name) => `.context/${name}.md`,
        ),
        mustRead: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
        budgetChars: 7500,
      },
      prompt: { maxChars: 1024 },
      sandbox: { level: 'auto', readOnly: [], writeMiB: 2048 },
      redact: { variables: [] },
    });
    expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(['default']));
    expect(Object.keys(origins)).toEqual(settings().map(([name]) => name));
  });

  test('file, variable and flag win in this order, and each value knows where it came from', () => {
    write(
      '.foreword/config.yaml',
      'project: shop\nhistory:\n  size: 3\n  maxBlockers: 3\nstate:\n  dump: true\ncontext:\n',
    );
    const env = { FOREWORD_HISTORY_MAX_BLOCKERS: '4', FOREWORD_STORE: 'redis://a', FOREWORD_HISTORY_SIZE: '4' };
    const { config, origins } = loadConfig({
      root,
      env,
      flags: { store: 'b.db', 'history.size': '5', project: undefined },
    });
    expect([config.history, config.store, config.project, config.state]).toMatchObject([
      { size: 5, maxBlockers: 4 },
      join(root, 'b.db'),
      'shop',
      { dump: true },
    ]);
    expect(origins).toMatchObject({
      project: { value: 'shop', from: '.foreword/config.yaml' },
      store: { value: join(root, 'b.db'), from: '--store' },
      'history.size': { value: 5, from: '--size' },
      'history.maxBlockers': { value: 4, from: 'FOREWORD_HISTORY_MAX_BLOCKERS' },
      'context.recentSec': { value: 180, from: 'default' },
    });
  });

  test('the names that hand-over settings had first still work; the new ones are stronger', () => {
    const env = {
      ENABLE_PRE_CONTEXT_INJECTION: '0',
      PRE_CONTEXT_MAX_LINES: '6',
      PRE_CONTEXT_TYPES: 'retry, helper,',
      HELPER_CONTEXT_MAX_ATTEMPTS: '1',
      PRE_CONTEXT_MAX_FILES: '2',
      FOREWORD_HANDOVER_MAX_LINES: '8',
    };
    const { config, origins } = loadConfig({ root, env });
    expect(config.handover).toEqual({
      enabled: false,
      maxLines: 8,
      types: ['retry', 'helper'],
      helperMaxAttempts: 1,
      maxFiles: 2,
    });
    expect(origins['handover.types']).toEqual({ value: ['retry', 'helper'], from: 'PRE_CONTEXT_TYPES' });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['FALSE', false],
    ['0', false],
    ['', false],
    ['  ', false],
  ])('the switch %j is %s', (written, dump) => {
    expect(loadConfig({ root, env: { FOREWORD_STATE_DUMP: written } }).config.state.dump).toBe(dump);
  });

  test('every setting has a variable of its own, and no two share one', () => {
    const variables = settings().flatMap(([name, { variable }]) => [variableOf(name), ...(variable ? [variable] : [])]);
    expect(variables).toContain('FOREWORD_CONTEXT_RECENT_SEC');
    expect(variables).toContain('FOREWORD_HANDOVER_HELPER_MAX_ATTEMPTS');
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe('files', () => {
  test.each([
    ['.foreword/config.yml', 'history: {size: 4}'],
    ['.foreword/config.json', '{"$schema": "x", "history": {"size": 4}}'],
  ])('%s is read when there is no config.yaml', (name, content) => {
    write(name, content);
    expect(loadConfig({ root, env: {} }).config.history.size).toBe(4);
    write('.foreword/config.yaml', '# nothing\n');
    expect(loadConfig({ root, env: {} }).config.history.size).toBe(5);
  });

  test('--config takes the place of the usual file and must exist', () => {
    write('.foreword/config.yaml', 'history: {size: 4}');
    write('other.yaml', 'history: {maxBlockers: 4}\ntemplates: {engineer: ../shared/engineer.md}');
    const { config } = loadConfig({ root, env: {}, file: 'other.yaml' });
    expect(config.history).toMatchObject({ size: 5, maxBlockers: 4 });
    expect(config.templates.engineer).toBe('../shared/engineer.md');
    expect(faultsOf({ file: 'absent.yaml' })).toEqual(['absent.yaml: No such file.']);
    write('config.edn', '{}');
    expect(faultsOf({ file: 'config.edn' })).toEqual([
      'config.edn: The file name has no known ending; expected .yaml, .yml, .json.',
    ]);
  });
});

describe('faults', () => {
  test('of file, variables and flags come all at once', () => {
    write(
      '.foreword/config.yaml',
      'histroy:\n  size: 3\nhistory:\n  size: 9\n  depth: 1\nstore: redis://elsewhere\nhandover:\n  types: [retry, review]\n  maxLines: 3\nstate: yes\ntemplates:\n  engineer: ../../etc/passwd\n  helper: /etc/passwd\n__proto__: {a: 1}\n',
    );
    const env = {
      FOREWORD_STATE_DUMP: 'maybe',
      PRE_CONTEXT_TYPES: 'retry,all',
      FOREWORD_CONTEXT_RECENTSEC: '5',
      FOREWORD_TEST_LONG: '1',
    };
    expect(faultsOf({ env, flags: { 'history.maxBlockers': '1e9' } })).toEqual([
      '.foreword/config.yaml:1: histroy: Unknown key "histroy"; did you mean history?',
      '.foreword/config.yaml:4: history.size: Got 9, expected a whole number from 3 to 5.',
      expect.stringMatching(
        /^\.foreword\/config\.yaml:5: history\.depth: Unknown key "depth"; the known keys are size, .*maxBlockers\.$/,
      ),
      '.foreword/config.yaml:6: store: The configuration file cannot set the store; use --store or FOREWORD_STORE.',
      '.foreword/config.yaml:8: handover.types[1]: Got "review", expected one of circuit_breaker, retry, helper.',
      '.foreword/config.yaml:9: handover.maxLines: Got 3, expected a whole number from 4 to 10.',
      '.foreword/config.yaml:10: state: Got "yes", expected a map with dump.',
      '.foreword/config.yaml:12: templates.engineer: Got "../../etc/passwd", expected a path inside the project.',
      '.foreword/config.yaml:13: templates.helper: Got "/etc/passwd", expected a path inside the project.',
      '.foreword/config.yaml:14: __proto__: Unknown key "__proto__"; the known keys are project, lineup, helper, agents, context, history, handover, startup, search, state, templates, run, breaker, worker, injection, session, sessions, gate, prompt, continuity, sandbox, redact.',
      'FOREWORD_CONTEXT_RECENTSEC: No such setting; did you mean FOREWORD_CONTEXT_RECENT_SEC?',
      '--max-blockers: Got "1e9", expected a whole number from 1 to 100.',
      'PRE_CONTEXT_TYPES: [1]: Got "all", expected one of circuit_breaker, retry, helper.',
      'FOREWORD_STATE_DUMP: Got "maybe", expected true or false.',
    ]);
  });

  test('an empty list of pauses is refused', () => {
    write('.foreword/config.yaml', 'injection:\n  retryBackoffs: []\n');
    expect(faultsOf({})).toEqual([
      '.foreword/config.yaml:2: injection.retryBackoffs: Got an empty list, expected 1 to 20 numbers, each 0 to 600000.',
    ]);
  });

  test.each([
    ['a list', '- a', '.foreword/config.yaml:1: Got a list, expected a map of settings.'],
    ['broken syntax', 'a: [', '.foreword/config.yaml:1: Not valid YAML: '],
    ['bytes that are no text', Buffer.from([0x61, 0x0a, 0xff, 0xfe]), '.foreword/config.yaml:2: Is not UTF-8 text'],
  ])('%s', (_name, content, expected) => {
    mkdirSync(join(root, '.foreword'));
    writeFileSync(join(root, '.foreword/config.yaml'), content);
    expect(faultsOf({})).toEqual([expect.stringContaining(expected)]);
  });

  test('a hook goes on with the defaults, its variables and the faults', () => {
    write('.foreword/config.yaml', 'history: {size: 4}\nsearch: {maxHits: 0}\n');
    const { config, faults } = readConfig({
      root,
      env: { FOREWORD_STARTUP_MAX_HITS: '7', FOREWORD_HISTORY_SIZE: 'x' },
    });
    expect([config.history.size, config.search.maxHits, config.startup.maxHits]).toEqual([5, 5, 7]);
    expect(faults.map(({ where }) => where)).toEqual(['.foreword/config.yaml', 'FOREWORD_HISTORY_SIZE']);
  });

  test('a file that may not be read is a fault, not an absent one', () => {
    write('.foreword/config.yaml', '');
    chmodSync(join(root, '.foreword/config.yaml'), 0);
    // A privileged user reads it all the same.
    expect(faultsOf({})).toEqual(
      process.getuid?.() === 0 ? [] : ['.foreword/config.yaml: Cannot be read: permission denied.'],
    );
  });
});

describe('what needs trust', () => {
  const brought = `history: { size: 4 }
lineup: [mine, codex]
helper: codex
agents:
  mine: { oneshot: { command: [./mine], prompt: stdin } }
sandbox: { level: none }
`;
  const parts = {
    lineup: ['mine', 'codex'],
    helper: 'codex',
    agents: { mine: { oneshot: { command: ['./mine'], prompt: 'stdin' } } },
    sandbox: { level: 'none' },
  };

  test('is ignored in the repository’s own file until a person agreed; the rest counts', () => {
    write('.foreword/config.yaml', brought);
    const { config, ignored, needsTrust } = loadConfig({ root, env: {} });
    const usual = loadConfig({ root: `${root}/..`, env: {} }).config;
    expect(config).toEqual({ ...usual, project: basename(root), history: { ...usual.history, size: 4 } });
    expect(ignored).toEqual(['lineup', 'helper', 'agents', 'sandbox']);
    expect(needsTrust).toEqual({ parts });
  });

  test('counts once it is trusted', () => {
    write('.foreword/config.yaml', brought);
    const loaded = loadConfig({ root, env: {}, isTrusted: true });
    const { lineup, helper, agents, sandbox } = loaded.config;
    expect({ lineup, helper, agents, sandbox }).toEqual({
      ...parts,
      sandbox: { level: 'none', readOnly: [], writeMiB: 2048 },
    });
    expect([loaded.ignored, loaded.needsTrust]).toEqual([[], { parts }]);
  });

  test('counts in a file named on the command line, and in variables', () => {
    write('mine.yaml', brought);
    const loaded = loadConfig({ root, env: { FOREWORD_LINEUP: 'claude' }, file: 'mine.yaml' });
    expect([loaded.config.lineup, loaded.config.helper]).toEqual([['claude'], 'codex']);
    expect([loaded.ignored, loaded.needsTrust]).toEqual([[], { parts: {} }]);
  });

  test('is needed for run.prepare alone in its section', () => {
    write('.foreword/config.yaml', 'run: { prepare: [npm, ci], concurrency: 2 }\n');
    const untrusted = loadConfig({ root, env: {} });
    expect([untrusted.ignored, untrusted.needsTrust.parts]).toEqual([
      ['run.prepare'],
      { 'run.prepare': ['npm', 'ci'] },
    ]);
    expect(untrusted.config.run).toMatchObject({
      prepare: undefined,
      share: ['node_modules', 'vendor'],
      concurrency: 2,
    });
    const { run } = loadConfig({ root, env: {}, isTrusted: true }).config;
    expect(run).toMatchObject({ prepare: ['npm', 'ci'], share: [], concurrency: 2 });
  });

  test('is named for what it is, and no more', () => {
    expect(trustNeeded({ project: 'x', helper: null, lineup: [] })).toEqual({ parts: { lineup: [] } });
    expect(trustNeeded(undefined)).toEqual({ parts: {} });
  });
});

describe('run.share', () => {
  test('is a list of paths that stay in the project', () => {
    write(
      'mine.yaml',
      'run:\n  share:\n    - ../other\n    - /etc\n    - a/../b\n    - " "\n    - ./\n    - .git/hooks\n    - ~/x\n    - ok/./deep\n',
    );
    const fault = (line: number, index: number, given: string) =>
      `mine.yaml:${line}: run.share[${index}]: Got "${given}", expected a path below the project, without .. and .git.`;
    expect(faultsOf({ file: 'mine.yaml' })).toEqual([
      fault(3, 0, '../other'),
      fault(4, 1, '/etc'),
      fault(5, 2, 'a/../b'),
      fault(6, 3, ' '),
      fault(7, 4, './'),
      fault(8, 5, '.git/hooks'),
      fault(9, 6, '~/x'),
    ]);
    expect(faultsOf({ env: { FOREWORD_RUN_SHARE: '../x' } })).toHaveLength(1);
    expect(loadConfig({ root, env: { FOREWORD_RUN_SHARE: 'a, b/c' } }).config.run.share).toEqual(['a', 'b/c']);
  });

  test('run.prepare is a program and its arguments', () => {
    write('mine.yaml', 'run: { prepare: npm ci }\n');
    expect(faultsOf({ file: 'mine.yaml' })).toEqual([
      'mine.yaml:1: run.prepare: Got "npm ci", expected a program and its arguments, as a list.',
    ]);
    write('mine.yaml', 'run: { prepare: [] }\n');
    expect(faultsOf({ file: 'mine.yaml' })).toHaveLength(1);
  });
});

describe('agents', () => {
  /** The error for a person who runs something. */
  function useFaults(content: string, env = {}): readonly string[] {
    write('mine.yaml', content);
    try {
      checkAgents(loadConfig({ root, env, file: 'mine.yaml' }), { builtIn: AGENTS, compile: compilePattern });
      return [];
    } catch (error) {
      if (!isForewordError(error)) throw error;
      return error.faults.map(renderFault);
    }
  }

  test('of the lineup, the helper and the reviewer must exist', () => {
    expect(useFaults('lineup:\n  - codex\n  - claud\nhelper: nobody-at-all\n')).toEqual([
      'mine.yaml:3: lineup[1]: No such agent "claud"; did you mean claude?',
      'mine.yaml:4: helper: No such agent "nobody-at-all"; the agents are aider, amp, claude, codex, copilot, crush, cursor, gemini, goose, opencode, pi, qwen.',
    ]);
    expect(useFaults('', { FOREWORD_LINEUP: 'mine' })).toEqual([
      expect.stringContaining('FOREWORD_LINEUP: lineup[0]:'),
    ]);
    expect(useFaults('run:\n  review: codx\n')).toEqual([
      'mine.yaml:2: run.review: No such agent "codx"; did you mean codex?',
    ]);
    expect(useFaults('run: { review: next }\n')).toEqual([]);
    expect(useFaults('')).toEqual([]);
  });

  test('need a command, and patterns that cannot hang', () => {
    const content = `agents:
  mine:
    env: [A]
  other:
    oneshot: { command: [x], prompt: stdin, output: { format: text, answered: '(?=x)' } }
    errors:
      - { class: quota, stderr: '(a' }
      - { class: auth, text: 'fine|good' }
    screens: [{ state: ready, cursorLine: '\\1' }]
  codex: { env: [MY_KEY] }
lineup: [mine, other]
`;
    expect(useFaults(content)).toEqual([
      'mine.yaml:3: agents.mine: Has no command; add oneshot or interactive.',
      expect.stringContaining('mine.yaml:5: agents.other.oneshot.output.answered: Not a valid pattern: '),
      expect.stringContaining(
        'mine.yaml:7: agents.other.errors[0].stderr: Not a valid pattern: missing closing ): `(a`.',
      ),
      expect.stringContaining('mine.yaml:9: agents.other.screens[0].cursorLine: '),
    ]);
  });

  test('in a variable are refused', () => {
    expect(faultsOf({ env: { FOREWORD_AGENTS: 'x' } })).toEqual([
      'FOREWORD_AGENTS: Got "x", expected a map of agents.',
    ]);
  });
});

test('secrets are the long values of variables that sound secret or are named', () => {
  const env = {
    API_KEY: 'k'.repeat(9),
    my_token: 'token-value',
    DB_PASSWORD: 'password1',
    CLIENT_SECRET: 'password1',
    SHORT_KEY: 'seven77',
    HOME: '/home/someone',
    PIN_CODE: '12345678',
    UNSET_TOKEN: undefined,
  };
  expect(secretsFromEnv(env, ['PIN_CODE', 'ABSENT'])).toEqual(['token-value', 'kkkkkkkkk', 'password1', '12345678']);
  expect(environment().PATH).toBe(process.env.PATH);
});

test('a relative store starts at the root in a variable, and at the current folder in a flag', () => {
  const cwd = join(root, 'src');
  const storeOf = (sources: object) => loadConfig({ root, cwd, env: {}, ...sources }).config.store;
  expect(storeOf({ env: { FOREWORD_STORE: 'own/memory.db' } })).toBe(join(root, 'own/memory.db'));
  expect(storeOf({ flags: { store: 'own/memory.db' } })).toBe(join(cwd, 'own/memory.db'));
  expect(storeOf({ env: { FOREWORD_STORE: '/own/memory.db' } })).toBe('/own/memory.db');
  expect(storeOf({ flags: { store: 'redis://own/1' } })).toBe('redis://own/1');
  expect(storeOf({})).toBeUndefined();
});

test('what the configuration allows for a hand-over is what a hand-over uses', () => {
  for (const name of ['maxLines', 'helperMaxAttempts', 'maxFiles'] as const) {
    const allowed = settings().find(([one]) => one === `handover.${name}`)?.[1].allowed ?? '';
    for (const value of allowed.split(' to ').map(Number))
      expect(completeSettings({ [name]: value })[name]).toBe(value);
  }
});

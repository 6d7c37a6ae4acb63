import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { ForewordEvent, NewEvent } from '../../kernel/events.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { attempt, isoAt, record, run, task } from '../../stores/contract/samples.ts';
import type { SeenTask } from '../task-view.ts';
import { type ReportFacts, reportOf } from './report.ts';
import { reportText } from './sections.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const COMMIT = 'c0ffee'.padEnd(40, '0');
const shown = (iso: string) => iso.slice(0, 16).replace('T', ' ');
const text = (facts: ReportFacts) => reportText(reportOf(facts), shown);

let number = 0;
function at(ms: number, event: NewEvent): ForewordEvent {
  number += 1;
  return { id: `e${number}`, at: isoAt(ms), ...event };
}

const NIGHT = {
  ...run('tasks-1a2b'),
  taskFile: 'tasks.yaml',
  startedAt: isoAt(0),
  base: { mode: 'head', commit: 'b'.repeat(40), branch: 'main' },
} as const;

function seen(
  more: Partial<TaskRecord> & Pick<TaskRecord, 'task_id' | 'status'>,
  attempts: readonly AttemptRecord[] = [],
): SeenTask {
  const { task_id, status } = more;
  return {
    task: { ...record(task_id, status), run: NIGHT.id, intent: `Make ${task_id}`, ...more },
    attempts,
    run: NIGHT,
    supervisor: undefined,
  };
}

function facts(more: Partial<ReportFacts> = {}): ReportFacts {
  return {
    run: NIGHT,
    runs: [NIGHT],
    tasks: [],
    events: [],
    breakers: [],
    now: Date.parse(isoAt(9 * HOUR)),
    hourOf: (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 13)}:00`,
    ...more,
  };
}

const opened = (ms: number) =>
  at(ms, { kind: 'run-opened', run: NIGHT.id, branch: `foreword/${NIGHT.id}`, isNew: true, uncommitted: [] });
const ended = (ms: number, isInterrupted = false) =>
  at(ms, { kind: 'run-finished', completed: 0, failed: 0, blocked: 0, needsReview: 0, durationMs: 1, isInterrupted });
const tried = (ms: number, id: string, by = 'codex') =>
  at(ms, {
    kind: 'attempt-finished',
    task: id,
    attempt: 1,
    agent: by,
    status: 'completed',
    durationMs: 1,
    filesChanged: 1,
  });
const finished = (ms: number, id: string, status: 'completed' | 'failed' | 'blocked') =>
  at(ms, { kind: 'task-finished', task: id, status, attempts: 1 });
const behind = (id: string) => ({ task: { ...task(id), depends_on: ['b'] } });

function passed(ms: number, by: string, more: Partial<AttemptRecord> = {}): AttemptRecord {
  const { exitReason: _, ...plain } = attempt(1, by);
  return {
    ...plain,
    status: 'completed',
    validationErrors: [],
    timestamp: isoAt(ms),
    verdict: { outcome: 'passed', results: [] },
    ...more,
  };
}

test('the page on a night: causes first, then what is done, what it took, and the hours', () => {
  const review = { agent: 'claude', asked: [], verdict: 'approve', findings: [] } as const;
  const box = { level: 'bubblewrap', refused: ['write to ~/.ssh/config'] } as const;
  const tasks = [
    seen({ task_id: 'a', status: 'completed', commit: COMMIT, by: 'checks' }, [
      passed(HOUR, 'codex', {
        verdict: { outcome: 'passed', results: [], review, spent: [{ agent: 'claude' }] },
        usage: { input: 1000, output: 50, costUsd: 0.5 },
        box,
      }),
    ]),
    seen(
      {
        task_id: 'b',
        status: 'failed',
        reason: 'validation failed 2 time(s); the last: tests: exited with 1',
        ...behind('b'),
        task: task('b'),
      },
      [
        {
          ...attempt(1, 'codex'),
          timestamp: isoAt(HOUR),
          exitReason: 'circuit_breaker',
          exitClass: 'quota',
          box: { level: 'none', why: 'bubblewrap is not installed' },
        },
        {
          ...attempt(2, 'claude'),
          timestamp: isoAt(5 * HOUR),
          stderr: 'one\nnpm ERR! two\n',
          log: '/state/b/attempt-2.log',
        },
      ],
    ),
    seen({ task_id: 'c', status: 'blocked', reason: 'depends on b, which is failed', ...behind('c') }),
    seen({
      task_id: 'd',
      status: 'blocked',
      reason: 'depends on c, which cannot be done',
      task: { ...task('d'), depends_on: ['c'] },
    }),
  ];
  const events = [
    opened(0),
    tried(HOUR, 'a'),
    finished(HOUR, 'a', 'completed'),
    at(HOUR, { kind: 'breaker-opened', agent: 'codex', reason: 'quota', until: isoAt(4 * HOUR) }),
    at(HOUR, { kind: 'agent-switched', task: 'b', from: 'codex', to: 'claude', reason: 'quota' }),
    at(HOUR, { kind: 'run-waiting', task: 'b', reason: 'claude: rate_limit', until: isoAt(4 * HOUR) }),
    at(4 * HOUR, {
      kind: 'attempt-started',
      task: 'b',
      attempt: 2,
      agent: 'claude',
      occasion: 'switch',
      handover: 'retry',
      handoverTokens: 1,
      buildMs: 1,
      isHeldOut: false,
    }),
    finished(5 * HOUR, 'b', 'failed'),
    finished(5 * HOUR, 'c', 'blocked'),
    ended(5 * HOUR + 30 * MINUTE),
  ];
  expect(text(facts({ tasks, events }))).toMatchInlineSnapshot(`
    "# Run \`tasks-1a2b\`

    **1 of 4 tasks done, 1 failed, 2 blocked; 1 thing needs you.** In 5 h 30 min, $0.50 (unknown for 3 of 4 agent runs).

    Task file \`tasks.yaml\`, from 2026-01-01 12:00 to 17:30.

    ## Needs you

    1. \`b\` failed: \`validation failed 2 time(s); the last: tests: exited with 1\`. It holds back 2 tasks: \`c\`, \`d\`.

       \`\`\`sh
       foreword reject b --because TEXT
       foreword run tasks.yaml
       \`\`\`

    ## Done

    - \`c0ffee0\` \`a\` \`Make a\` (by codex, 1 attempt, reviewed by claude)

    ## Failed

    - \`b\` \`Make b\`: 2 attempts by codex, claude
      - last error: \`expected 1 to be 2\`
      - error output: \`npm ERR! two\`
      - log: \`/state/b/attempt-2.log\`

    ## Switches and retries

    - codex was not available from 2026-01-01 13:00 to 16:00 (\`quota\`)
    - from codex to claude (\`quota\`): \`b\`
    - \`b\`, 2 attempts: codex \`quota\`, claude failed its checks

    ## Waiting

    - 3 h for \`claude: rate_limit\`, from 2026-01-01 13:00 to 16:00: \`b\`

    ## Reviews

    - claude approved attempt 1 of \`a\`

    ## Tokens and cost

    1,000 tokens in, 50 out (unknown for 3 of 4 agent runs), $0.50 (unknown for 3 of 4 agent runs).

    - codex, 2 times: 1,000 tokens in, 50 out (unknown for 1 of 2 agent runs), $0.50 (unknown for 1 of 2 agent runs)
    - claude, 2 times: tokens unknown, cost unknown

    ## Boxes

    - 1 attempt by codex ran in a box (bubblewrap)
    - 1 attempt by codex ran without a box: \`bubblewrap is not installed\`
    - refused in attempt 1 of \`a\`: \`write to ~/.ssh/config\`

    ## Hour by hour

    - **2026-01-01 12:00** begins
    - **13:00** 1 attempt; 1 done (\`a\`); switch \`codex to claude (quota)\`; not available: \`codex: quota\`; waits for \`claude: rate_limit\` until 2026-01-01 16:00
    - **17:00** 1 failed (\`b\`); 1 blocked (\`c\`); ends

    ## Branch

    \`Branch foreword/tasks-1a2b, from main at bbbbbbb: 1 commit, not merged yet\`.

    \`\`\`sh
    foreword run tasks.yaml
    \`\`\`
    "
  `);
});

test('work that passed and was not taken did not fail its checks', () => {
  const notTaken = (by: 'merge' | 'review') => ({
    verdict: { outcome: 'failed', results: [{ criterion: by, by, outcome: 'failed' }] } as const,
    exitReason: 'validation_failure' as const,
  });
  const attempts = [
    passed(HOUR, 'codex', notTaken('merge')),
    passed(HOUR, 'codex', notTaken('review')),
    passed(HOUR, 'codex'),
  ];
  const shown = text(facts({ tasks: [seen({ task_id: 'a', status: 'completed' }, attempts)] }));
  expect(shown).toContain(
    '- `a`, 3 attempts: codex passed, in conflict with the branch, codex rejected in review, codex passed',
  );
});

test('a task whose checks passed though no file was changed is marked', () => {
  const empty = { files_updated: [] };
  const tasks = [
    seen({ task_id: 'a', status: 'completed' }, [passed(HOUR, 'codex', empty)]),
    seen({ task_id: 'b', status: 'completed' }, [attempt(1), passed(HOUR, 'codex', { ...empty, attemptNumber: 2 })]),
    // The change was undone, and the task begun again.
    seen({ task_id: 'c', status: 'completed', countedFrom: 1 }, [
      attempt(1),
      passed(HOUR, 'codex', { ...empty, attemptNumber: 2 }),
    ]),
  ];
  const done = text(facts({ tasks }))
    .split('\n')
    .filter((line) => line.includes('changed no file'));
  expect(done.map((line) => /`(\w)` `Make/.exec(line)?.[1])).toEqual(['a', 'c']);
});

test('what a box refused in each attempt of a task is said once, and the error output is a line with words', () => {
  const refused = (files: number) => ({
    box: {
      level: 'bubblewrap',
      refused: [`Its output says that it could not change ~/bin (${files} files).`],
    } as const,
    stderr: 'Error: no such model {\n  code: 7\n}\n',
  });
  const attempts = [1, 2, 3].map((number) => ({ ...attempt(number, 'codex'), ...refused(number + 1) }));
  const shown = text(facts({ tasks: [seen({ task_id: 'a', status: 'failed' }, attempts)] }));
  expect(shown.split('\n').filter((line) => line.startsWith('- refused'))).toEqual([
    '- refused in attempts 1, 2, 3 of `a`: `Its output says that it could not change ~/bin (4 files).`',
  ]);
  expect(shown).toContain('- error output: `code: 7`');
});

test('tasks that ended for the same reason are one entry, whatever its times', () => {
  const reason = (minute: number) =>
    `no agent is available: codex (quota) is back first, at 2026-01-01T12:0${minute}:00.000Z`;
  const tasks = ['a', 'b'].map((id, index) => seen({ task_id: id, status: 'blocked', reason: reason(index) }));
  expect(reportOf(facts({ tasks })).needs).toEqual([
    { what: 'blocked', why: reason(0), tasks: ['a', 'b'], holdsBack: [], commands: ['foreword run tasks.yaml'] },
  ]);
});

test('dependencies in a circle, as records of others may have them, end', () => {
  const circle = (id: string, on: string) =>
    seen({ task_id: id, status: 'blocked', task: { ...task(id), depends_on: [on] } });
  expect(
    reportOf(facts({ tasks: [circle('a', 'b'), circle('b', 'a'), circle('c', 'c')] })).needs.length,
  ).toBeGreaterThan(0);
});

test('a run whose supervisor was killed ends with what it last did, and its task needs a person', () => {
  const current = { attempt: 1, agent: 'codex', startedAt: isoAt(MINUTE), before: 't', promptHash: 'h' };
  const gone = {
    ...seen({ task_id: 'a', status: 'running', current }),
    supervisor: { state: 'gone', pid: 7, host: 'h' } as const,
  };
  const events = [opened(0), at(MINUTE, { kind: 'task-claimed', task: 'a', owner: 'o' })];
  expect(text(facts({ tasks: [gone], events }))).toMatchInlineSnapshot(`
    "# Run \`tasks-1a2b\`

    **0 of 1 task done, 1 running; 1 thing needs you.** In 1 min.

    Task file \`tasks.yaml\`, from 2026-01-01 12:00 to 12:01; it was cut off: its supervisor is gone.

    ## Needs you

    1. \`a\` was cut off: \`its supervisor (pid 7) is gone\`.

       \`\`\`sh
       foreword run tasks.yaml
       \`\`\`

    ## Running

    - \`a\`: attempt 1 by codex, since 2026-01-01 12:01; its supervisor is gone

    ## Branch

    \`Branch foreword/tasks-1a2b, from main at bbbbbbb: no commits yet\`.

    \`\`\`sh
    foreword run tasks.yaml
    \`\`\`
    "
  `);
});

test('a run that goes on has no end yet; a wait lasts until now', () => {
  const tasks = [
    { ...seen({ task_id: 'a', status: 'running' }), supervisor: { state: 'alive', pid: 7, host: 'h' } as const },
  ];
  const events = [
    opened(0),
    at(HOUR, { kind: 'run-waiting', task: 'a', reason: 'codex: quota', until: isoAt(10 * HOUR) }),
  ];
  const { work, waits, commands } = reportOf(facts({ tasks, events }));
  expect({ work, waits, commands }).toEqual({
    work: [{ from: isoAt(0), to: isoAt(9 * HOUR), end: 'goes-on' }],
    waits: [
      {
        for: 'codex: quota',
        from: isoAt(HOUR),
        to: isoAt(9 * HOUR),
        until: isoAt(10 * HOUR),
        tasks: ['a'],
        ms: 8 * HOUR,
        isOpen: true,
      },
    ],
    commands: [],
  });
});

test('work in several calls is added up, without the time between them; waits of two tasks count once', () => {
  const waiting = (ms: number, id: string) =>
    at(ms, { kind: 'run-waiting', task: id, reason: 'codex: quota', until: isoAt(3 * HOUR) });
  const events = [
    opened(0),
    waiting(0, 'a'),
    waiting(30 * MINUTE, 'b'),
    ended(HOUR, true),
    opened(5 * HOUR),
    tried(6 * HOUR, 'a'),
    // Another run, in between.
    at(7 * HOUR, { kind: 'run-opened', run: 'other', branch: 'foreword/other', isNew: true, uncommitted: [] }),
    ended(8 * HOUR),
  ];
  const tasks = [seen({ task_id: 'a', status: 'queued' }), seen({ task_id: 'b', status: 'queued' })];
  const { work, workedMs, waits } = reportOf(facts({ tasks, events }));
  expect({ work: work.map(({ end }) => end), workedMs, waits: waits.map(({ ms }) => ms) }).toEqual({
    work: ['stopped', 'cut-off'],
    workedMs: 2 * HOUR,
    waits: [HOUR],
  });
});

test('attempts and events of an earlier run at the same task do not count', () => {
  const early = { ...passed(-HOUR, 'gemini'), attemptNumber: 1 };
  const tasks = [
    seen({ task_id: 'a', status: 'completed', commit: COMMIT }, [
      early,
      { ...passed(HOUR, 'codex'), attemptNumber: 2 },
    ]),
  ];
  const { done, usageByAgent, hours } = reportOf(
    facts({ tasks, events: [tried(-HOUR, 'a'), opened(0), tried(HOUR, 'a')] }),
  );
  expect([done[0]?.attempts, usageByAgent.map(({ agent }) => agent), hours.map(({ attempts }) => attempts)]).toEqual([
    1,
    ['codex'],
    [0, 1],
  ]);
});

test('an agent without a login is named with what to do', () => {
  const breakers = [{ agent: 'codex', state: 'open', reason: 'auth', openedAt: isoAt(0), until: isoAt(HOUR) }] as const;
  expect(text(facts({ breakers }))).toContain(
    '1. codex gets no work (`auth`): it needs a login or an installation.\n\n   ```sh\n   foreword doctor\n   ```\n',
  );
});

/** What is left of Markdown without its code spans, by the rule of CommonMark: a run of backticks ends at the next of its length. */
function outsideOfCode(markdown: string): string {
  const plain = markdown.replace(/^ *```sh\n(?:(?! *```$).*\n)* *```$/gm, '');
  return plain.replace(/(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g, '');
}

test('no text of others is outside of code, whatever it contains', () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        'EVIL',
        '`',
        '``',
        '```',
        '\n',
        '# ',
        '- ',
        '<img>',
        '[a](b)',
        '|',
        '\u001b[2J',
        '\r',
        '\\',
        '~~~',
        ' ',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  const night = fc
    .record({ id: hostile, reason: hostile, agent: hostile, words: hostile })
    .map(({ id, reason, agent, words }) => {
      const review = {
        agent,
        asked: [],
        verdict: 'reject',
        findings: [{ file: words, line: 3, text: reason }],
      } as const;
      const box = { level: 'none', why: reason, refused: [words] } as const;
      const tasks = [
        seen({ task_id: `a${id}`, intent: words, status: 'completed', commit: COMMIT }, [
          passed(HOUR, agent, { box, verdict: { outcome: 'passed', results: [], review } }),
        ]),
        seen({ task_id: `b${id}`, intent: words, status: 'failed', reason }, [
          { ...attempt(1, agent), validationErrors: [words], stderr: words, log: words },
          { ...attempt(2, 'codex'), exitClass: words, stderr: words, validationErrors: [reason] },
        ]),
        seen({ task_id: `c${id}`, status: 'needs-review', reason: words }),
      ];
      const events = [
        opened(0),
        at(1, { kind: 'run-waiting', task: `a${id}`, reason: words, until: isoAt(HOUR) }),
        at(2, { kind: 'agent-switched', task: `b${id}`, from: agent, to: words, reason }),
        finished(3 * HOUR, `a${id}`, 'completed'),
        at(3 * HOUR, { kind: 'breaker-opened', agent, reason, until: isoAt(HOUR) }),
      ];
      const breakers = [{ agent, state: 'open', reason: 'auth', openedAt: isoAt(0), until: isoAt(HOUR) }] as const;
      return facts({ tasks, events, breakers, run: { ...NIGHT, taskFile: words } });
    });
  fc.assert(
    fc.property(night, (given) => {
      const page = text(given);
      expect(outsideOfCode(page)).not.toMatch(/EVIL|<img>|\[a\]|~~~|\\/);
      const commands = [...page.matchAll(/^ *```sh\n((?:(?! *```$).*\n)*)/gm)].flatMap(([, block = '']) =>
        block.trimEnd().split('\n'),
      );
      expect(commands.filter((line) => !/^ *foreword /.test(line))).toEqual([]);
    }),
    { numRuns: scaled(1000) },
  );
});

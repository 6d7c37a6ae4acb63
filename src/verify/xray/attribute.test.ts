import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attribute, type OwnedRequest, partsOf } from './attribute.ts';
import { cacheSteps } from './cache.ts';
import { findingsOf } from './findings.ts';
import type { HookRun, KnownText, XrayHook, XrayMoment, XrayRecording, XrayRequest, XrayServer } from './recording.ts';
import { resultOf } from './result.ts';
import { xrayLines, xrayTables } from './text.ts';
import { lengthOf, unitsOf } from './units.ts';

const OWN = 'You are an agent. Work with care, and ask when something is not clear to you.';
const PROMPT = 'Good morning. Run echo one, please.';

interface Block {
  readonly role: string;
  readonly text: string;
}

function request(moment: XrayMoment, blocks: readonly Block[], more: object = {}, at = 1000): XrayRequest {
  const messages = blocks.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] }));
  const tools = [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }];
  const body = { model: 'm', system: [{ type: 'text', text: OWN }], tools, messages, ...more };
  return { moment, at, protocol: 'anthropic', isMain: true, body };
}

const user = (text: string): Block => ({ role: 'user', text });
const system = (text: string): Block => ({ role: 'system', text });

function hook(id: string, event = 'SessionStart', plugIn?: string): XrayHook {
  const owner = { kind: 'hook' as const, name: `run ${id}`, ...(plugIn === undefined ? {} : { plugIn }) };
  return { id, event, command: `run ${id}`, owner, file: 'settings.json' };
}

function run(id: string, stdout: string, more: Partial<HookRun> = {}): HookRun {
  return { hook: id, at: 10, ms: 20, exitCode: 0, stdout, stderr: '', ...more };
}

function recording(parts: Partial<XrayRecording>): XrayRecording {
  return {
    agent: 'agent',
    version: '1.0.0',
    requests: [],
    baseline: [request('first prompt', [user(PROMPT)])],
    hooks: [],
    runs: [],
    servers: [],
    serverRuns: [],
    texts: [],
    said: [PROMPT],
    toolName: 'mcp__{server}__{tool}',
    ...parts,
  };
}

function sizes(one: OwnedRequest | undefined): Record<string, number> {
  if (one === undefined) return {};
  return Object.fromEntries(partsOf(one).map(({ owner, characters }) => [`${owner.kind} ${owner.name}`, characters]));
}

function found(parts: Partial<XrayRecording>) {
  const whole = recording(parts);
  const requests = attribute(whole);
  return findingsOf(whole, requests, cacheSteps(requests));
}

test('the agent owns what it says without the set-up, the conversation what was said', () => {
  const [one] = attribute(recording({ requests: [request('first prompt', [user(PROMPT)])] }));
  const tool = JSON.stringify({ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } });
  expect(sizes(one)).toEqual({
    'agent agent': OWN.length + tool.length,
    'conversation the conversation': PROMPT.length,
  });
});

test('a text of a hook belongs to it, with the words that the agent wrote around it', () => {
  const text = 'Never push to main, and never rewrite what was pushed.';
  const given = `SessionStart hook success: ${text}`;
  const [one] = attribute(
    recording({
      requests: [request('first prompt', [user(PROMPT), system(given)])],
      hooks: [hook('a')],
      runs: [run('a', `${text}\n`)],
    }),
  );
  const [part] = partsOf(one as OwnedRequest).filter(({ owner }) => owner.kind === 'hook');
  expect(part).toMatchObject({ characters: given.length, frame: given.length - text.length });
  expect(sizes(one)['unknown unknown']).toBeUndefined();
});

test('context in the JSON of a hook is found, what is for the person is not looked for', () => {
  const text = 'The tests need a database, which docker compose up starts.';
  const printed = JSON.stringify({ systemMessage: 'loaded', hookSpecificOutput: { additionalContext: text } });
  const [one] = attribute(
    recording({
      requests: [request('first prompt', [user(PROMPT), system(text)])],
      hooks: [hook('a')],
      runs: [run('a', printed)],
    }),
  );
  expect(sizes(one)['hook run a']).toBe(text.length);
});

test('a text of nobody stands under unknown', () => {
  const text = 'Nobody knows where this sentence comes from. '.repeat(20);
  const [one] = attribute(recording({ requests: [request('first prompt', [user(PROMPT), user(text)])] }));
  expect(sizes(one)['unknown unknown']).toBe(text.length);
  expect(found({ requests: [request('first prompt', [user(PROMPT), user(text)])] })).toMatchObject([
    { kind: 'unknown', characters: text.length },
  ]);
});

test('tools of a server and its instructions belong to it, also where names begin alike', () => {
  const servers: XrayServer[] = ['shop', 'shop__two'].map((name) => ({
    name,
    command: 'serve',
    owner: { kind: 'server', name },
    file: '.mcp.json',
  }));
  const tools = ['mcp__shop__buy', 'mcp__shop__two__sell'].map((name) => ({ name, description: 'x'.repeat(100) }));
  const instructions = 'Use the shop only for what the user wants to buy.';
  const [one] = attribute(
    recording({
      servers,
      serverRuns: [{ server: 'shop', tools: [{ name: 'buy' }], instructions, stderr: '' }],
      requests: [request('first prompt', [user(PROMPT), user(`## shop\n${instructions}`)], { tools })],
    }),
  );
  expect(sizes(one)['server shop']).toBe(JSON.stringify(tools[0]).length + `## shop\n${instructions}`.length);
  expect(sizes(one)['server shop__two']).toBe(JSON.stringify(tools[1]).length);
});

test('a text that was cut says how much arrived and at which character it ends', () => {
  const text = Array.from({ length: 240 }, (_, line) => `rule ${line}: the text of the hook goes on and on`).join('\n');
  const preview = `Output too large. Preview:\n${text.slice(0, 2000)}\n...`;
  const findings = found({
    requests: [request('first prompt', [user(PROMPT), system(preview)])],
    hooks: [hook('big')],
    runs: [run('big', text)],
  });
  expect(findings).toContainEqual(
    expect.objectContaining({ kind: 'cut', event: 'SessionStart', characters: 2000, of: text.length, at: 2000 }),
  );
  expect(findings.some(({ kind }) => kind === 'lost')).toBe(false);
});

test('a text that is cut at every prompt is found so, with all of its runs and not as repetition of a whole', () => {
  const text = Array.from({ length: 100 }, (_, line) => `rule ${line}: the text of the hook goes on and on`).join('\n');
  const cut = text.slice(0, Math.round(text.length * 0.6));
  const findings = found({
    requests: [
      request('first prompt', [user(PROMPT), system(cut)]),
      request('second prompt', [user(PROMPT), system(cut), user('And more.'), system(cut)]),
    ],
    hooks: [hook('big', 'UserPromptSubmit')],
    runs: [run('big', text), run('big', text, { at: 20 })],
  });
  expect(findings.filter(({ kind }) => kind === 'cut')).toMatchObject([
    { event: 'UserPromptSubmit', characters: cut.length, of: text.length, at: cut.length, times: 2 },
  ]);
});

test('of several runs that were cut the one of which most is missing is named', () => {
  const text = (word: string) => Array.from({ length: 99 }, (_, line) => `${word} ${line}: it goes on`).join('\n');
  const [mild, bad] = [text('mild'), text('hard')] as const;
  const given = [mild.slice(0, 1500), bad.slice(0, 400)].map((one) => system(one));
  const findings = found({
    requests: [request('first prompt', [user(PROMPT), ...given])],
    hooks: [hook('big')],
    runs: [run('big', mild), run('big', bad)],
  });
  expect(findings.filter(({ kind }) => kind === 'cut')).toMatchObject([
    { characters: 400, of: bad.length, at: 400, times: 2 },
  ]);
});

test('a text whose lines repeat arrived whole, also where the agent breaks them', () => {
  const text = `${'-- the same line of a table is drawn again --\n'.repeat(20)}the end of the table is here now`;
  const findings = found({
    requests: [request('first prompt', [user(PROMPT), system(text.replaceAll('\n', ' '))])],
    hooks: [hook('table')],
    runs: [run('table', text)],
  });
  expect(findings.filter(({ kind }) => kind === 'cut' || kind === 'lost')).toEqual([]);
});

test('two texts of one run are measured as one after the other', () => {
  const [reason, context] = ['Never push to main, says the one of them.', 'Run the tests first, says the other text.'];
  const printed = JSON.stringify({ reason, hookSpecificOutput: { additionalContext: context } });
  const parts = { hooks: [hook('a')], runs: [run('a', printed)] };
  expect(
    found({ ...parts, requests: [request('first prompt', [user(PROMPT), system(reason), system(context)])] }),
  ).toEqual([]);
  expect(found({ ...parts, requests: [request('first prompt', [user(PROMPT), system(context)])] })).toMatchObject([
    { kind: 'cut', characters: context.length, of: reason.length + context.length, at: 0 },
  ]);
});

test.each([
  { hookSpecificOutput: { permissionDecision: 'allow', permissionDecisionReason: 'Reading is harmless here.' } },
  { hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'This one writes, so look at it.' } },
  ...['approve', 'allow', 'ask'].map((decision) => ({ decision, reason: 'The command is on the list of the team.' })),
])('a reason that goes to the person is not lost: %j', (printed) => {
  const parts = { requests: [request('first prompt', [user(PROMPT)])], hooks: [hook('a', 'PreToolUse')] };
  expect(found({ ...parts, runs: [run('a', JSON.stringify(printed))] })).toEqual([]);
});

test.each([
  { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'Never push to main.' } },
  { decision: 'block', reason: 'Never push to main.' },
  { decision: 'approve', reason: 'Go on.', hookSpecificOutput: { additionalContext: 'Never push to main.' } },
])('a reason of an objection, and context beside an approval, are for the model: %j', (printed) => {
  const parts = { requests: [request('first prompt', [user(PROMPT)])], hooks: [hook('a', 'PreToolUse')] };
  expect(found({ ...parts, runs: [run('a', JSON.stringify(printed))] })).toMatchObject([
    { kind: 'lost', characters: 'Never push to main.'.length, isPlain: false },
  ]);
});

test('a text that is in no request is lost; one that came after the last request is not', () => {
  const requests = [request('first prompt', [user(PROMPT)])];
  const parts = { requests, hooks: [hook('a', 'PreToolUse')] };
  expect(found({ ...parts, runs: [run('a', 'plain text that is dropped')] })).toMatchObject([
    { kind: 'lost', event: 'PreToolUse', characters: 26, isPlain: true },
  ]);
  expect(found({ ...parts, runs: [run('a', 'plain text that is dropped', { at: 5000 })] })).toEqual([]);
  expect(found({ ...parts, runs: [run('a', '')] })).toEqual([]);
});

test('two hooks that say the same are named together, and neither is lost where the agent keeps one copy', () => {
  const text = 'Never push to main, and never rewrite what was pushed.';
  const hooks = [hook('a'), hook('b', 'SessionStart', 'helper')];
  const runs = [run('a', text), run('b', text)];
  const twice = found({
    requests: [request('first prompt', [user(PROMPT), system(`${text}\n\n${text}`)])],
    hooks,
    runs,
  });
  expect(twice).toMatchObject([
    { kind: 'twice', owners: [{ name: 'run a' }, { name: 'run b', plugIn: 'helper' }], characters: text.length },
  ]);
  expect(found({ requests: [request('first prompt', [user(PROMPT), system(text)])], hooks, runs })).toEqual([]);
});

test('slow and failed hooks are named with their time and their last words', () => {
  const hooks = [hook('slow', 'UserPromptSubmit'), hook('bad', 'UserPromptSubmit'), hook('objects', 'PreToolUse')];
  const runs = [
    run('slow', '', { ms: 2500 }),
    run('slow', '', { ms: 900 }),
    run('bad', '', { exitCode: 3, stderr: 'first\nno such table\n' }),
    run('objects', '', { exitCode: 2 }),
  ];
  expect(found({ requests: [request('first prompt', [user(PROMPT)])], hooks, runs })).toMatchObject([
    { kind: 'failed', owner: { name: 'run bad' }, exitCode: 3, said: 'no such table', times: 1 },
    { kind: 'slow', owner: { name: 'run slow' }, ms: 2500, times: 1 },
  ]);
});

test('a hook that the agent killed and went on without did not end; one that ran at the end of its session is no fault', () => {
  const requests = [request('first prompt', [user(PROMPT)]), request('new session', [user(PROMPT)], {}, 9000)];
  const killed = { exitCode: null, ms: 0, isUnended: true } as const;
  const parts = { requests, hooks: [hook('stuck', 'UserPromptSubmit')] };
  const runs = [run('stuck', '', killed), run('stuck', '', { ...killed, at: 500 })];
  const findings = found({ ...parts, runs });
  expect(findings).toMatchObject([{ kind: 'failed', owner: { name: 'run stuck' }, isUnended: true, times: 2 }]);
  expect(xrayLines({ findings })).toEqual([
    'The hook "run stuck" did not end at UserPromptSubmit, 2 times; the agent went on without it.',
  ]);
  expect(found({ ...parts, runs: [run('stuck', '', { ...killed, at: 5000 })] })).toEqual([]);
  const hooks = [{ ...hook('stuck', 'UserPromptSubmit'), isAsync: true as const }];
  expect(found({ ...parts, hooks, runs })).toEqual([]);
});

test('a hook that prints the time breaks the cached prefix of a new session, at its character', () => {
  const said = (time: string) => `It is now ${time} by the clock of this machine`;
  const [first, second] = ['10:00:01', '10:04:59'].map((time) => said(time)) as [string, string];
  const findings = found({
    requests: [
      request('first prompt', [user(PROMPT), system(first)]),
      request('second prompt', [user(PROMPT), system(first), user('And more.')]),
      request('new session', [user(PROMPT), system(second)]),
    ],
    hooks: [hook('clock')],
    runs: [run('clock', first), run('clock', second)],
  });
  const tool = JSON.stringify({ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } });
  const before = tool.length + OWN.length + PROMPT.length;
  expect(findings[0]).toMatchObject({
    kind: 'cache',
    owner: { name: 'run clock' },
    times: 1,
    step: {
      from: 'first prompt',
      to: 'new session',
      kept: before,
      broken: { character: before + 'It is now 10:0'.length },
    },
  });
});

test('where requests mark what is stored, what the service finds is told apart from what is unchanged', () => {
  const MARK = { cache_control: { type: 'ephemeral' } };
  const marked = { system: [{ type: 'text', text: OWN, ...MARK }] };
  const messages = (time: string) => [
    { role: 'user', content: [{ type: 'text', text: PROMPT }] },
    { role: 'system', content: [{ type: 'text', text: `It is now ${time} by the clock of this machine`, ...MARK }] },
  ];
  const [first, again] = ['10:00:01', '10:04:59'].map((time) => ({ ...marked, messages: messages(time) })) as [
    object,
    object,
  ];
  const parts = {
    requests: [request('first prompt', [], first), request('new session', [], again)],
    hooks: [hook('clock')],
    runs: ['10:00:01', '10:04:59'].map((time) => run('clock', `It is now ${time} by the clock of this machine`)),
  };
  const result = resultOf(recording(parts), []);
  const [step] = result.cache.steps;
  // The prompt behind the mark stands in both requests, and is paid for again.
  expect((step?.kept ?? 0) - (step?.found ?? 0)).toBe(PROMPT.length);
  const [line] = xrayLines(result);
  expect(line).toContain(`about ${Math.ceil(((step?.of ?? 0) - (step?.found ?? 0)) / 4)} tokens`);
  const table = xrayTables(result).find(({ title }) => title === 'What the prompt cache keeps');
  expect(table?.head.slice(2, 5)).toEqual(['kept', 'found', 'of']);
  const [unmarked] = cacheSteps(
    attribute(
      recording({
        ...parts,
        requests: [request('first prompt', [user(PROMPT)]), request('new session', [user(PROMPT)])],
      }),
    ),
  );
  expect(unmarked).not.toHaveProperty('found');
});

test('a server that gives another list of tools each time breaks everything after it', () => {
  const tools = (count: number) => [{ name: 'mcp__shop__buy', description: `${count} things are left` }];
  const servers: XrayServer[] = [{ name: 'shop', command: 's', owner: { kind: 'server', name: 'shop' }, file: 'f' }];
  const findings = found({
    servers,
    requests: [
      request('first prompt', [user(PROMPT)], { tools: tools(1) }),
      request('after a tool', [user(PROMPT), user('Go on.')], { tools: tools(2) }),
    ],
  });
  expect(findings[0]).toMatchObject({
    kind: 'cache',
    owner: { name: 'shop' },
    step: { kept: 0, broken: { place: 'tools' } },
  });
});

const anyText = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ maxLength: 200, unit: 'binary' }),
  fc.constantFrom(OWN, PROMPT, `${OWN}\n${PROMPT}`, 'Never push to main, says the hook of the set-up.'.repeat(3)),
);
const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({
    type: fc.constant('tool_use'),
    id: fc.string(),
    name: fc.string(),
    input: fc.dictionary(fc.string(), anyText),
  }),
  fc.record({ type: fc.constant('tool_result'), content: fc.oneof(anyText, fc.array(fc.record({ text: anyText }))) }),
  fc.jsonValue(),
);
const anyBody = fc.record({
  system: fc.oneof(anyText, fc.array(fc.record({ type: fc.constant('text'), text: anyText }))),
  tools: fc.array(fc.oneof(fc.record({ name: anyText, description: anyText }), fc.jsonValue()), { maxLength: 5 }),
  messages: fc.array(
    fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: fc.oneof(anyText, fc.array(anyBlock)) }),
  ),
});

test('whatever a request and the known texts are, the parts add up to the request', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('anthropic', 'responses', 'chat', 'google' as const),
      fc.array(anyBody, { minLength: 1, maxLength: 4 }),
      fc.array(anyText, { maxLength: 5 }),
      (protocol, bodies, texts) => {
        const requests = bodies.map((body): XrayRequest => {
          const { system: instructions, messages } = body;
          const other = {
            systemInstruction: { parts: instructions },
            contents: messages,
            instructions,
            input: messages,
          };
          return {
            moment: 'first prompt',
            at: 1,
            protocol: protocol as 'chat',
            isMain: true,
            body: { ...body, ...other },
          };
        });
        const known: KnownText[] = texts.map((text, number) => ({
          owner: { kind: 'instructions', name: `${number}` },
          text,
        }));
        const runs = texts.map((text) => run('a', text));
        const owned = attribute(
          recording({
            requests: requests.slice(1),
            baseline: requests.slice(0, 1),
            texts: known,
            runs,
            hooks: [hook('a')],
          }),
        );
        owned.forEach((one, index) => {
          const all = lengthOf(unitsOf(requests[index + 1] as XrayRequest));
          expect(partsOf(one).reduce((sum, { characters }) => sum + characters, 0)).toBe(all);
          for (const { text, spans } of one.units) {
            const ends = spans.map(({ to }) => to);
            expect(spans.map(({ from }) => from)).toEqual(text === '' ? [] : [0, ...ends.slice(0, -1)]);
            expect(ends.at(-1) ?? 0).toBe(text.length);
          }
        });
        cacheSteps(owned);
      },
    ),
    { numRuns: 100 },
  );
});

test('long words that an agent writes before a text, and that are known to it, count to the text', () => {
  const rules = 'The rules of this project are short and plain, and they hold.';
  const words = `# Contextual rules (X.md)\n${Array.from({ length: 30 }, (_, at) => `Point ${at} about precedence.`).join('\n')}\n`;
  const owner = { kind: 'instructions' as const, name: 'X.md' };
  const parts = {
    requests: [
      request('first prompt', [user(PROMPT)], { system: [{ type: 'text', text: `${OWN}\n\n${words}${rules}` }] }),
    ],
    texts: [{ owner, text: rules }],
  };
  expect(sizes(attribute(recording(parts))[0])).toMatchObject({ 'unknown unknown': words.length + 2 });
  const known = sizes(attribute(recording({ ...parts, frames: ['# Contextual rules ('] }))[0]);
  expect(known).toMatchObject({ 'instructions X.md': words.length + 2 + rules.length });
  expect(known).not.toHaveProperty('unknown unknown');
});

test('a hook that breaks the prefix of a new session is found behind a change of the agent itself', () => {
  const [first, second] = ['It is 08:00:00 now, says the clock.', 'It is 09:11:11 now, says the clock.'];
  const tools = (word: string) => ({
    tools: [{ name: 'Bash', description: `Runs a command${word}.`, input_schema: { type: 'object' } }],
  });
  const findings = found({
    requests: [
      request('first prompt', [system(first), user(PROMPT)], tools('')),
      request('new session', [system(second), user(PROMPT)], tools(' of its own')),
    ],
    hooks: [hook('clock')],
    runs: [run('clock', first), run('clock', second)],
  });
  expect(findings[0]).toMatchObject({ kind: 'cache', owner: { name: 'run clock' }, step: { to: 'new session' } });
});

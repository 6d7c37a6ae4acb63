// Whatever comes in: status 0, silence or one JSON object, an end in time, and not a file outside of the state folder. Most
// run in this process; a share of them as the processes that agents start, shell and Node.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DIALECTS } from '../../src/hooks/dialects.ts';
import { HOOK_EVENTS } from '../../src/kernel/hook-events.ts';
import { scaled } from '../scale.ts';
import { type Built, run } from './built.ts';
import type { Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
onStage('fuzz', (stage) => {
  ({ built, field } = stage);
  makeTraps();
});

/** Links out of the project and in circles, a project below `.fw`, and a folder that is none of ours. */
function makeTraps(): void {
  const outside = join(field.folder, 'outside');
  mkdirSync(join(outside, '.fw'), { recursive: true });
  writeFileSync(join(outside, 'epoch'), '7\n');
  mkdirSync(join(field.root, '.fw/gate/.context'), { recursive: true });
  writeFileSync(join(field.root, '.fw/gate/.context/CONSTITUTION.md'), 'Below.\n');
  for (const [name, target] of [
    ['out', outside],
    ['circle', 'circle'],
    ['self', '.'],
    ['up', '..'],
    ['.context/LEARNINGS.md', join(outside, 'epoch')],
  ] as const)
    symlinkSync(target, join(field.root, name));
}

const PLACES = ['', 'out', 'circle', 'self', 'self/self', 'up', 'out/.fw', '.fw/gate', '.context', 'nowhere', 'a\0b'];

const IDS = [
  's',
  '..',
  '.',
  '',
  '/',
  '../../../../tmp/x',
  'a/../b',
  '/etc/passwd',
  '~',
  '-rf',
  'a\0b',
  '\0',
  'x'.repeat(10_240),
  '$(id)',
  '`id`',
  'a b',
  'é',
  '\u202E',
  '%2e%2e',
  'con',
  'a.b',
  '*',
];
const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork', 'x'];

const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...IDS) }, fc.string({ unit: 'binary', maxLength: 30 }));
const value = fc.oneof(
  id,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('/etc/passwd', '/dev/zero', '/proc/self/mem', '/proc/self/fd/0', '/', '.'),
  fc.constantFrom(...PLACES).map((name) => `${field.root}/${name}`),
);

/** Fields as agents name them, in any order, with values of any kind. */
const fields = fc
  .record(
    {
      session_id: id,
      sessionId: id,
      conversation_id: id,
      agent_id: id,
      cwd: value,
      workspace_roots: value,
      transcript_path: value,
      source: fc.constantFrom(...SOURCES),
      prompt: fc.string({ maxLength: 50 }),
      hook_event_name: value,
      tool_name: value,
      tool_input: value,
      toolArgs: value,
      reason: value,
      x: fc.string({ minLength: 0, maxLength: 6000 }),
    },
    { requiredKeys: [] },
  )
  .chain((record) => fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }))
  .map((entries) => Object.fromEntries(entries));

const json = fc
  .tuple(fields, fc.boolean(), fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('', '\n', ' {}', '\0', 'garbage'))
  .map(
    ([record, isReal, indent, end]) =>
      JSON.stringify(isReal ? { cwd: field.root, session_id: 's', ...record } : record, null, indent) + end,
  );

/** Brackets that are opened and perhaps closed. */
const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"session_id":"s","x":'), fc.nat(20_000), fc.boolean())
  .map(([open, depth, isClosed]) => {
    const closed = isClosed ? (open === '[' ? ']' : open === '{"a":' ? '}' : '}]').repeat(depth) : '';
    return `{"x":${open.repeat(depth)}1${closed},"session_id":"deep","cwd":${JSON.stringify(field.root)},"tool_input":{}}`;
  });

/** Bytes of a payload, or of nothing like one: cut, doubled, with a few of them changed. */
const bytes = fc.oneof(
  { weight: 16, arbitrary: json.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 400 }) },
  {
    weight: 12,
    arbitrary: fc
      .tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.nat(), fc.boolean())
      .map(([text, changes, cut, isCut]) => {
        const all = Buffer.from(text);
        for (const [at, byte] of changes) if (all.length > 0) all[at % all.length] = byte;
        return isCut ? all.subarray(0, cut % (all.length + 1)) : all;
      }),
  },
);

const event = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...HOOK_EVENTS) },
  fc.constantFrom('', 'x', '__proto__', '../x', 'constructor'),
);
const agent = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...Object.keys(DIALECTS)) },
  fc.constantFrom('', 'x', '__proto__', '../x', 'toString'),
);

const ENVELOPES = ['hookSpecificOutput', 'additionalContext', 'additional_context', 'context'];

function expectAnswer(printed: string): void {
  if (printed === '') return;
  const answer: Record<string, unknown> = JSON.parse(printed);
  expect(Object.keys(answer)).toHaveLength(1);
  expect(ENVELOPES).toContain(Object.keys(answer)[0]);
}

/** Every file but those of the state folder, with its time and content. */
function world(folder = field.folder): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === field.stateHome) return [];
    const name = relative(field.folder, path);
    if (entry.isDirectory()) return [`${name} ${lstatSync(path).mtimeMs}`, ...world(path)];
    if (entry.isSymbolicLink()) return [`${name} ${readlinkSync(path)}`];
    return [`${name} ${lstatSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`];
  });
}

function expectTidyState(): void {
  const part = '(~[0-9a-f]{32}|[A-Za-z0-9_-]{1,80})';
  for (const name of readdirSync(field.state)) expect(['roots', 'hook.log', 'hook.log.1']).toContain(name);
  expect(readdirSync(field.places.gate).length).toBeGreaterThan(0);
  // Each project has one folder, and only its own things in it.
  const kept = keptFolders(join(field.state, 'roots'));
  expect(kept).toContain(field.places.folder);
  for (const folder of kept) {
    for (const name of readdirSync(folder)) expect(['gate', 'hooks', 'spool', 'swept', 'works']).toContain(name);
    for (const name of namesIn(join(folder, 'hooks'))) expect(name).toMatch(new RegExp(`^${part}(\\.${part})?$`));
    for (const name of namesIn(join(folder, 'gate'))) expect(name).toMatch(new RegExp(`^${part}(\\.${part})?@\\d+$`));
  }
}

function keptFolders(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    return name === '.fw' ? [path] : keptFolders(path);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What only foreword-hook says, and what it would never say. */
const claims = fc.record(
  {
    claim: fc.oneof(
      fc.constantFrom('-', 'nul', 'quiet', 's/0/0', 's/0/3', 's.s/0/1', '../x/0/0', 's/0', 's/-1/0', 's/9999999999/0'),
      fc.string({ maxLength: 20 }),
    ),
    claimedIn: fc.oneof(
      fc.constantFrom(...PLACES).map((name) => `${field.root}/${name}`),
      fc.constantFrom('', '/', '..', '/../..', '.fw'),
    ),
  },
  { requiredKeys: [] },
);

test('in this process', async () => {
  const before = world();
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(bytes, event, agent, fc.nat(5000), claims, async (input, ours, whose, cut, claimed) => {
      const rest = (async function* () {
        yield input.subarray(cut);
      })();
      // What takes no part in this and would be slow: the header is the same each time.
      const printed = await field.print(ours, whose, new Uint8Array(input.subarray(0, cut)), { rest, ...claimed });
      expectAnswer(printed);
      if (printed !== '') answers += 1;
    }),
    { numRuns: scaled(100_000) },
  );
  expect(world()).toEqual(before);
  expectTidyState();
  // A test in which nothing ever prints would pass by silence.
  expect(answers).toBeGreaterThan(scaled(100_000) / 200);
});

test('as processes', async () => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: field.folder,
    XDG_STATE_HOME: field.stateHome,
    TMPDIR: field.root,
    FOREWORD_NODE: process.execPath,
  };
  const count = scaled(2000);
  const before = world();
  const samples = fc.sample(fc.tuple(bytes, event, agent, fc.boolean()), count);
  let slowest = 0;
  let answers = 0;
  const worker = async (): Promise<void> => {
    for (let next = samples.pop(); next !== undefined; next = samples.pop()) {
      const [input, ours, whose, isLeftOpen] = next;
      // Left open with nothing in it, it waits for the agent, whose entry has a timeout for that.
      const open = isLeftOpen && isComplete(input);
      const ran = await run([built.script], {
        cwd: field.root,
        env,
        args: [ours, whose],
        input: [input],
        isLeftOpen: open,
      });
      expect({ status: ran.status, signal: ran.signal, stderr: ran.stderr }).toEqual({
        status: 0,
        signal: null,
        stderr: '',
      });
      expectAnswer(ran.stdout);
      if (ran.stdout !== '') answers += 1;
      slowest = Math.max(slowest, ran.ms);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(world()).toEqual(before);
  expectTidyState();
  expect(answers).toBeGreaterThan(0);
  // Its own deadline, the hard end after it, and what a busy machine adds.
  expect(slowest).toBeLessThan(8000);
});

function isComplete(input: Uint8Array): boolean {
  return input.length > 0;
}

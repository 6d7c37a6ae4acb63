// The hook that runs before every tool call: when it has nothing to say, against an empty shell, a Go program's start and
// the same check in Node; when it speaks, against an empty Node. In an environment made from nothing, since a variable of
// the machine can slow every start of Node; where there is one, the check in Node is measured with it, too. Started by a
// small program of its own, in turns; judged by medians, with the ratio of the quickest runs beside them, which a busy
// machine disturbs least.
// Usage: node bench/hook.mjs [--against FOLDER]
// --against: another checkout of the project, built and with its packages; its hook is measured in the same rounds.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildHook } from '../scripts/build-hook.mjs';
import { median, ms, table, times } from './measure.mjs';

const RUNS = 200;
const { values } = parseArgs({ options: { against: { type: 'string' } } });
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const built = join(root, 'node_modules/.cache/foreword-bench', `hook-${process.pid}`);
const hook = await buildHook(built);
const other = values.against === undefined ? undefined : await buildOther(resolve(values.against));
const project = join(folder, 'project');
const own = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), FOREWORD_NODE: process.execPath };
const empty = { PATH: process.env.PATH, ...own };
const driver = makeDriver();
const session = '0f9d6c1e-6f0b-4b58-9c8a-0a1b2c3d4e5f';

makeProject();
for (const each of other === undefined ? [hook] : [hook, other]) {
  const call = () => spawnSync(each, ['pre-tool', 'claude'], { cwd: project, env: empty, input: payload(0) });
  call();
  if (call().stdout.length > 0) throw new Error(`${each} has something to say at its second call`);
}

const commands = {
  shell: ['sh', '-c', ':'],
  ours: [hook, 'pre-tool', 'claude'],
  floor: [makeFloor()],
  go: [join(root, 'node_modules/@esbuild/linux-x64/bin/esbuild'), '--version'],
  node: [process.execPath, makeNodeCheck()],
  module: [process.execPath, makeModuleCheck()],
  ...(other === undefined ? {} : { other: [other, 'pre-tool', 'claude'] }),
};
const growth = {};
for (const kilobytes of [0, 8, 64, 512]) {
  const result = measure(commands, { input: payload(kilobytes), runs: RUNS, env: empty });
  const { shell, ours, floor, go, node, module } = result;
  growth[kilobytes] = ours.median / shell.median;
  table(`nothing to say, payload of ${kilobytes} KB, ${RUNS} runs each`, [
    ['sh -c :', both(shell)],
    ['ours', both(ours)],
    ['against sh -c :', ratio(ours, shell), 'at most 3 x', ours.median <= 3 * shell.median],
    ['a Go program (esbuild --version)', both(go), 'slower', go.median > ours.median],
    ['the same check in Node', both(node)],
    ['Node against ours', ratio(node, ours), 'at least 20 x', node.median >= 20 * ours.median],
    ['… as a module that reads a stream', ratio(module, ours)],
    ['… against a shell that only starts dd', ratio(node, floor)],
    ...(other === undefined ? [] : compared(result)),
  ]);
}
table('growth with the payload', [
  ['512 KB against 0 KB', times(growth[512] / growth[0]), 'flat: under 1.5 x', growth[512] / growth[0] < 1.5],
]);

const speaking = {
  node: [process.execPath, '-e', '0'],
  reading: [process.execPath, makeReader()],
  ours: [hook, 'pre-tool', 'claude'],
  start: [hook, 'session-start', 'claude'],
  prompt: [hook, 'prompt', 'claude'],
};
const spoken = measure(speaking, { input: payload(0, 'e#RUN##'), runs: RUNS, env: empty });
table(`the gate speaks, six files, ${RUNS} runs each`, [
  ['node -e 0', both(spoken.node)],
  ['Node that reads the files', both(spoken.reading)],
  ['ours', both(spoken.ours)],
  [
    'against node -e 0',
    ratio(spoken.ours, spoken.node),
    'at most 1.5 x',
    spoken.ours.median <= 1.5 * spoken.node.median,
  ],
  ['a session start, composed from the project', both(spoken.start)],
  ['a first prompt', both(spoken.prompt)],
]);

// What slows every start of Node on a machine is part of what a hook in Node costs there.
const slowing = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'].filter((name) => process.env[name] !== undefined);
for (const kilobytes of slowing.length > 0 ? [0, 8, 64, 512] : []) {
  const env = { ...process.env, ...own };
  const { node, ours, module } = measure(
    { node: commands.node, ours: commands.ours, module: commands.module },
    { input: payload(kilobytes), runs: RUNS, env },
  );
  table(`the same with ${slowing.join(' and ')} as on this machine, payload of ${kilobytes} KB`, [
    ['ours', both(ours)],
    ['the same check in Node', both(node)],
    ['Node against ours', ratio(node, ours), 'at least 20 x', node.median >= 20 * ours.median],
    ['… as a module that reads a stream', ratio(module, ours)],
  ]);
}
rmSync(folder, { recursive: true });
rmSync(built, { recursive: true });

async function buildOther(checkout) {
  const { buildHook: buildTheirs } = await import(join(checkout, 'scripts/build-hook.mjs'));
  return buildTheirs(join(built, 'other'));
}

function compared({ shell, ours, other: theirs }) {
  return [
    ['the other checkout', both(theirs)],
    ['… against sh -c :', ratio(theirs, shell)],
    ['ours against the other checkout', ratio(ours, theirs)],
  ];
}

/** Milliseconds by name. */
function measure(named, { input, runs, env }) {
  const file = join(folder, 'payload.json');
  writeFileSync(file, input);
  const words = Object.values(named).flatMap((command, index) => (index === 0 ? command : ['--', ...command]));
  const ran = spawnSync(driver[0], [...driver.slice(1), String(runs), file, ...words], {
    cwd: project,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (ran.status !== 0) throw new Error(`the driver failed: ${ran.stderr}`);
  const lines = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const figures = (all) => ({ median: median(all), least: Math.min(...all) });
  return Object.fromEntries(Object.keys(named).map((name, index) => [name, figures(lines[index])]));
}

function both({ median, least }) {
  return `${ms(median)}, least ${ms(least)}`;
}

function ratio(one, other) {
  return `${times(one.median / other.median)}, least ${times(one.least / other.least)}`;
}

function makeDriver() {
  const program = join(folder, 'spawn-times');
  const source = join(import.meta.dirname, 'spawn-times.c');
  if (spawnSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' }).status === 0) return [program];
  return ['perl', join(import.meta.dirname, 'spawn-times.pl')];
}

function makeProject() {
  mkdirSync(join(project, '.context'), { recursive: true });
  for (const name of ['CONSTITUTION', 'TASKS', 'CONVENTIONS', 'DECISIONS', 'LEARNINGS', 'AGENT_PLAYBOOK'])
    writeFileSync(join(project, '.context', `${name}.md`), `# ${name}\n\n${'A rule that stands in it.\n'.repeat(80)}`);
  mkdirSync(join(project, '.foreword'));
  writeFileSync(join(project, '.foreword/tasks.yaml'), '- { id: fact-001, summary: Build src/factorial.py }\n');
}

function payload(kilobytes, id = session) {
  return JSON.stringify({
    session_id: id,
    transcript_path: join(folder, 'transcript.jsonl'),
    cwd: project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    source: 'startup',
    prompt: 'go on',
    tool_name: 'Write',
    tool_input: { file_path: 'a.txt', content: 'x'.repeat(kilobytes * 1024) },
  });
}

/** As short as somebody would write it who wants it quick. */
function makeNodeCheck() {
  const file = join(folder, 'check.cjs');
  writeFileSync(
    file,
    `const { existsSync, readFileSync } = require('node:fs');
const { session_id } = JSON.parse(readFileSync(0, 'utf8'));
if (existsSync(\`${markers()}/\${session_id}@0/done\`)) process.exit(0);
`,
  );
  return file;
}

/** As examples of hooks in Node are mostly written. */
function makeModuleCheck() {
  const file = join(folder, 'check.mjs');
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs';
let text = '';
for await (const part of process.stdin) text += part;
const { session_id } = JSON.parse(text);
if (existsSync(\`${markers()}/\${session_id}@0/done\`)) process.exit(0);
`,
  );
  return file;
}

function markers() {
  return join(own.XDG_STATE_HOME, 'foreword/roots', project, '.fw/gate');
}

/** No script that reads a bounded part of its input can be quicker. */
function makeFloor() {
  const file = join(folder, 'floor.sh');
  writeFileSync(file, '#!/bin/sh\nsaid=$(dd bs=4096 count=1 2>&1)\n', { mode: 0o755 });
  return file;
}

function makeReader() {
  const file = join(folder, 'reader.cjs');
  writeFileSync(
    file,
    `const fs = require('node:fs');
const folder = ${JSON.stringify(join(project, '.context'))};
for (const name of fs.readdirSync(folder)) fs.writeSync(1, fs.readFileSync(folder + '/' + name, 'utf8').slice(0, 1200));
`,
  );
  return file;
}

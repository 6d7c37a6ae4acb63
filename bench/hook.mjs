// The hook that runs before every tool call: when it has nothing to say, against an empty shell, a Go program's start and
// the same look in Node; when it speaks, against an empty Node. Started by a small program of its own, in turns.
// Usage: node bench/hook.mjs

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildHook } from '../scripts/build-hook.mjs';
import { median, ms, table, times } from './measure.mjs';

const RUNS = 200;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const built = join(root, 'node_modules/.cache/foreword-bench', `hook-${process.pid}`);
const hook = await buildHook(built);
const project = join(folder, 'project');
const own = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), FOREWORD_NODE: process.execPath };
/** As an agent hands it on. A variable of the machine can slow every start of Node: NODE_EXTRA_CA_CERTS does. */
const asItIs = { ...process.env, ...own };
const empty = { PATH: process.env.PATH, ...own };
const driver = makeDriver();
const session = '0f9d6c1e-6f0b-4b58-9c8a-0a1b2c3d4e5f';

makeProject();
spawnSync(hook, ['pre-tool', 'claude'], { cwd: project, env: empty, input: payload(0) });

const sizes = [0, 8, 64, 512];
const found = {};
const commands = {
  shell: ['sh', '-c', ':'],
  ours: [hook, 'pre-tool', 'claude'],
  go: [join(root, 'node_modules/@esbuild/linux-x64/bin/esbuild'), '--version'],
  node: [process.execPath, makeNodeCheck()],
};
for (const kilobytes of sizes) {
  const result = measure(commands, { input: payload(kilobytes), runs: RUNS, env: asItIs });
  found[kilobytes] = result;
  table(`nothing to say, payload of ${kilobytes} KB, ${RUNS} runs each`, [
    ['sh -c :', ms(result.shell)],
    ['ours', ms(result.ours)],
    ['against sh -c :', times(result.ours / result.shell), 'at most 3 x', result.ours / result.shell <= 3],
    ['a Go program (esbuild --version)', ms(result.go), 'slower', result.go > result.ours],
    ['the same look in Node', ms(result.node)],
    ['Node against ours', times(result.node / result.ours), 'at least 20 x', result.node / result.ours >= 20],
  ]);
}
const relative = (size) => found[size].ours / found[size].shell;
table('growth with the payload', [
  ['512 KB against 0 KB', times(relative(512) / relative(0)), 'flat: under 1.5 x', relative(512) / relative(0) < 1.5],
]);

const bare = measure(commands, { input: payload(0), runs: RUNS, env: empty });
table('nothing to say, in an empty environment', [
  ['against sh -c :', times(bare.ours / bare.shell), 'at most 3 x', bare.ours / bare.shell <= 3],
  ['Node against ours', times(bare.node / bare.ours)],
]);

for (const [where, env] of Object.entries({ 'the environment as it is': asItIs, 'an empty environment': empty })) {
  const spoken = measure(
    {
      node: [process.execPath, '-e', '0'],
      reading: [process.execPath, makeReader()],
      ours: [hook, 'pre-tool', 'claude'],
      start: [hook, 'session-start', 'claude'],
      prompt: [hook, 'prompt', 'claude'],
    },
    { input: payload(0, `${env === empty ? 'e' : 'i'}#RUN##`), runs: 100, env },
  );
  const allowed = 1.5 * spoken.node + Math.max(0, spoken.reading - spoken.node);
  table(`the gate speaks, six files, in ${where}`, [
    ['node -e 0', ms(spoken.node)],
    ['Node that reads the files', ms(spoken.reading)],
    ['ours', ms(spoken.ours)],
    ['against node -e 0', times(spoken.ours / spoken.node), 'at most 1.5 x and reading', spoken.ours <= allowed],
    ['a session start, composed from the project', ms(spoken.start)],
    ['a first prompt', ms(spoken.prompt)],
  ]);
}
rmSync(folder, { recursive: true });
rmSync(built, { recursive: true });

/** Median milliseconds by name. */
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
  const lines = ran.stdout.trim().split('\n');
  return Object.fromEntries(Object.keys(named).map((name, index) => [name, median(JSON.parse(lines[index]))]));
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

/** What the script does, in as little Node as it takes. */
function makeNodeCheck() {
  const file = join(folder, 'check.cjs');
  const marker = join(own.XDG_STATE_HOME, 'foreword/gate');
  writeFileSync(
    file,
    `const fs = require('node:fs');
const head = Buffer.alloc(4096);
const length = fs.readSync(0, head, 0, 4096, null);
const id = /"session_id":"([A-Za-z0-9_-]{1,80})"/.exec(head.toString('latin1', 0, length))[1];
process.exit(fs.existsSync(${JSON.stringify(marker)} + '/' + id + '@0/done') ? 0 : 1);
`,
  );
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

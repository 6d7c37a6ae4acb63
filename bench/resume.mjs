// `npm run bench:resume`: what the retry of a real agent sends to its model, in the same session and in a new one. The task is the
// same: the first attempt reads a file of 16 KB and writes the wrong word, the retry writes the right one; in a new session the
// model has it read the file again first. Counted are the requests that the loopback model got: of each, the longest beginning
// that an earlier request had too (a service has that in its cache), and the rest, which is new. Tokens are characters / 4.
// Needs the built command and the agents (scripts/lab/install.mjs).
// Usage: node bench/resume.mjs [AGENT…] [--write]
// --write: also saves the section of docs/figures.md. Exit: 0 all ran; 1 a run did not do what it should; 3 no namespace, or an
// agent is missing.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labPrograms } from '../scripts/lab/install.mjs';

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
const COMMAND = join(import.meta.dirname, '../dist/command/start.cjs');
const LONGEST_MS = 180_000;
/** Marks for the service, which no model reads. */
const UNREAD = ['cache_control', 'refusal', 'thoughtSignature', '__copilotMessageSource'];
const FILE = Array.from(
  { length: 250 },
  (_, index) => `export const value${index} = compute(${index}, 'some name of it', options);`,
);
const TASKS = [
  {
    task_id: 'api_health',
    intent: 'Add a health endpoint',
    instructions: 'Read values.ts, then write health.txt with the right word in it.',
    acceptance_criteria: [
      { text: 'it is right', check: { file_contains: { path: 'health.txt', pattern: 'healthy' } } },
    ],
  },
];

process.exitCode = await main();

async function main() {
  const programs = labPrograms();
  const { AGENTS } = await importSource('src/agents/index.ts');
  const able = AGENTS.filter(({ oneshot }) => oneshot?.resume !== undefined).map(({ name }) => name);
  const agents = positionals.length > 0 ? positionals : able;
  const { inNamespace, runAgainInside } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  const missing = agents.filter((name) => !(name in programs));
  if (!namespace.isAvailable || missing.length > 0) {
    console.error(namespace.isAvailable ? `not installed: ${missing.join(', ')}` : namespace.reason);
    return 3;
  }
  const status = runAgainInside(namespace);
  if (status !== undefined) return status;
  const rows = [];
  for (const agent of agents) {
    const [resumed, fresh] = [await measure(agent, 0), await measure(agent, 1e-9)];
    if (!resumed.isResumed || fresh.isResumed) {
      console.error(`${agent}: ${resumed.isResumed ? 'resumed with a control group' : 'did not resume'}`);
      return 1;
    }
    rows.push({ agent, version: programs[agent].version, resumed, fresh });
    console.log(line(rows.at(-1)));
  }
  if (values.write) writeSection(section(rows));
  return 0;
}

/** A run in which the first attempt fails and the second passes. */
async function measure(agent, holdout) {
  const [{ recipeFor }, { makeScratch }, { startModel }] = await Promise.all(
    ['src/verify/lab/recipe.ts', 'src/verify/lab/scratch.ts', 'src/verify/model/server.ts'].map(importSource),
  );
  const recipe = recipeFor(agent);
  const { path } = labPrograms()[agent];
  const own = dirname(process.execPath);
  const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
  const folder = mkdtempSync(join(tmpdir(), `foreword-resume-${agent}-`));
  const order = [...path.filter((each) => each !== own), own];
  const scratch = makeScratch(recipe, { folder, modelUrl: model.url, path: order });
  const env = { ...scratch.env, FOREWORD_CHECKOUTS: folder };
  const cwd = scratch.project;
  try {
    mkdirSync(join(cwd, '.foreword'));
    writeFileSync(join(cwd, 'values.ts'), `${FILE.join('\n')}\n`);
    writeFileSync(join(cwd, '.foreword/tasks.json'), JSON.stringify(TASKS));
    const config = join(scratch.home, 'config.json');
    writeFileSync(config, JSON.stringify({ run: { holdout }, agents: { codex: { env: ['STUB_KEY'] } } }));
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'first'],
    ])
      execFileSync('git', args, { cwd, env });
    const call = ({ tool, input }) => ({ kind: 'call', calls: [{ name: tool, input }] });
    model.standing({
      kind: 'reply',
      reply: (request) => {
        const texts = request.texts.map(({ text }) => text);
        const at = texts.flatMap((text) => /## Working Directory\n(\S+)/.exec(text)?.[1] ?? []).at(-1);
        if (at === undefined) return { kind: 'text', text: 'Done.' };
        const hasRead = texts.some((text) => text.includes('value17 = compute'));
        const isRetry = texts.some((text) => text.includes('RETRY CONTEXT'));
        const results = resultsSince(request.texts, isRetry ? 'RETRY CONTEXT' : 'Working Directory');
        if (!hasRead) return call(recipe.commandCall(`cat ${join(at, 'values.ts')}`));
        // The file and the word; the file is there already in a session that is resumed.
        const wanted = isRetry && hadBefore(request.texts) ? 1 : 2;
        if (results >= wanted) return { kind: 'text', text: 'Done.' };
        return call(recipe.commandCall(`printf ${isRetry ? 'healthy' : 'unwell'} > ${join(at, 'health.txt')}`));
      },
    });
    const args = ['run', '.foreword/tasks.json', '--agents', agent, '--config', config];
    await promisify(execFile)(process.execPath, [COMMAND, ...args], { cwd, env, timeout: LONGEST_MS });
    const told = await promisify(execFile)(process.execPath, [COMMAND, 'history', 'api_health', '--json'], {
      cwd,
      env,
    });
    const { attempts } = JSON.parse(told.stdout);
    if (attempts.length !== 2) throw new Error(`${agent}: ${attempts.length} attempts`);
    return { isResumed: attempts[1].isResumed === true, ...counted(model.requests().filter(({ isMain }) => isMain)) };
  } finally {
    await model.close();
    await scratch.remove();
  }
}

/** Tool results behind the newest text that holds the mark. */
function resultsSince(texts, mark) {
  const at = texts.findLastIndex(({ role, text }) => role === 'user' && text.includes(mark));
  return texts.slice(at + 1).filter(({ role }) => role === 'tool').length;
}

/** The file was read before the retry began. */
function hadBefore(texts) {
  const read = texts.findIndex(({ text }) => text.includes('value17 = compute'));
  return read !== -1 && read < texts.findIndex(({ text }) => text.includes('RETRY CONTEXT'));
}

/** Of the retry: its requests, what they sent, and what of it an earlier request had not. */
function counted(requests) {
  const texts = requests.map(({ body }) => plain(body));
  const begin = requests.findIndex((request) => request.texts.some(({ text }) => text.includes('RETRY CONTEXT')));
  const each = texts.slice(begin).map((text, index) => {
    const kept = Math.max(...texts.slice(0, begin + index).map((earlier) => sameBeginning(earlier, text)));
    return { all: text.length, kept };
  });
  const sum = (name) => each.reduce((total, one) => total + one[name], 0);
  return { first: each[0], requests: each.length, all: sum('all'), fresh: sum('all') - sum('kept') };
}

/** In the order in which services cache it: tools, instructions, conversation. */
function plain(body) {
  const { tools, toolConfig, system, instructions, systemInstruction, messages, input, contents } = body;
  const parts = [tools, toolConfig, system, instructions, systemInstruction, ...(messages ?? input ?? contents ?? [])];
  return parts
    .map((part) => JSON.stringify(part ?? null, (key, value) => (UNREAD.includes(key) ? undefined : value)))
    .join('\n');
}

function sameBeginning(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function tokens(chars) {
  return Math.ceil(chars / 4).toLocaleString('en-US');
}

function line({ agent, version, resumed, fresh }) {
  const first = ({ first: { all, kept } }) => `${tokens(kept)} kept, ${tokens(all - kept)} new`;
  const whole = ({ requests, all, fresh: rest }) => `${tokens(rest)} new of ${tokens(all)}, ${requests} requests`;
  return `| ${agent} ${version} | ${first(resumed)} | ${first(fresh)} | ${whole(resumed)} | ${whole(fresh)} |`;
}

function section(rows) {
  return [
    '`bench/resume.mjs` runs one task with each real agent against the loopback model: the first attempt reads a file of 16 KB and writes',
    'the wrong word, the retry writes the right one, once in the same session and once in a new one, in which the model has the file read',
    'again. *Kept* is the longest beginning that an earlier request had too, which a service may have in its cache; the rest is *new* input.',
    'Tokens are characters / 4 of tools, instructions and conversation.',
    '',
    '| agent | first request, same session | first request, new session | whole retry, same session | whole retry, new session |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(line),
    '',
    'qwen changes its own instructions with each start, so that a service finds no more in its cache than in a new session; what it saves is',
    'the turn in which the agent would read again what it knew. gemini 0.61.0 can resume, but describes the folder again before the',
    'conversation and sends each tool result of the earlier turns twice: 9,284 new of 42,449 in the same session, 4,883 new of 46,166 in a',
    'new one (a second time 9,227 and 4,846). Its retries begin a new session, so it is not in the table.',
  ].join('\n');
}

/** Between its heading and the next one, or at the end. */
function writeSection(body) {
  const file = join(import.meta.dirname, '../docs/figures.md');
  const before = readFileSync(file, 'utf8');
  const heading = '## Resumed retries\n';
  const at = before.indexOf(heading);
  const next = at === -1 ? -1 : before.indexOf('\n## ', at + heading.length);
  const start = at === -1 ? `${before.trimEnd()}\n\n` : before.slice(0, at);
  writeFileSync(file, `${start}${heading}\n${body}\n${next === -1 ? '' : before.slice(next)}`);
}

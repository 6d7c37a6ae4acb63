// A field: real agents with one home and one project of their own, and the model they talk to, which keeps what it was given. The same
// project with foreword and without it; only with it are there hooks and sessions of ours. What happened is read from the
// model's records, each with the name of the step during which it came.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { importSource } from '../../scripts/import-source.mjs';
import { labPrograms } from '../../scripts/lab/install.mjs';
import { runToEnd, until } from '../run-to-end.mjs';

const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
const { makeScratch } = await importSource('src/verify/lab/scratch.ts');
const { startModel } = await importSource('src/verify/model/server.ts');
const { bestPrefix, requestParts } = await importSource('src/verify/kept-prefix.ts');
const { AGENTS } = await importSource('src/agents/index.ts');

export const COMMAND = join(import.meta.dirname, '../../dist/command/start.cjs');
const SIZE = ['-x', '120', '-y', '40'];
const run = promisify(execFile);

const FILES = {
  'CONSTITUTION.md': '# Constitution\n\nNever push to main.\n',
  'TASKS.md': '# Tasks\n\n- [ ] health endpoint\n',
  'AGENT_PLAYBOOK.md': '# Playbook\n\nRun the tests first.\n',
};

/** Tests and builds of the project: what they are called with decides what they print and how they end. */
const SCRIPTS = `const said = {
  currency: ['AssertionError: expected EUR to be USD', 1],
  '--all': ['error TS2304: Cannot find name Cents', 2],
  health: ['AssertionError: expected 200 but got 404', 1],
};
const [line, status] = said[process.argv[2]] ?? ['ok', 0];
console.log(line);
process.exitCode = status;
`;
const PACKAGE = { private: true, scripts: { test: 'node scripts.mjs', build: 'node scripts.mjs' } };

/** `names`: the agent, and others beside it. */
export async function openField(names, { isOurs }) {
  const all = names.map((name) => ({ name, recipe: recipeFor(name), program: labPrograms()[name] }));
  const [{ name, recipe, program }] = all;
  const steps = new Map();
  let step = 'start';
  const model = await startModel({
    directives: false,
    standing: { kind: 'acknowledge' },
    onRequest: (request) => steps.set(request, typeof step === 'function' ? step(request) : step),
  });
  const folder = mkdtempSync(join(tmpdir(), `foreword-moment-${name}-`));
  const scratches = all.map((one) => makeScratch(one.recipe, { folder, modelUrl: model.url, path: pathOf(all) }));
  const [scratch] = scratches;
  const cwd = scratch.project;
  const env = Object.assign({}, ...scratches.toReversed().map((one) => one.env), { FOREWORD_CHECKOUTS: folder });
  mkdirSync(join(cwd, '.context'));
  mkdirSync(join(cwd, 'src'));
  mkdirSync(join(cwd, '.foreword'));
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(cwd, '.context', file), text);
  for (const file of ['readme.txt', 'src/main.ts']) writeFileSync(join(cwd, file), 'a project\n');
  writeFileSync(join(cwd, 'scripts.mjs'), SCRIPTS);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(PACKAGE));
  const git = (...args) => execFileSync('git', args, { cwd, env, encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'first');
  const foreword = (...args) => runToEnd([process.execPath, COMMAND, ...args], { cwd, env });
  const must = async (...args) => {
    const ran = await foreword(...args);
    if (ran.status !== 0) throw new Error(`foreword ${args.join(' ')} ended with ${ran.status}: ${said(ran)}`);
    return ran;
  };
  if (isOurs) await must('save', '--task', 'api_health', '--next', 'register the route');
  const socket = join(folder, 'tmux');
  const sessions = async () => JSON.parse((await must('sessions', '--json')).stdout).sessions;

  return {
    isOurs,
    name,
    recipe,
    program,
    model,
    env,
    project: cwd,
    terminalArgs: scratch.terminalArgs,
    foreword,
    must,
    sessions,
    /** What is asked from now on belongs to this step, or to the one that a function names for the request. */
    step(title) {
      step = title;
    },
    turns: () => model.requests().filter((request) => request.isMain),
    of(title) {
      return this.turns().filter((request) => steps.get(request) === title);
    },
    /** The last lines of what our hooks complained about. */
    hookLog() {
      const file = join(scratch.home, '.local/state/foreword/hook.log');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-10) : [];
    },
    /** Hooks of these agents, where foreword takes part. */
    async init(...agents) {
      if (isOurs) await must('init', '--yes', '--agents', agents.join(','));
    },
    /** One prompt without a terminal. */
    async oneshot(prompt, { agent = name, more = {} } = {}) {
      const one = all.find((each) => each.name === agent);
      const [first, ...rest] = one.recipe.oneshotArgs(prompt);
      const args = [first, ...(one.recipe.vouchArgs ?? []), ...rest];
      const ran = await runToEnd([one.program.program, ...args], { cwd, env: { ...env, ...more } });
      if (ran.status !== 0) throw new Error(`${agent} ended with ${ran.status}: ${said(ran)}`);
      return ran;
    },
    /** An agent itself in tmux, as a person starts it. */
    async openAlone(args = scratch.terminalArgs, { agent = name, more = {} } = {}) {
      const one = all.find((each) => each.name === agent);
      const tmux = (...words) => run('tmux', ['-f', '/dev/null', '-S', socket, ...words], { env: { ...env, ...more } });
      const words = [...(one.recipe.vouchArgs ?? []), ...args];
      await tmux('new-session', '-d', '-s', agent, ...SIZE, '-c', cwd, one.program.program, ...words);
      return { tmux, target: agent };
    },
    /** The agent in tmux: a session of ours, or itself. */
    async open(args = scratch.terminalArgs) {
      if (!isOurs) return this.openAlone(args);
      if (!takesLaunchHooks(name)) await must('init', '--yes', '--agents', name);
      await must('start', name, '--detach', '--wait', 'acknowledged', '--', ...args);
      const [{ tmux: own }] = await sessions();
      return { tmux: (...words) => run('tmux', ['-S', own.socket, ...words]), target: own.session };
    },
    /** Of each turn: how much of an earlier one stands unchanged at its beginning. */
    prefixes() {
      const turns = this.turns().map((request) => ({
        step: steps.get(request),
        protocol: request.protocol,
        parts: requestParts(request.protocol, request.body),
      }));
      return turns.map(({ step: title, protocol, parts }, index) => {
        const earlier = turns.slice(0, index).filter((one) => one.protocol === protocol);
        const nth = turns.slice(0, index).filter((one) => one.step === title).length;
        const all = parts.reduce((sum, { text }) => sum + text.length, 0);
        const best = bestPrefix(
          protocol,
          earlier.map((one) => one.parts),
          parts,
        );
        return { step: title, nth, all, ...best };
      });
    },
    async leave() {
      try {
        if (isOurs) await endSessions(foreword, sessions);
      } finally {
        await run('tmux', ['-S', socket, 'kill-server']).catch(() => undefined);
        await model.close();
        await scratch.remove();
      }
    },
  };
}

function said({ stdout, stderr }) {
  return `${stdout}${stderr}`.slice(-2000);
}

/** The folders of all, a newer Node before ours: who needs it does not start with an older one. */
function pathOf(all) {
  const own = dirname(process.execPath);
  const folders = [...new Set(all.flatMap(({ program }) => program.path))];
  return [...folders.filter((folder) => folder !== own), ...folders.filter((folder) => folder === own)];
}

function takesLaunchHooks(name) {
  return AGENTS.find((agent) => agent.name === name)?.interactive?.launch?.hook !== undefined;
}

async function endSessions(foreword, sessions) {
  for (const { id } of await sessions()) await foreword('sessions', '--stop', id);
  await until(async () => (await sessions()).length === 0, 20_000, 300);
}

/** Tool calls of a recipe, each one answer of the model. */
export function calling(...calls) {
  return calls.map(({ tool, input }) => ({ kind: 'call', calls: [{ name: tool, input }] }));
}

/** What the model was given with a request, its own answers aside. */
export function givenIn(request) {
  return (request?.texts ?? []).filter(({ role }) => role !== 'assistant').map(({ text }) => text);
}

export function timesGiven(request, text) {
  return givenIn(request).join('\n').split(text).length - 1;
}

// A seat: one cold start of a real agent. A fresh home and project with something to tell, a model of its own that keeps
// what it was given, the built command, and a tmux server for the ways that do without it.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importSource } from '../../scripts/import-source.mjs';
import { labPrograms } from '../../scripts/lab/install.mjs';
import { runToEnd, until } from '../run-to-end.mjs';

const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
const { makeScratch } = await importSource('src/verify/lab/scratch.ts');
const { startModel } = await importSource('src/verify/model/server.ts');
export const { newestTurn, askedCode } = await importSource('src/verify/model/turn.ts');
const { typedText } = await importSource('src/context/texts/delivery-text.ts');

const COMMAND = join(import.meta.dirname, '../../dist/command/start.cjs');
const SIZE = ['-x', '110', '-y', '36'];
const run = promisify(execFile);

/** What the last session left: some 3 KB, each line with a word that stands nowhere else. */
const DECISIONS = Array.from(
  { length: 24 },
  (_, index) => `mark${index}x: the parser keeps its place in the file, since starting anew would lose what was read`,
);

export async function takeSeat(agent, { asks = [] } = {}) {
  const recipe = recipeFor(agent);
  const program = labPrograms()[agent];
  const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
  const folder = mkdtempSync(join(tmpdir(), `foreword-bench-${agent}-`));
  const scratch = makeScratch(recipe, { folder, modelUrl: model.url, path: program.path, asks });
  // Who is trusted starts itself again, unless told not to.
  const { GEMINI_CLI_NO_RELAUNCH, ...rest } = scratch.env;
  const env = asks.includes('trust')
    ? rest
    : { ...rest, ...(GEMINI_CLI_NO_RELAUNCH ? { GEMINI_CLI_NO_RELAUNCH } : {}) };
  const cwd = scratch.project;
  mkdirSync(join(cwd, '.foreword'));
  writeFileSync(join(cwd, 'readme.txt'), 'a project\n');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd, env });
  const foreword = (...args) => runToEnd([process.execPath, COMMAND, ...args], { cwd, env });
  await foreword('save', '--task', 'api_health', ...DECISIONS.flatMap((text) => ['--decision', text]));
  const text = (await foreword('load')).stdout.trimEnd();
  const marks = text.match(/mark\d+x/g) ?? [];
  if (marks.length === 0) throw new Error(`there is nothing to tell:\n${text}`);
  const socket = join(folder, 'tmux');
  const tmux = (...args) => run('tmux', ['-f', '/dev/null', '-S', socket, ...args], { env });

  return {
    agent,
    model,
    foreword,
    terminalArgs: scratch.terminalArgs,
    program: program.program,
    version: program.version,
    /** The same text as ours, for who sends it otherwise. */
    context: typedText({ id: 'fw_000000000000', text, code: '7QX4' }),
    turns: () => model.requests().filter((request) => request.isMain),
    /** The first turn that holds the whole text, and in how many texts of the last turn it stands. */
    given() {
      const isWhole = ({ role, text: one }) => role !== 'assistant' && marks.every((mark) => one.includes(mark));
      const turns = this.turns();
      const first = turns.find(({ texts }) => texts.some(isWhole));
      const copies = Math.max(0, ...turns.map(({ texts }) => texts.filter(isWhole).length));
      const isPartial =
        first === undefined && turns.some(({ texts }) => texts.some(({ text: one }) => one.includes(marks[0])));
      return {
        first,
        copies,
        isPartial,
        isAsked: first !== undefined && askedCode(newestTurn(first.texts)) !== undefined,
      };
    },
    /** The agent by itself in a tmux server of the seat. */
    async openAlone(args) {
      await tmux('new-session', '-d', '-s', 'agent', ...SIZE, '-c', cwd, program.program, ...args);
    },
    tmux,
    screen: async () => (await tmux('capture-pane', '-p', '-t', 'agent')).stdout,
    isAlone: async () =>
      tmux('has-session', '-t', 'agent').then(
        () => true,
        () => false,
      ),
    async leave() {
      try {
        await endSessions(foreword);
      } finally {
        await tmux('kill-server').catch(() => undefined);
        await model.close();
        await scratch.remove();
      }
    },
  };
}

async function endSessions(foreword) {
  const running = async () => JSON.parse((await foreword('sessions', '--json')).stdout).sessions;
  for (const { id } of await running()) await foreword('sessions', '--stop', id);
  await until(async () => (await running()).length === 0, 10_000, 200);
}

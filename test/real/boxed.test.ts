// Real agents in the box of a run: the task is done at the project's own path, what its commands try outside changes nothing, our
// hooks work, and the session is where the agent keeps it: it goes on afterwards without a box.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { calling, figure, marksIn, RealField, timesGiven } from './field.ts';
import { eachAgent } from './offered.ts';

/** One more variable for the key of our model; hooks that a person has looked at. */
const CONFIG = `run: { confine: required }
agents:
  codex: { env: [STUB_KEY], args: [--dangerously-bypass-hook-trust] }
  opencode: { env: [npm_config_fetch_retries] }
`;

const INSTRUCTIONS = 'Write health.txt and run the script of the project';
const TASKS = `tasks:
  - task_id: api_health
    intent: Add a health endpoint
    instructions: ${INSTRUCTIONS}
    acceptance_criteria:
      - text: the file says how it is
        check: { file_contains: { path: health.txt, pattern: healthy } }
      - text: the script ran to its end
        check: { file_contains: { path: ended.txt, pattern: ended } }
`;

/** How each goes on in the newest session of a folder. */
const RESUMED: Readonly<Record<string, (prompt: string) => readonly string[]>> = {
  claude: (prompt) => ['--continue', '-p', prompt],
  codex: (prompt) => ['exec', '--skip-git-repo-check', 'resume', '--last', prompt],
  gemini: (prompt) => ['--resume', 'latest', '-m', 'gemini-2.5-flash', '-p', prompt],
  opencode: (prompt) => ['run', '--continue', prompt],
  qwen: (prompt) => ['--continue', '-p', prompt],
  copilot: (prompt) => ['--continue', '-p', prompt, '--allow-all-tools'],
  pi: (prompt) => ['--offline', '--continue', '-p', prompt],
};

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent('%s does a task in its box, can change nothing outside, and its session goes on afterwards', async (name) => {
  const of = await RealField.make(name);
  field = of;
  const { home, project } = of.scratch;
  await of.must('init', '--yes', '--agents', name);
  const settings = settingsOf(home);
  expect(settings.length).toBeGreaterThan(0);
  const other = join(home, '../other');
  const outside = [
    join(home, '.ssh/id_ed25519'),
    join(home, '.profile'),
    join(home, 'notes.txt'),
    join(other, 'file.txt'),
  ];
  for (const path of outside) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'a person wrote this\n');
  }
  const state = join(home, '.local/state/foreword');
  writeFileSync(join(project, 'escape.sh'), escapes({ paths: [...outside, ...settings], other, state }));
  writeFileSync(join(project, '.foreword/tasks.yaml'), TASKS);
  of.git('add', '.');
  of.git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'script');
  const config = join(home, 'config.yaml');
  writeFileSync(config, CONFIG);
  const before = hashes([...outside, ...settings]);
  of.model.standing({ kind: 'reply', reply: (request) => replyTo(of, request) });

  const startedAt = Date.now();
  const ran = await of.foreword('run', '.foreword/tasks.yaml', '--agents', name, '--config', config);
  figure(name, 'boxed run with its trial', Date.now() - startedAt);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const { attempts } = JSON.parse((await of.must('history', 'api_health', '--json')).stdout);
  expect(attempts).toEqual([
    expect.objectContaining({
      provider: name,
      status: 'completed',
      box: expect.objectContaining({ level: 'bubblewrap' }),
    }),
  ]);

  // Nothing outside has changed, and what it could not see it could not read.
  expect(hashes([...outside, ...settings])).toEqual(before);
  expect(existsSync(join(state, 'leak.txt'))).toBe(false);
  expect(readdirSync(home).filter((one) => one.startsWith('leak'))).toEqual([]);
  expect(of.git('status', '--porcelain', '--untracked-files=no')).toBe('');
  const [branch = ''] = of.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n');
  expect(of.git('show', `${branch}:seen.txt`)).toBe('');

  // The prompt has the rules, so our hooks are silent.
  const first = of.turns().filter((turn) => timesGiven(turn, INSTRUCTIONS) > 0);
  expect(marksIn(first.at(-1), 'startup')).toEqual([]);
  expect(marksIn(first.at(-1), 'gate')).toEqual([]);
  expect(timesGiven(first.at(-1), '[foreword rules fw_')).toBe(1);

  of.model.reset();
  of.model.standing({ kind: 'text', text: 'Done.' });
  const resumed = await of.started(RESUMED[name]?.('And now?') ?? expect.fail(name));
  expect(resumed.status, resumed.stdout + resumed.stderr).toBe(0);
  expect(of.turns().some((turn) => timesGiven(turn, INSTRUCTIONS) > 0)).toBe(true);
});

function replyTo(of: RealField, request: RecordedRequest) {
  const done = { kind: 'text', text: 'Done.' } as const;
  if (timesGiven(request, INSTRUCTIONS) === 0 || newestTurn(request.texts).hasToolResult) return done;
  const file = join(of.scratch.project, 'health.txt');
  return calling(of.recipe.fileCall(file, 'healthy'), of.recipe.commandCall('sh escape.sh'));
}

/** Every file of the home before the first start: its settings, and our hooks. Copilot keeps what it remembers, its login too, in a
 *  file of its own that it must be able to replace. */
function settingsOf(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(home, '.local/state/')) && path !== join(home, '.copilot/config.json'));
}

/** Goes on whatever is refused. Copies in the box may change: they are not kept. */
function escapes(of: { readonly paths: readonly string[]; readonly other: string; readonly state: string }): string {
  const { paths, other, state } = of;
  return [
    `cat ${paths[0]} > seen.txt 2>/dev/null`,
    ...paths.flatMap((path) => [`echo changed >> ${path}`, `echo changed > ${path}.new && mv ${path}.new ${path}`]),
    `echo leak > ${state}/leak.txt`,
    'echo leak > "$HOME/leak.txt"',
    `rm -rf ${other} "$HOME/.ssh"`,
    'echo ended > ended.txt',
    '',
  ].join('\n');
}

function hashes(paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')] as const),
  );
}

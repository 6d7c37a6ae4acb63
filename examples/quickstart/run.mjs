// `npm run quickstart`: a supervised run on a small project with no key and no agent installed. The agents are scripts that
// read their prompt like any agent: one hits its rate limit, one makes a mistake and mends it when it is told, one
// verifies. It works on a copy in a temporary folder and leaves nothing behind.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, writeConfig } from './prepare.mjs';

const main = join(import.meta.dirname, '../../dist/command/start.cjs');
if (!existsSync(main)) {
  console.error('foreword is not built: run npm ci first.');
  process.exit(3);
}
const folder = mkdtempSync(join(tmpdir(), 'foreword-quickstart-'));
const project = join(folder, 'shop');
prepare(project);
const config = join(folder, 'quickstart.json');
writeConfig(config);

const mark = process.stdout.isTTY ? (text) => `\u001b[1m${text}\u001b[0m` : (text) => text;
try {
  say('Three tasks on a small shop, two agents in the lineup: swift, then steady.');
  run('run', '.foreword/tasks.yaml');
  say('swift hit its rate limit. This is what steady was told before its own prompt:');
  run('history', 'api_health', '--prompt', '--attempt', '2');
  say('steady put the route in the wrong place, the check found it, and the next attempt was told:');
  run('history', 'api_health');
  say('A criterion without a check goes to another agent, whose commands run in a sandbox:');
  writeFileSync(join(project, 'review.json'), JSON.stringify([REVIEW()]));
  run('run', 'review.json');
  run('status');
} finally {
  rmSync(folder, { recursive: true });
}

function REVIEW() {
  return {
    task_id: 'api_health_docs',
    intent: 'See that the endpoint is described',
    instructions: 'Nothing to change; the description is checked.',
    acceptance_criteria: ['the README describes GET /api/health'],
    agents: ['steady'],
  };
}

function say(text) {
  console.log(`\n${mark(text)}`);
}

function run(...args) {
  console.log(`\n$ foreword ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [main, ...args, '--config', config], {
    cwd: project,
    stdio: 'inherit',
    // State goes with the folder, and not to your own.
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  });
  // Without a sandbox the helper's commands are not run, and the task waits for a person: said above, not hidden.
  if (status !== 0 && !(args[1] === 'review.json' && status === 1))
    throw new Error(`foreword ${args[0]} ended with ${status}`);
}

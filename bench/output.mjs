// Agents that print without end: speed of `foreword run`, and the most memory its process had.
// Linux only: /proc has the most memory a process had.
// Usage: node bench/output.mjs [--megabytes 200] [--only KIND]   (after npm run build)

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '200' }, only: { type: 'string' } },
});
const megabytes = Number(values.megabytes);
const COMMAND = join(import.meta.dirname, '../dist/command/start.cjs');

const JSON_LINE = `{"type":"item.updated","item":{"id":"item_7","type":"command_execution","aggregated_output":"${'compiling module src/module.ts, 12 warnings. '.repeat(8)}","exit_code":null}}`;
const KINDS = {
  'lines on standard output': `yes 'compiling src/module/part.ts: 12 warnings, 0 errors' | head -c $BYTES`,
  'lines on standard error': `yes 'compiling src/module/part.ts: 12 warnings, 0 errors' | head -c $BYTES >&2`,
  'one endless line': `head -c $BYTES /dev/zero | tr '\\0' x`,
  'lines of JSON': `yes '${JSON_LINE}' | head -c $BYTES`,
  'short lines': `yes | head -c $BYTES`,
  'random bytes': `head -c $BYTES /dev/urandom`,
  'words of base64': `head -c $BYTES /dev/urandom | base64 | head -c $BYTES`,
};

for (const [what, script] of Object.entries(KINDS)) {
  if (values.only !== undefined && !what.includes(values.only)) continue;
  const { seconds, peakMib, status, bare } = await measured(script);
  console.log(
    `${what}: ${(megabytes / seconds).toFixed(1)} MB/s, ${peakMib.toFixed(0)} MiB at most, ${seconds.toFixed(1)} s, exit ${status}; bare ${bare.toFixed(1)} s`,
  );
}

async function measured(script) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-output-'));
  try {
    const project = join(folder, 'project');
    mkdirSync(join(project, '.foreword'), { recursive: true });
    const agent = join(folder, 'agent.sh');
    writeFileSync(agent, `#!/bin/sh\nBYTES=${megabytes * 1_000_000}\n${script}\necho done > done.txt\n`);
    chmodSync(agent, 0o755);
    const oneshot = {
      command: [agent],
      prompt: 'stdin',
      output: { format: 'jsonl', rules: [{ when: { type: 'answer' }, answer: 'text' }] },
      retryLine: '^Retrying in [0-9]+ s',
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ lineup: ['flood'], agents: { flood: { oneshot } } }));
    const task = {
      task_id: 'a',
      intent: 'Write',
      instructions: 'Write done.txt',
      acceptance_criteria: [{ text: 'done', check: { file_exists: 'done.txt' } }],
    };
    writeFileSync(join(folder, 'tasks.json'), JSON.stringify([task]));
    const env = { PATH: process.env.PATH, HOME: folder };
    const bareAt = performance.now();
    await ended(spawn('sh', ['-c', `'${agent}' 2>&1 | cat > /dev/null`], { cwd: folder, env }));
    const bare = (performance.now() - bareAt) / 1000;
    const startedAt = performance.now();
    const child = spawn(
      process.execPath,
      [COMMAND, 'run', join(folder, 'tasks.json'), '--config', join(folder, 'config.json')],
      {
        cwd: project,
        env,
        stdio: 'ignore',
      },
    );
    let peakMib = 0;
    const timer = setInterval(() => {
      peakMib = peakOf(child.pid) ?? peakMib;
    }, 50);
    const status = await ended(child);
    clearInterval(timer);
    return { seconds: (performance.now() - startedAt) / 1000, peakMib, status, bare };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ended(child) {
  return new Promise((resolve) => child.on('close', resolve));
}

function peakOf(pid) {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined;
  }
}

// V8's compiled code of the hook program, beside it: made by running each event once in a project of its own. A hook only
// reads it (hooks/start.ts).

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ASSUMED_AGENT } from '../hooks/dialects.ts';
import { replaceFile } from '../system/files/atomic.ts';

/** The one that speaks most often comes last: its run decides what is kept of the part that all share. */
const EVENTS = ['stop', 'prompt', 'session-start', 'pre-tool'];

/** `folder` is that of hook.cjs. Code that cannot be written is not kept. */
export function keepHookCode(folder: string, node: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'foreword-code-'));
  try {
    for (const name of ['.context', '.foreword']) mkdirSync(join(scratch, name));
    replaceFile(join(scratch, '.context/CONSTITUTION.md'), '# Warm up\n');
    replaceFile(join(scratch, '.foreword/tasks.yaml'), '- { id: a, instructions: warm up }\n');
    // What is around us is not for it: a variable may name a store, or load something first.
    const env = { PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter), HOME: scratch };
    const payload = { session_id: 'warm-up', cwd: scratch, source: 'startup', prompt: 'x', tool_input: {} };
    for (const event of EVENTS) {
      spawnSync(node, [join(folder, 'hook.cjs'), event, ASSUMED_AGENT, '--keep-code'], {
        cwd: scratch,
        env,
        input: JSON.stringify(payload),
        stdio: ['pipe', 'ignore', 'ignore'],
        timeout: 10_000,
      });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

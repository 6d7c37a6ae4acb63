// In a session that a host of ours began, with its startup context by another channel than a hook: the agent does not wait
// for what is only reported to the host.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Built, run, SHELLS, titled } from './built.ts';
import type { Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
let gate: string;
let told: string;
onStage('reports', (stage) => {
  ({ built, field, env } = stage);
  gate = join(field.folder, 'go-on');
  told = join(field.folder, 'told');
});

/** A Node that ends when it is let go, and leaves what it was given. */
function heldNode(): string {
  const file = join(field.folder, 'node');
  const wait = `for i in $(seq 1 2000); do [ -e '${gate}' ] && break; sleep 0.01; done`;
  writeFileSync(file, `#!/bin/sh\n${wait}\ncat <&3 >'${told}.new'\nmv '${told}.new' '${told}'\nprintf 'said\\n'\n`, {
    mode: 0o755,
  });
  return file;
}

const START = '{"session_id":"a-1","source":"startup"}';

/** Asks for up to ten seconds. */
async function soon<T>(ask: () => T): Promise<T> {
  for (let tries = 0; tries < 1000 && !ask(); tries += 1) await sleep(10);
  return ask();
}

async function isTold(): Promise<string | undefined> {
  await soon(() => existsSync(told));
  return existsSync(told) ? readFileSync(told, 'utf8').trimEnd() : undefined;
}

describe.each(SHELLS)('$name', (shell) => {
  const hook = (event: string, payload: string, more: Record<string, string> = {}) =>
    run([...shell.command, built.script], {
      cwd: field.root,
      env: { ...env, FOREWORD_NODE: heldNode(), FOREWORD_SESSION: 'live-1', ...more },
      args: [event, 'claude'],
      input: [payload],
      isLeftOpen: true,
    });
  const check = (title: string, work: () => Promise<void>) =>
    test.skipIf(shell.missing !== undefined)(titled(title, shell), work);
  /** The agent went on while Node still waited, and Node was given all of it then. */
  const isReported = async (event: string, payload: string) => {
    const ran = await hook(event, payload);
    expect({ status: ran.status, stdout: ran.stdout, isTold: existsSync(told) }).toEqual({
      status: 0,
      stdout: '',
      isTold: false,
    });
    writeFileSync(gate, '');
    expect(await isTold()).toBe(payload);
  };
  /** The agent gets what Node prints. */
  const isWaitedFor = async (event: string, payload: string, more: Record<string, string> = {}) => {
    writeFileSync(gate, '');
    expect((await hook(event, payload, more)).stdout).toBe('said\n');
  };

  check('the start is reported', () => isReported('session-start', START));

  check('the first prompt is reported, a long one too', () =>
    isReported('prompt', JSON.stringify({ session_id: 'a-1', prompt: 'x'.repeat(20_000) })),
  );

  check('a Node that hangs is ended, and the log names it', async () => {
    const file = join(field.folder, 'hanging');
    const pid = join(field.folder, 'pid');
    writeFileSync(file, `#!/bin/sh\necho $$ >'${pid}'\nexec sleep 600\n`, { mode: 0o755 });
    await hook('session-start', START, { FOREWORD_NODE: file });
    const number = await soon(() => existsSync(pid) && readFileSync(pid, 'utf8').trim());
    expect(await soon(() => !existsSync(`/proc/${number}`))).toBe(true);
    expect(await soon(() => field.log().includes('session-start claude: given up after 1500 ms'))).toBe(true);
  });

  check('a Node that cannot be run gives way to the one on PATH', async () => {
    const file = join(field.folder, 'broken');
    writeFileSync(file, '#!/no/such/interpreter\n', { mode: 0o755 });
    heldNode();
    writeFileSync(gate, '');
    await hook('session-start', START, { FOREWORD_NODE: file, PATH: `${field.folder}:${env.PATH}` });
    expect(await isTold()).toBe(START);
  });

  check('a start after a compaction is waited for', () =>
    isWaitedFor('session-start', '{"session_id":"a-1","source":"compact"}'),
  );

  check('a start with a context to print is waited for', () =>
    isWaitedFor('session-start', START, { FOREWORD_CONTEXT_FILE: '/c.json' }),
  );

  check('a start in no session of ours is waited for', () =>
    isWaitedFor('session-start', START, { FOREWORD_SESSION: '' }),
  );

  check('a prompt of a session that was given something is waited for', async () => {
    const folder = join(field.places.hooks, 'a-1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'told.json'), '{}');
    await isWaitedFor('prompt', '{"session_id":"a-1","prompt":"go on"}');
  });

  check('the first prompt of another conversation in the same terminal is waited for', async () => {
    mkdirSync(join(field.places.hooks, 'live-1/a-1'), { recursive: true });
    await isWaitedFor('prompt', '{"session_id":"a-2","prompt":"go on"}');
  });

  check('a prompt whose session is not plain to see is waited for', () =>
    isWaitedFor('prompt', '{"x":{"session_id":"a-1"},"prompt":"go on"}'),
  );
});

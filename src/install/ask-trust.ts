// Asks an agent itself whether it will run our hooks. It runs with a copy of its settings in a folder of ours: it writes logs and
// more into its home when it starts, and doctor changes nothing.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskedHook, TrustAsk } from '../kernel/agent-install.ts';
import type { RunProcess } from '../kernel/process.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { isOurCommand } from './shell-command.ts';

/** `off`: the agent runs no hooks at all. */
export type AskedTrust = AskedHook['trust'] | 'disabled' | 'off';

export interface TrustQuestionAt {
  readonly ask: TrustAsk;
  /** Its program. */
  readonly program: string;
  /** Its own folder, where it keeps what the person trusted. */
  readonly folder: string;
  /** The project. */
  readonly root: string;
  readonly path: string;
}

/** A start on a busy machine takes some seconds. */
const LONGEST_MS = 15_000;
/** Keeps its input open after the questions: it ends at the end of its input, before it replies. */
const KEEP_OPEN = '{ cat; sleep 20; } | exec "$0" "$@"';

/** What it says about our hooks; `undefined` when it does not reply as expected. */
export async function askTrust(at: TrustQuestionAt, run: RunProcess): Promise<readonly AskedTrust[] | undefined> {
  const { ask, program, folder, root, path } = at;
  if (!existsSync(folder)) return undefined;
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-doctor-')));
  const copy = join(home, 'settings');
  try {
    mkdirSync(copy);
    copySettings(ask, realpathSync(folder), copy);
    let answer: readonly AskedHook[] | undefined;
    await run({
      command: ['/bin/sh', '-c', KEEP_OPEN, program, ...ask.args],
      cwd: root,
      env: { PATH: path, HOME: home, [ask.variable]: copy },
      input: ask
        .questions(root)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
      timeoutMs: LONGEST_MS,
      onLine: (line) => {
        answer ??= ask.answerIn(line);
        return answer === undefined ? undefined : 'caller';
      },
    });
    const own = answer?.filter(({ command }) => isOurCommand(command));
    if (own === undefined) return undefined;
    return own.length === 0 ? ['off'] : own.map(({ trust, isEnabled }) => (isEnabled ? trust : 'disabled'));
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** It knows a trusted hook by the path of the file that holds it, so the paths in the copy are those of the copy. */
function copySettings({ files }: TrustAsk, folder: string, copy: string): void {
  for (const { name, hasPaths } of files) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    if (hasPaths === true)
      replaceFile(join(copy, name), readFileSync(file, 'utf8').replaceAll(`${folder}/`, `${copy}/`));
    else copyFileSync(file, join(copy, name));
  }
}

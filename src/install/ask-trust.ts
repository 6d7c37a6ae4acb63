// Asks an agent itself whether it will run our hooks. It runs with a copy of its settings in a folder of ours: it writes logs and
// more into its home when it starts, and doctor changes nothing.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { AskedHook, TrustAsk } from '../kernel/agent-install.ts';
import type { RunProcess } from '../kernel/process.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { isOurCommand } from './shell-command.ts';
import type { Scope } from './target.ts';

/** `off`: the agent runs no hooks at all. `folder not trusted`: it runs none of this project. */
export type AskedTrust = AskedHook['trust'] | 'disabled' | 'off' | 'folder not trusted';

export interface TrustQuestionAt {
  readonly ask: TrustAsk;
  /** Its program. */
  readonly program: string;
  /** Its own folder, where it keeps what the person trusted. */
  readonly folder: string;
  /** The project. */
  readonly root: string;
  /** The file with our hooks, and for whom it is. */
  readonly file: string;
  readonly scope: Scope;
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
    let isOn: boolean | 'unknown' | undefined;
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
        isOn ??= ask.isOnIn(line);
        answer ??= ask.answerIn(line);
        // Why a list is empty stands in the other answer, whichever comes first.
        const isWhole = answer !== undefined && (isOn !== undefined || answer.length > 0);
        return isWhole ? 'caller' : undefined;
      },
    });
    const own = answer?.filter(({ command }) => isOurCommand(command));
    return own === undefined ? undefined : trustOf(own, { ...at, copy, isOn });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function trustOf(
  own: readonly AskedHook[],
  {
    scope,
    folder,
    file,
    copy,
    isOn,
  }: TrustQuestionAt & { readonly copy: string; readonly isOn: boolean | 'unknown' | undefined },
): readonly AskedTrust[] {
  const asked = scope === 'user' ? join(copy, relative(folder, file)) : realpathSync(file);
  const inFile = own.filter((hook) => hook.file === undefined || hook.file === asked);
  // It may name the person's own file in another way; those of a project it leaves out.
  const found = inFile.length === 0 && scope === 'user' ? own : inFile;
  if (found.length > 0) return found.map(({ trust, isEnabled }) => (isEnabled ? trust : 'disabled'));
  return [scope === 'user' || isOn === false ? 'off' : 'folder not trusted'];
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

// A box around a home that is not the person's, for the trial of an agent (verify/boxed-turn.ts).

import { join } from 'node:path';
import type { AgentBox } from '../../kernel/agent-box.ts';
import type { ProcessEnd, ProcessRequest } from '../../kernel/process.ts';
import { isOwnerAlive, ownerName } from '../../system/processes/owner.ts';
import { runProcess } from '../../system/processes/run-process.ts';
import { findBox } from './index.ts';
import { allRemoved } from './private-folders.ts';
import { runBoxed } from './run-boxed.ts';

interface TrialBox {
  readonly kind: 'ready';
  run(program: TrialProgram, signal: AbortSignal): Promise<ProcessEnd>;
}

interface TrialProgram {
  readonly box: AgentBox | undefined;
  readonly tree: string;
  readonly top: string;
  readonly request: ProcessRequest;
}

export async function openTrialBox(options: {
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: string;
}): Promise<TrialBox | { readonly kind: 'missing'; readonly why: string }> {
  const { home, variables, folder } = options;
  const found = await findBox({
    allow: [],
    readable: [],
    run: runProcess,
    variables: { ...variables, HOME: home },
    root: join(folder, 'nowhere'),
    state: folder,
    journal: { folder: join(folder, 'placeholders'), owner: ownerName(), isAlive: isOwnerAlive },
    commandFile: process.argv[1],
  });
  if (found.kind === 'missing') return found;
  return {
    kind: 'ready',
    run: async ({ box, tree, top, request }, signal) => {
      const place = { tree, top, cwd: request.cwd, objects: [] };
      const shown = { folder: join(folder, 'box') };
      const { end } = await runBoxed(found.setup, { box, place, request, shown }, signal);
      // The same folder is used again, or removed.
      await allRemoved();
      return end;
    },
  };
}

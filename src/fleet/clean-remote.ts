// `foreword clean --remote`: removes what shared runs left on a remote.

import type { RunRecord } from '../kernel/run.ts';
import type { Remote } from '../system/git/remote.ts';
import { carriedRefs, removeCarried } from './carry.ts';
import type { RemoteLeftover } from './remote-leftover.ts';

export async function cleanRemote(
  remote: Remote,
  runs: readonly Pick<RunRecord, 'id' | 'state'>[],
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<readonly RemoteLeftover[]> {
  const done: RemoteLeftover[] = [];
  for (const [run, refs] of await carriedRefs(remote)) {
    const reason = whyKept(runs.find(({ id }) => id === run)?.state);
    const kept = reason ?? (isDryRun ? undefined : await removeCarried(remote, refs));
    done.push({ run, refs: refs.size, ...(kept === undefined ? {} : { kept }) });
  }
  return done;
}

function whyKept(state: RunRecord['state'] | undefined): string | undefined {
  if (state === undefined) return 'this store does not know the run; clean where it was enqueued.';
  return state === 'open' ? 'the run is open: merge it, or enqueue its file with --new.' : undefined;
}

// Whether hooks left a trace in sessions, by folder: where an agent that was begun from one place works without its hooks, while
// they run when it is begun from another. Pure; bounded.

import type { EntryPoint } from '../../kernel/agent-audit.ts';
import { hashOf } from './hook-texts.ts';

/** What the traces of one group are: an agent, its version, from where it was begun. */
export interface Traced {
  readonly places: Map<number, Place>;
  /** A session without a trace. */
  example?: string;
}

/** Sessions with a prompt in one folder. */
interface Place {
  prompted: number;
  without: number;
}

export interface TracedSession {
  readonly folder: string | undefined;
  readonly hasTrace: boolean;
  readonly example: string;
}

export interface TraceFinding {
  readonly kind: 'no-hooks';
  readonly count: number;
  readonly of: number;
  readonly example: string;
}

const MOST_FOLDERS = 20_000;
/** A hook has nothing to say now and then, and a busy machine gives up one or two. */
const SHARE = 0.5;

export class HookTraces {
  /** By agent and folder: from where sessions were begun in which hooks left a trace. */
  readonly #traced = new Map<string, Map<number, Set<EntryPoint>>>();

  /** Sessions come oldest first; only those with a prompt. */
  add(
    group: { readonly agent: string; readonly entry: EntryPoint; readonly traces: Traced },
    { folder, hasTrace, example }: TracedSession,
  ): void {
    if (!hasTrace) group.traces.example = example;
    if (folder === undefined) return;
    const key = hashOf(folder);
    const place = placeOf(group.traces, key);
    const entries = this.#entriesOf(group.agent, key);
    if (place === undefined || entries === undefined) return;
    place.prompted += 1;
    if (!hasTrace) place.without += 1;
    if (hasTrace) entries.add(group.entry);
  }

  /** A hook that prints nothing leaves no trace, so that a group without any is no fault by itself: where the same agent, begun from
   *  elsewhere in the same folder, has them, it is. */
  judge(agent: string, entry: EntryPoint, { places, example = '' }: Traced): readonly TraceFinding[] {
    const elsewhere = { of: 0, count: 0 };
    for (const [key, place] of places) {
      if (entry === 'unknown' || !this.#isElsewhere(agent, key, entry)) continue;
      elsewhere.of += place.prompted;
      elsewhere.count += place.without;
    }
    return isMost(elsewhere) ? [{ kind: 'no-hooks', ...elsewhere, example }] : [];
  }

  #isElsewhere(agent: string, key: number, own: EntryPoint): boolean {
    const entries = this.#traced.get(agent)?.get(key) ?? new Set();
    return [...entries].some((entry) => entry !== own && entry !== 'unknown');
  }

  #entriesOf(agent: string, key: number): Set<EntryPoint> | undefined {
    const traced = this.#traced.get(agent) ?? new Map<number, Set<EntryPoint>>();
    this.#traced.set(agent, traced);
    const known = traced.get(key);
    if (known !== undefined || traced.size >= MOST_FOLDERS) return known;
    const fresh = new Set<EntryPoint>();
    traced.set(key, fresh);
    return fresh;
  }
}

function placeOf({ places }: Traced, key: number): Place | undefined {
  const known = places.get(key);
  if (known !== undefined || places.size >= MOST_FOLDERS) return known;
  const fresh = { prompted: 0, without: 0 };
  places.set(key, fresh);
  return fresh;
}

function isMost({ count, of }: { readonly count: number; readonly of: number }): boolean {
  return count > 0 && count >= of * SHARE;
}

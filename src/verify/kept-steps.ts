// The turns of one conversation, one after the other: how much of the turn before stands unchanged at the beginning of the next, so that
// a service finds it in its cache. Pure.

import { keptPrefix, requestParts } from './kept-prefix.ts';
import type { CacheKept } from './measurement.ts';
import type { RecordedRequest } from './model/record.ts';

type Turn = Pick<RecordedRequest, 'isMain' | 'protocol' | 'body'>;

export function keptIn(requests: readonly Turn[]): CacheKept {
  const turns = requests.flatMap(({ isMain, protocol, body }) =>
    isMain && protocol !== 'none' ? [{ protocol, parts: requestParts(protocol, body) }] : [],
  );
  const steps = turns.slice(1).map((turn, index) => {
    const before = turns[index] ?? turn;
    const step = keptPrefix(turn.protocol, before.parts, turn.parts);
    // Another protocol is another service, which has nothing of it.
    if (before.protocol === turn.protocol) return step;
    return { ...step, kept: 0, broken: { place: 'model', part: 0, character: 0 } as const };
  });
  const at = steps.findIndex(({ broken }) => broken !== undefined);
  const broken = steps[at]?.broken;
  return {
    steps: steps.length,
    whole: steps.filter((step) => step.broken === undefined).length,
    kept: steps.reduce((sum, { kept }) => sum + kept, 0),
    of: steps.reduce((sum, { of }) => sum + of, 0),
    // The first request has none before it.
    ...(broken === undefined ? {} : { broken: { request: at + 2, ...broken } }),
  };
}

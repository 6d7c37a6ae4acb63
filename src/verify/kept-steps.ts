// The turns of one conversation, one after the other: how many of them begin with the whole turn before, so that a service finds it
// in its cache. Pure.

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
    return (
      before.protocol === turn.protocol && keptPrefix(turn.protocol, before.parts, turn.parts).broken === undefined
    );
  });
  return { steps: steps.length, whole: steps.filter((isWhole) => isWhole).length };
}

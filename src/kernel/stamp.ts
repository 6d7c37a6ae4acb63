// Gives what happened its id and its time, which makes it an event of the journal.

import type { Clock } from './clock.ts';
import type { ForewordEvent, Happening } from './events.ts';

export type Stamp = (happening: Happening) => ForewordEvent;

export function makeStamp(newId: (prefix: string) => string, clock: Pick<Clock, 'now'>): Stamp {
  return (happening) => ({ id: newId('evt'), at: new Date(clock.now()).toISOString(), ...happening }) as ForewordEvent;
}

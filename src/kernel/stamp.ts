// Adds the id and the time to an event, which makes it an entry of the journal.

import type { Clock } from './clock.ts';
import type { ForewordEvent, NewEvent } from './events.ts';

export type Stamp = (event: NewEvent) => ForewordEvent;

export function makeStamp(newId: (prefix: string) => string, clock: Pick<Clock, 'now'>): Stamp {
  return (event) => ({ id: newId('evt'), at: new Date(clock.now()).toISOString(), ...event }) as ForewordEvent;
}

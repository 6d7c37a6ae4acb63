// The four events of a delivery under the names and with the fields that other programs know: they go to the journal beside the
// event that they are made of, and to whoever listens to an injector. Pure.

import type { NewEvent, NewInjectionEvent } from '../../kernel/events.ts';

/** `undefined` for an event that has no such name. */
export function injectionEventOf(event: NewEvent): NewInjectionEvent | undefined {
  switch (event.kind) {
    case 'delivery-attempted': {
      const { delivery: messageId, attempt, priority: type } = event;
      return { kind: 'injection:attempted', messageId, attempt, type };
    }
    case 'delivery-escalated':
      return { kind: 'injection:escalated', messageId: event.delivery, escalationType: event.to };
    case 'delivery-ended': {
      const { delivery: messageId, attempts, durationMs, reason = event.outcome } = event;
      return event.outcome === 'delivered'
        ? { kind: 'injection:succeeded', messageId, attempts, durationMs }
        : { kind: 'injection:failed', messageId, attempts, reason };
    }
    default:
      return undefined;
  }
}

/** Each event, and behind it the one that it is known by elsewhere. */
export function withInjectionEvents(events: readonly NewEvent[]): readonly NewEvent[] {
  return events.flatMap((event) => {
    const known = injectionEventOf(event);
    return known === undefined ? [event] : [event, known];
  });
}

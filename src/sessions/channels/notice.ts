// Channel `notice`: a short line that context is available, when everything else failed. Proof: `placed` when the line is on
// its way. The text itself did not get in, so that a delivery never ends as delivered by it alone.

import { nextRung } from '../delivery/ladder.ts';
import { moved, rests, withoutWaiting } from '../delivery/step.ts';
import type { ChannelRules } from './channel.ts';

export const notice = {
  placedBy: 'session',
  carriesText: false,
  worksLate: true,
  isServedAs: (role: string) => role === 'user',
  evidence: { placed: () => 'a notice that context is available was queued' },
  isUsable: () => true,
  whenQueued: (delivery, view, rules) =>
    rules.sendNotificationOnFailure
      ? { delivery: withoutWaiting(delivery), action: 'place' }
      : moved(nextRung(delivery, view.now, 'notices are switched off')),
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;

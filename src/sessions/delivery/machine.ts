// The delivery machine: what is done next with one text, and when it is over. Pure: the same record and the same event give
// the same step. sessions/deliver.ts acts: it looks, lets `advance` decide, stores the record, and only then writes.
//
// A delivery climbs a ladder of channels (channels/index.ts), best first. `rung` is the channel in use. It leaves a rung
// that cannot be used or did not work, never goes back to one, and ends when it has the proof that is required, when no
// rung is left, or at its deadline. These hold for every sequence of events:
//
// - A body is written at most once per rung. After that only the submit key is repeated, and only while the screen still
//   shows our unsent text and nothing else.
// - Nothing is written into a dialog, a draft or a busy agent, nor while a person types.
// - A proof only goes up. One that comes late, from an earlier rung or after the end, still counts.
// - What ended stays ended. `failed` and `uncertain` may still become `delivered`, by a late proof.
// - A record is stored before anything is done because of it, so that a host which is killed at any point leaves a record
//   from which the next host goes on without writing anything twice.
//
// The stages:
//
// queued      Nothing is placed by the rung in use. It waits: for a free composer (`typed`), for the agent to run our hook
//             (`hook`), for nothing (`file`, `notice`). `waiting` has the reason as a person reads it.
//             Entered when it is accepted; from `queued`, `typed` and `placed`, when the rung is given up for the next one;
//             from `typing`, when not one byte could be written (`notBefore` is the pause that follows).
//             Left for `typing` when the composer is free and stable, for `placed` when a channel holds the body, for
//             `queued` on the next rung when the channel refuses or a launch hook did not run in time (`hookFiresAt`
//             is when it should), for `submitted` and `ended` by a proof.
// typing      The body is being written to the terminal. Stored before the first byte.
//             Can only be entered from `queued` on the rung `typed`.
//             Left for `typed` when all or some bytes went out, for `queued` when none did. Whoever finds this stage
//             without having written (a new host, a later look) treats it as `typed`: the bytes may be there or not.
// typed       The bytes went out, and the composer has not shown them yet.
//             Can only be entered from `typing`.
//             Left for `placed` when the composer shows the body; for `submitted` when the id is on the screen as
//             something that was sent; after half a minute unseen for the next rung, or for `ended` as uncertain.
// placed      A channel holds the body: the composer shows it, the hook printed it, the launch carried it, the file has it.
//             Entered from `queued`, `typing` and `typed` by a channel that placed it; from `queued` and `typed` when the
//             composer shows it.
//             Left for `submitting` by the submit key (composer only), for `submitted` when a turn began, for the next rung
//             when the agent is idle though it was launched with the text.
// submitting  The submit key was sent. Stored before the key; `presses` counts the keys.
//             Can only be entered from `placed`, and from itself when the key is sent again.
//             Left for `submitted` when the composer emptied and a turn began; for `ended` as uncertain when the key is not
//             taken or nothing shows a turn for a minute.
// submitted   The agent took it as input; the proof that is required is still missing. `waiting` has why its turn got no answer
//             of the model, if so; a later turn that still holds the text may get one.
//             Entered from any stage but `ended`, by a proof of `submitted` or better.
//             Left for `ended` only: by a better proof, the deadline, or the agent's end.
// ended       Over, with an outcome. `delivered`: the required proof is there. `uncertain`: the body is somewhere, and
//             nothing shows that it was read. `failed`: it never got in. Entered from any stage; never left.
//
// matrix.test.ts has every stage with every event as a table.

import { type DeliveryRecord, isEnded } from '../../kernel/delivery.ts';
import { channelRules } from '../channels/index.ts';
import { whenWritten } from '../channels/typed.ts';
import { channelOf, closeWindow, nextRung, overdue } from './ladder.ts';
import { end, enter, giveUp, proved, raise, timeOf } from './record.ts';
import {
  type DeliveryEvent,
  type DeliveryRules,
  type DeliveryStep,
  type DeliveryView,
  moved,
  rests,
  waits,
} from './step.ts';

export function advance(delivery: DeliveryRecord, event: DeliveryEvent, rules: DeliveryRules): DeliveryStep {
  if (event.kind === 'proved') return { delivery: proved(delivery, event.now, event), action: 'none' };
  if (isEnded(delivery)) return { delivery, action: 'none' };
  switch (event.kind) {
    case 'looked':
      return look(delivery, event.view, rules);
    case 'typed':
      return moved(delivery.stage === 'typing' ? enter(delivery, event.now, { stage: 'typed' }) : delivery);
    case 'type-failed':
      return moved(typeFailed(delivery, event, rules));
    case 'pressed':
      return moved(delivery);
    case 'placed':
      return moved(placed(delivery, event));
    case 'refused':
      return moved(refused(delivery, event));
    case 'unanswered':
      return delivery.stage === 'submitted' ? waits(delivery, event.reason) : { delivery, action: 'none' };
    case 'reworded':
      return { delivery: reworded(delivery, event.text), action: 'none' };
    case 'found-again':
      return moved(foundAgain(delivery, event.now));
    case 'gone':
      return moved(afterEnd(delivery, event.now));
  }
}

type EventOf<Kind extends DeliveryEvent['kind']> = Extract<DeliveryEvent, { readonly kind: Kind }>;
type OpenDelivery = Exclude<DeliveryRecord, { readonly stage: 'ended' }>;

function look(delivery: OpenDelivery, view: DeliveryView, rules: DeliveryRules): DeliveryStep {
  const channel = channelOf(delivery);
  const isLeftThere = delivery.stage === 'queued' && channel !== undefined && channelRules(channel).worksLate;
  if (view.now >= timeOf(delivery.deadline) && !isLeftThere) return moved(overdue(delivery, view.now));
  const written = whenWritten(delivery, view, rules);
  if (written !== undefined) return written;
  switch (delivery.stage) {
    case 'queued': {
      if (channel !== undefined) return channelRules(channel).whenQueued(delivery, view, rules);
      const reason = delivery.reason ?? 'no channel is left';
      return moved(end(delivery, view.now, { outcome: 'failed', reason }));
    }
    case 'placed':
      return channel === undefined ? rests(delivery) : channelRules(channel).whenPlaced(delivery, view, rules);
    case 'submitted':
      return { delivery, action: 'none' };
    case 'typing':
    case 'typed':
    case 'submitting':
      return rests(delivery);
  }
}

function typeFailed(delivery: OpenDelivery, event: EventOf<'type-failed'>, rules: DeliveryRules): DeliveryRecord {
  if (delivery.stage !== 'typing') return delivery;
  return event.bytes > 0 ? enter(delivery, event.now, { stage: 'typed' }) : closeWindow(delivery, event, rules);
}

/** Only the channel in use can be given up, and only before the agent took the text. */
function refused(delivery: OpenDelivery, { channel, reason, now }: EventOf<'refused'>): DeliveryRecord {
  const isInUse = channel === channelOf(delivery) && (delivery.stage === 'queued' || delivery.stage === 'placed');
  return isInUse ? nextRung(delivery, now, `${channel}: ${reason}`) : delivery;
}

/** A text whose submit key was sent stays where it is: that another channel holds it too is only kept in mind. */
function placed(delivery: OpenDelivery, event: EventOf<'placed'>): DeliveryRecord {
  const { now, channel, evidence, file } = event;
  const isNew = !delivery.placedOn.includes(channel);
  const isSent = delivery.stage === 'submitting' || delivery.stage === 'submitted';
  const held: DeliveryRecord = {
    ...(isSent ? delivery : enter(delivery, now, { stage: 'placed' })),
    placedOn: isNew ? [...delivery.placedOn, channel] : delivery.placedOn,
    attempts: delivery.attempts + (isNew && delivery.channel !== channel ? 1 : 0),
    ...(file === undefined ? {} : { file }),
  };
  const raised = raise(held, { proof: 'placed', channel, evidence });
  if (channelRules(channel).carriesText) return raised;
  return end(raised, now, { outcome: 'failed', reason: delivery.reason ?? 'only a notice was shown' });
}

/** Once a channel holds the old text, the new one is a delivery of its own. */
function reworded(delivery: OpenDelivery, text: string): DeliveryRecord {
  return delivery.stage === 'queued' && delivery.placedOn.length === 0 ? { ...delivery, text } : delivery;
}

/** What its predecessor did last is not known: bytes may or may not be written (the screen and the transcript will show
 *  them), and a launch hook may have printed the text to nobody, so that its time is the deadline. */
function foundAgain(delivery: OpenDelivery, now: number): DeliveryRecord {
  if (delivery.stage === 'typing') return enter(delivery, now, { stage: 'typed' });
  if (delivery.stage !== 'queued' || delivery.hookFiresAt === undefined) return delivery;
  const { hookFiresAt: _, ...rest } = delivery;
  return rest;
}

function afterEnd(delivery: OpenDelivery, now: number): DeliveryRecord {
  const before = delivery.placedOn.length > 0 ? 'the session ended before the proof' : 'the session ended';
  const why = delivery.stage === 'submitted' ? delivery.waiting : undefined;
  return giveUp(delivery, now, why === undefined ? before : `${before}: ${why}`);
}

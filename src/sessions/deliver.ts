// Brings the deliveries of a session to their end: looks, lets the machine decide, stores the decision, acts, and turns what
// came of it into the next event. One thing at a time; whatever happens (a new screen, a proof, a new text, a timer) only
// asks for another round. The decisions are in delivery/machine.ts.

import { typedText } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DeliveryRecord, Placement } from '../kernel/delivery.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { Channel } from '../kernel/receipt.ts';
import type { Terminal } from '../kernel/terminal.ts';
import { isBeingTyped } from './channels/typed.ts';
import type { Deliveries } from './deliveries.ts';
import { channelOf } from './delivery/ladder.ts';
import { nextInLine, waitingBehind } from './delivery/line.ts';
import { advance } from './delivery/machine.ts';
import type { DeliveryAction, DeliveryEvent, DeliveryRules, DeliveryStep } from './delivery/step.ts';
import { viewOf } from './delivery/view.ts';
import type { AgentSignals, KnownVersion } from './rest.ts';
import type { ScreenWatch } from './watch.ts';

/** What came of placing a text by a channel other than typing. */
export type PlacementResult = Placement | { readonly refused: string };

export interface DeliverParts {
  readonly terminal: Terminal;
  readonly agent: Interactive;
  readonly watch: ScreenWatch;
  readonly deliveries: Deliveries;
  readonly rules: DeliveryRules;
  readonly match: Matcher;
  readonly clock: Clock;
  /** When a person last pressed a key in this terminal. */
  readonly personAt: () => Promise<number | undefined>;
  /** Keeps a person's keys back until it is called again with false; a session that cannot does nothing. */
  readonly holdKeys: (isHeld: boolean) => void;
  /** The agent itself, and no program it started, reads from the terminal. */
  readonly hasTerminal: () => boolean;
  readonly held: () => string | undefined;
  readonly signals: () => AgentSignals;
  readonly version: KnownVersion;
  /** Called before anything is typed. */
  readonly onInput: () => void;
  /** Places by the channel of the rung in use. */
  readonly place: (channel: Channel, delivery: DeliveryRecord) => Promise<PlacementResult>;
  /** Something that should not have happened; the deliveries stay as they are stored. */
  readonly onFault: (error: unknown) => void;
}

export interface Deliverer {
  /** Asks for another round; cheap, and safe from anywhere. */
  wake(): void;
  /** Something happened to a delivery that was seen elsewhere. */
  report(id: string, event: DeliveryEvent): Promise<void>;
  /** Resolves when nothing is being done. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** How soon a submit key that was not sent is thought of again. */
const PRESS_AGAIN_MS = 200;
/** After something broke on our side. */
const REST_MS = 1000;
/** How long nothing is looked at where nothing happens. */
const LONGEST_MS = 60_000;

export function startDelivering(parts: DeliverParts): Deliverer {
  const { watch, deliveries, rules, clock, agent, match } = parts;
  let queue: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isAwake = false;
  let isClosed = false;
  let restUntil = 0;

  const serially = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => {
      // A full disk or a store out of reach: nothing is lost, and it is tried again after a while, not at once.
      parts.holdKeys(false);
      restUntil = clock.now() + REST_MS;
      lookAgain(REST_MS);
      parts.onFault(error);
    });
    return queue;
  };

  const lookAgain = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        restUntil = 0;
        wake();
      },
      Math.max(10, Math.min(ms, LONGEST_MS)),
    );
    timer.unref();
  };

  const look = async (delivery: DeliveryRecord, isRaw = true): Promise<DeliveryStep> => {
    const personAt = await parts.personAt();
    const hasTerminal = parts.hasTerminal() && isRaw;
    const facts = { now: clock.now(), agent, match, stableMs: rules.stableMs, personAt, hasTerminal };
    const known = { held: parts.held(), signals: parts.signals(), version: parts.version };
    const view = viewOf(delivery, watch, { ...facts, ...known });
    return advance(delivery, { kind: 'looked', view }, rules);
  };

  /** One look at one delivery, and what follows from it. Resolves with the time after which to look again. */
  const handle = async (delivery: DeliveryRecord): Promise<number> => {
    let step = await look(delivery);
    if (isWriting(step.action)) {
      // From here on nothing of a person's may come between the look and the bytes.
      parts.holdKeys(true);
      const isRaw = await parts.terminal.isRaw();
      await watch.look();
      step = await look(delivery, isRaw);
    }
    await deliveries.change(step.delivery);
    // Storing may have taken its time: what held before must hold now.
    if (isWriting(step.action) && !(await stillHolds(delivery, step.action))) {
      parts.holdKeys(false);
      if (step.action === 'press') return PRESS_AGAIN_MS;
      const failed: DeliveryEvent = {
        kind: 'type-failed',
        now: clock.now(),
        bytes: 0,
        reason: 'the agent was no longer ready',
      };
      await deliveries.change(advance(step.delivery, failed, rules).delivery);
      return 0;
    }
    const event = await act(step);
    if (event !== undefined) {
      const after = advance(deliveries.get(delivery.id) ?? step.delivery, event, rules);
      await deliveries.change(after.delivery);
      return after.againMs ?? 0;
    }
    if (!isBeingTyped(step.delivery)) parts.holdKeys(false);
    return step.againMs ?? LONGEST_MS;
  };

  /** Whether the machine would decide the same for the record as it was. */
  const stillHolds = async (before: DeliveryRecord, action: DeliveryAction): Promise<boolean> => {
    await watch.look();
    return (await look(before)).action === action;
  };

  const act = async ({ action, delivery }: DeliveryStep): Promise<DeliveryEvent | undefined> => {
    switch (action) {
      case 'none':
        return undefined;
      case 'type':
        return type(delivery);
      case 'press':
        parts.onInput();
        await parts.terminal.pressEnter();
        parts.holdKeys(false);
        return { kind: 'pressed', now: clock.now() };
      case 'place':
        return place(delivery);
    }
  };

  const type = async (delivery: DeliveryRecord): Promise<DeliveryEvent> => {
    try {
      parts.onInput();
      await parts.terminal.paste(typedText(delivery));
      return { kind: 'typed', now: clock.now() };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const bytes = error instanceof Error && 'bytes' in error ? Number(error.bytes) : 1;
      if (bytes === 0) parts.holdKeys(false);
      return { kind: 'type-failed', now: clock.now(), bytes, reason };
    }
  };

  const place = async (delivery: DeliveryRecord): Promise<DeliveryEvent | undefined> => {
    const channel = channelOf(delivery);
    return channel && placementEvent(channel, await parts.place(channel, delivery), clock.now());
  };

  const round = async (): Promise<void> => {
    isAwake = false;
    if (isClosed) return;
    const open = deliveries.open();
    const inLine = nextInLine(open);
    let again = LONGEST_MS;
    for (const delivery of open) {
      const behind = waitingBehind(delivery, inLine, watch.verdict);
      if (behind !== undefined) {
        await deliveries.change(behind);
        continue;
      }
      const untilDeadline = Math.max(0, Date.parse(delivery.deadline) - clock.now());
      again = Math.min(again, untilDeadline, await handle(deliveries.get(delivery.id) ?? delivery));
    }
    const left = deliveries.open();
    // The next one in line was skipped in this round, and an idle agent writes nothing that asks for another.
    if (left.length > 0) lookAgain(nextInLine(left)?.id === inLine?.id ? again : 0);
    else parts.holdKeys(false);
  };

  function wake(): void {
    if (isAwake || isClosed || clock.now() < restUntil) return;
    isAwake = true;
    void serially(round);
  }

  watch.onChange(wake);
  return {
    wake,
    report: (id, event) =>
      serially(async () => {
        const delivery = deliveries.get(id);
        if (delivery === undefined) return;
        await deliveries.change(advance(delivery, event, rules).delivery);
        wake();
      }),
    idle: () => queue,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await queue;
      parts.holdKeys(false);
    },
  };
}

/** What came of placing by a channel, as the machine takes it. */
export function placementEvent(channel: Channel, result: PlacementResult, now: number): DeliveryEvent {
  return 'refused' in result
    ? { kind: 'refused', now, channel, reason: result.refused }
    : { kind: 'placed', now, channel, ...result };
}

function isWriting(action: DeliveryAction): boolean {
  return action === 'type' || action === 'press';
}

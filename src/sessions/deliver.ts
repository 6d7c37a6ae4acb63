// Brings the deliveries of a session to their end: looks, lets the machine decide, stores the decision, acts. One thing
// at a time; whatever happens (a new screen, a proof, a new text, a timer) only asks for another round.

import { typedText } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import { type DeliveryRecord, isEnded, nextInLine, type PlacedThere } from '../kernel/delivery.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { Terminal } from '../kernel/terminal.ts';
import { showsOurs } from './composer-line.ts';
import type { Deliveries } from './deliveries.ts';
import { advance, type DeliveryRules, type Input, type Sight, waitingFor } from './delivery-machine.ts';
import type { Watch } from './watch.ts';

/** What placing by other ways than typing answers. */
export type Placed = PlacedThere | { readonly refused: string };

export interface DeliverParts {
  readonly terminal: Terminal;
  readonly agent: Interactive;
  readonly watch: Watch;
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
  readonly placeInFile: (delivery: DeliveryRecord) => Promise<Placed>;
  readonly notify: (delivery: DeliveryRecord) => Promise<Placed>;
  /** Something that should not have happened; the deliveries stay as they are stored. */
  readonly onFault: (error: unknown) => void;
}

export interface Deliverer {
  /** Asks for another round; cheap, and safe from anywhere. */
  poke(): void;
  /** Tells of something seen elsewhere. */
  tell(id: string, input: Input): Promise<void>;
  /** Resolves when nothing is being done. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** How soon a submit key that was not sent is thought of again. */
const PRESS_AGAIN_MS = 200;
/** After something broke on our side. */
const REST_MS = 1000;

export function startDelivering(parts: DeliverParts): Deliverer {
  const { watch, deliveries, rules, clock } = parts;
  let queue: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isPoked = false;
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
        poke();
      },
      Math.max(10, Math.min(ms, 60_000)),
    );
    timer.unref();
  };

  const sightOf = async (delivery: DeliveryRecord): Promise<Sight> => {
    const now = clock.now();
    const { verdict, screen } = watch;
    const personAt = await parts.personAt();
    const held = parts.held();
    return {
      now,
      readiness: verdict,
      stableMs: stableFor(parts, now),
      unknownMs: now - watch.knownAt,
      isOursShown: showsOurs(parts.agent.composer, verdict.composer, typedText(delivery), parts.match),
      hasWorked: watch.busyAt !== undefined && watch.busyAt >= Date.parse(delivery.stageAt),
      isIdShown: isIdShown(delivery, watch),
      canType: screen.hasBracketedPaste && parts.hasTerminal(),
      ...(personAt === undefined ? {} : { personAt }),
      ...(held === undefined ? {} : { held }),
    };
  };

  /** One look at one delivery, and what follows from it. Answers after how long to look again. */
  const handle = async (delivery: DeliveryRecord): Promise<number> => {
    let step = advance(delivery, { kind: 'looked', sight: await sightOf(delivery) }, rules);
    if (step.action === 'type' || step.action === 'press') {
      // From here on nothing of a person's may come between the look and the bytes.
      parts.holdKeys(true);
      const isRaw = await parts.terminal.isRaw();
      await watch.look();
      const sight = await sightOf(delivery);
      step = advance(delivery, { kind: 'looked', sight: { ...sight, canType: sight.canType && isRaw } }, rules);
    }
    await deliveries.change(step.delivery);
    // Storing may have taken its time: what held before must hold now.
    const isWriting = step.action === 'type' || step.action === 'press';
    if (isWriting && !(await stillHolds(delivery, step.action))) {
      parts.holdKeys(false);
      if (step.action === 'press') return PRESS_AGAIN_MS;
      const failed: Input = { kind: 'type-failed', now: clock.now(), bytes: 0, reason: 'the window closed' };
      await deliveries.change(advance(step.delivery, failed, rules).delivery);
      return 0;
    }
    const input = await act(step.action, step.delivery);
    if (input !== undefined) {
      const after = advance(deliveries.get(delivery.id) ?? step.delivery, input, rules);
      await deliveries.change(after.delivery);
      return after.againMs ?? 0;
    }
    if (step.action === 'none' && !isUnderway(step.delivery)) parts.holdKeys(false);
    return step.againMs ?? 60_000;
  };

  /** Whether the machine would decide the same for the record as it was. */
  const stillHolds = async (before: DeliveryRecord, action: string): Promise<boolean> => {
    await watch.look();
    const sight = await sightOf(before);
    return advance(before, { kind: 'looked', sight }, rules).action === action;
  };

  const act = async (action: string, delivery: DeliveryRecord): Promise<Input | undefined> => {
    if (action === 'type') return type(delivery);
    if (action === 'press') {
      await parts.terminal.pressEnter();
      parts.holdKeys(false);
      return { kind: 'pressed', now: clock.now() };
    }
    if (action === 'write-file') return asInput(await parts.placeInFile(delivery), 'file');
    if (action === 'notify') return asInput(await parts.notify(delivery), 'notice');
    return undefined;
  };

  const type = async (delivery: DeliveryRecord): Promise<Input> => {
    try {
      await parts.terminal.paste(typedText(delivery));
      return { kind: 'typed', now: clock.now() };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const bytes = error instanceof Error && 'bytes' in error ? Number(error.bytes) : 1;
      if (bytes === 0) parts.holdKeys(false);
      return { kind: 'type-failed', now: clock.now(), bytes, reason };
    }
  };

  const asInput = (placed: Placed, channel: 'file' | 'notice'): Input =>
    'refused' in placed
      ? { kind: 'refused', now: clock.now(), channel, reason: placed.refused }
      : { kind: 'placed', now: clock.now(), channel, ...placed };

  const round = async (): Promise<void> => {
    isPoked = false;
    if (isClosed) return;
    const open = deliveries.open();
    const inLine = nextInLine(open);
    let again = 60_000;
    for (const delivery of open) {
      // What stands in line behind another one waits for it, and says for what.
      if (inLine !== undefined && delivery.id !== inLine.id && delivery.stage === 'queued') {
        const waiting = inLine.waiting ?? waitingFor({ readiness: watch.verdict });
        const isSame = delivery.waiting === waiting || waiting === undefined;
        if (!isSame && isActing(delivery)) await deliveries.change({ ...delivery, waiting });
        if (isActing(delivery)) continue;
      }
      const untilDeadline = Math.max(0, Date.parse(delivery.deadline) - clock.now());
      again = Math.min(again, untilDeadline, await handle(deliveries.get(delivery.id) ?? delivery));
    }
    const left = deliveries.open();
    // Whoever is next in line now was passed over in this round, and an idle agent writes nothing that asks for another.
    if (left.length > 0) lookAgain(nextInLine(left)?.id === inLine?.id ? again : 0);
    else parts.holdKeys(false);
  };

  function poke(): void {
    if (isPoked || isClosed || clock.now() < restUntil) return;
    isPoked = true;
    void serially(round);
  }

  watch.onChange(poke);
  return {
    poke,
    tell: (id, input) =>
      serially(async () => {
        const delivery = deliveries.get(id);
        if (delivery === undefined) return;
        await deliveries.change(advance(delivery, input, rules).delivery);
        poke();
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

/** How long the verdict holds. An agent that may look ready while an answer comes in must also have been quiet, once it
 *  has worked at all: at its start there is nothing that could come in. */
function stableFor({ watch, agent, rules }: DeliverParts, now: number): number {
  const held = now - watch.since;
  if (agent.quietMs === undefined || watch.busyAt === undefined || watch.verdict.state !== 'ready') return held;
  return Math.min(held, now - watch.changedAt - agent.quietMs + rules.stableMs);
}

/** Between the first byte of a body and its submit key. */
function isUnderway(delivery: DeliveryRecord): boolean {
  return (
    !isEnded(delivery) &&
    delivery.ladder[delivery.rung] === 'typed' &&
    ['typing', 'typed', 'placed'].includes(delivery.stage)
  );
}

function isActing(delivery: DeliveryRecord): boolean {
  return delivery.ladder[delivery.rung] !== 'hook' && delivery.ladder[delivery.rung] !== 'flag';
}

/** As something that was sent: on the screen, and not in the composer. */
function isIdShown(delivery: DeliveryRecord, watch: Watch): boolean {
  const { composer } = watch.verdict;
  const inComposer = composer.kind === 'text' && composer.text.includes(delivery.id);
  return !inComposer && watch.screen.lines.some((line) => line.includes(delivery.id));
}

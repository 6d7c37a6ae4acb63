import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { type DeliveryRecord, type DeliveryStage, outcomeOf } from '../../kernel/delivery.ts';
import { PROOFS } from '../../kernel/receipt.ts';
import { advance } from './machine.ts';
import { readStoredDelivery, type StoredDelivery } from './record.ts';
import type { DeliveryAction, DeliveryEvent, DeliveryRules, DeliveryView } from './step.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const iso = (ms: number): string => new Date(NOW + ms).toISOString();

const RULES: DeliveryRules = {
  stableMs: 300,
  personMs: 3000,
  submitDelayMs: 100,
  readinessTimeoutMs: 30_000,
  retryBackoffs: [1000, 2000],
  fileFallbackAfterAttempts: 3,
  sendNotificationOnFailure: true,
};

function delivery(part: Partial<StoredDelivery> = {}): DeliveryRecord {
  return readStoredDelivery({
    id: 'fw_abcd',
    session: 's1',
    moment: 'session-start',
    priority: 'startup',
    text: 'read this',
    queuedAt: iso(-1000),
    deadline: iso(600_000),
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: iso(-1000),
    ladder: ['typed', 'file', 'notice'],
    rung: 0,
    placedOn: [],
    required: 'served',
    ...part,
  });
}

function view(part: Partial<DeliveryView> = {}): DeliveryView {
  return {
    now: NOW,
    readiness: { state: 'ready', evidence: '> ', composer: { kind: 'empty' } },
    stableMs: 400,
    restInMs: 0,
    isMoving: false,
    hasBeenUsed: false,
    unknownMs: 0,
    isOursShown: false,
    hasWorked: false,
    hasHadTurn: false,
    isIdShown: false,
    isQueued: false,
    isTall: false,
    canType: true,
    ...part,
  };
}

const typed = (stage: DeliveryStage, part: Partial<StoredDelivery> = {}) =>
  delivery({ stage, placedOn: ['typed'], channel: 'typed', attempts: 1, ...part });
const look = (record: DeliveryRecord, part: Partial<DeliveryView> = {}) =>
  advance(record, { kind: 'looked', view: view(part) }, RULES);
const shown = { kind: 'text', text: 'read this' } as const;
const ours: Partial<DeliveryView> = {
  isOursShown: true,
  readiness: { state: 'ready', evidence: '> ', composer: shown },
};
const busy = { state: 'busy', evidence: 'Working', composer: { kind: 'empty' } } as const;

it('does not type what the launch put into the conversation: it waits for the first prompt, and then for its proof', () => {
  const placed = { stage: 'placed', ladder: ['flag', 'typed'], placedOn: ['flag'], channel: 'flag' } as const;
  const told = delivery({ ...placed, awaitsPrompt: true });
  const idle = { stableMs: 60_000 };
  expect(look(told, idle)).toMatchObject({ delivery: { stage: 'placed', rung: 0, waiting: 'first prompt' } });
  // The turn is the person's: that it began proves nothing about our text.
  expect(look(told, { hasWorked: true, hasHadTurn: true }).delivery.stage).toBe('placed');
  expect(look(delivery(placed), idle)).toMatchObject({ delivery: { stage: 'queued', rung: 1 } });
});

describe('a queued text', () => {
  it('is typed into an empty composer that was ready for a while', () => {
    const step = look(delivery());
    expect(step.action).toBe('type');
    expect(step.delivery).toMatchObject({ stage: 'typing', attempts: 1, placedOn: ['typed'], channel: 'typed' });
  });

  const reasons: [string, Partial<DeliveryView>][] = [
    ['agent-starting', { readiness: { state: 'starting', evidence: '', composer: { kind: 'absent' } } }],
    ['agent-busy', { readiness: busy }],
    ['dialog: trust folder', { readiness: { state: 'asking', asks: 'trust folder', evidence: '', composer: shown } }],
    ['approval pending', { readiness: { state: 'asking', asks: 'approval', evidence: '', composer: shown } }],
    ['screen not recognised', { readiness: { state: 'unrecognised', evidence: '', composer: { kind: 'absent' } } }],
    ['shell mode', { readiness: { state: 'ready', evidence: '', composer: { kind: 'text', text: '! ' } } }],
    ['draft in composer', { readiness: { state: 'ready', evidence: '', composer: shown } }],
    ['human typing', { personAt: NOW - 2999 }],
    ['paused', { held: 'paused' }],
    ['suspended', { held: 'suspended' }],
  ];
  it.each(reasons)('waits with the reason: %s', (reason, seen) => {
    const step = look(delivery(), seen);
    expect(step.action).toBe('none');
    expect(step.delivery).toMatchObject({ waiting: reason });
    expect(step.delivery.attempts).toBe(0);
  });

  it('waits until the agent is at rest, and asks to be looked at just then', () => {
    const step = look(delivery(), { restInMs: 1 });
    expect(step).toMatchObject({ action: 'none', againMs: 1, delivery: { waiting: 'agent-starting' } });
  });

  it('waits for a busy agent while the screen moves after something was given to it', () => {
    const step = look(delivery(), { restInMs: 700, isMoving: true, hasBeenUsed: true });
    expect(step).toMatchObject({ action: 'none', againMs: 700, delivery: { waiting: 'agent-busy', attempts: 0 } });
  });

  it('offers to measure a version that was not, where its screen moves or is not recognised', () => {
    const caution = 'version 1.2.3 was not measured; foreword verify mine measures it';
    const moving = look(delivery(), { caution, restInMs: 700, isMoving: true });
    expect(moving.delivery).toMatchObject({ waiting: `agent-starting (${caution})` });
    const readiness = { state: 'unrecognised', evidence: '', composer: { kind: 'absent' } } as const;
    expect(look(delivery(), { caution, readiness }).delivery).toMatchObject({
      waiting: `screen not recognised (${caution})`,
    });
    expect(look(delivery(), { caution, readiness: busy }).delivery).toMatchObject({ waiting: 'agent-busy' });
  });

  it('is not typed where pastes are not framed: the window counts, and a pause follows', () => {
    const step = look(delivery(), { canType: false });
    expect(step).toMatchObject({ action: 'none', delivery: { stage: 'queued', attempts: 1, placedOn: [] } });
    expect(look(step.delivery, { canType: true }).action).toBe('none');
    expect(look(step.delivery, { now: NOW + 1000 }).action).toBe('type');
  });

  it('goes to the file after so many windows that failed', () => {
    const step = look(delivery({ attempts: 2 }), { canType: false });
    expect(step.delivery).toMatchObject({ rung: 1, stage: 'queued', attempts: 3 });
    expect(look(step.delivery).action).toBe('place');
  });

  it('goes to the file when no known screen shows in time, and never types blind', () => {
    const unknown = { state: 'unrecognised', evidence: '', composer: { kind: 'absent' } } as const;
    const step = look(delivery(), { unknownMs: 30_000, readiness: unknown });
    expect(step).toMatchObject({ action: 'none', delivery: { rung: 1 } });
  });

  it('waits for a dialog or a busy agent until its deadline, whatever the timeout is', () => {
    for (const readiness of [busy, { state: 'asking', evidence: '', composer: shown } as const])
      expect(look(delivery(), { readiness, unknownMs: 0, now: NOW + 599_999 }).delivery.rung).toBe(0);
  });

  it('fails at its deadline with the reason it waited for', () => {
    const waiting = look(delivery({ ladder: ['typed'] }), { readiness: busy }).delivery;
    const step = look(waiting, { now: NOW + 600_000, readiness: busy });
    expect(step.delivery).toMatchObject({
      stage: 'ended',
      outcome: 'failed',
      reason: 'the deadline passed: agent-busy',
    });
  });

  it('that has another channel is left in the file at its deadline, uncertain', () => {
    const late = { now: NOW + 600_000, readiness: busy };
    const step = look(look(delivery(), late).delivery, late);
    expect(step).toMatchObject({ action: 'place', delivery: { rung: 1 } });
    const input: DeliveryEvent = { kind: 'placed', now: NOW + 600_000, channel: 'file', evidence: 'AGENTS.md' };
    expect(look(advance(step.delivery, input, RULES).delivery, late).delivery).toMatchObject({ outcome: 'uncertain' });
  });
});

describe('a typed text', () => {
  it('is placed once the composer shows it, and submitted after the delay', () => {
    const placed = look(typed('typed', { stageAt: iso(0) }), ours);
    expect(placed.delivery).toMatchObject({ stage: 'placed', proof: 'placed' });
    expect(look(placed.delivery, { ...ours, now: NOW + 99 }).action).toBe('none');
    expect(look(placed.delivery, { ...ours, now: NOW + 100 })).toMatchObject({
      action: 'press',
      delivery: { stage: 'submitting', presses: 1 },
    });
  });

  it('is never typed a second time on its rung', () => {
    for (const stage of ['typing', 'typed', 'placed', 'submitting', 'submitted'] as const)
      for (const wait of [0, 1000, 29_000]) expect(look(typed(stage, { stageAt: iso(-wait) })).action).not.toBe('type');
  });

  it('is not submitted when a person typed since, or added to it, or a dialog came up', () => {
    const placed = typed('placed', { stageAt: iso(-500), proof: 'placed' });
    expect(look(placed, { ...ours, personAt: NOW - 100 }).action).toBe('none');
    const mixed = { state: 'ready', evidence: '', composer: { kind: 'text', text: 'read this and more' } } as const;
    expect(look(placed, { isOursShown: false, readiness: mixed })).toMatchObject({
      action: 'none',
      delivery: { waiting: 'draft in composer' },
    });
    const asking = { state: 'asking', asks: 'update', evidence: '', composer: shown } as const;
    expect(look(placed, { ...ours, readiness: asking })).toMatchObject({
      action: 'none',
      delivery: { waiting: 'dialog: update' },
    });
  });

  it('gets the submit key again only while the screen still shows it, with the pauses of the settings', () => {
    const pressed = typed('submitting', { presses: 1, stageAt: iso(0), proof: 'placed' });
    expect(look(pressed, { ...ours, now: NOW + 999 }).action).toBe('none');
    expect(look(pressed, { ...ours, now: NOW + 1000 })).toMatchObject({ action: 'press', delivery: { presses: 2 } });
    expect(look(pressed, { now: NOW + 1000 }).action).toBe('none');
    expect(
      look(typed('submitting', { presses: 9, stageAt: iso(0), proof: 'placed' }), { ...ours, now: NOW + 60_000 })
        .action,
    ).toBe('press');
    const often = typed('submitting', { presses: 10, stageAt: iso(0), proof: 'placed' });
    expect(look(often, { ...ours, now: NOW + 5000 }).action).toBe('none');
    expect(look(often, { ...ours, now: NOW + 60_000 }).delivery).toMatchObject({ outcome: 'uncertain' });
  });

  it('is submitted when the composer emptied and a turn began; one alone is not enough', () => {
    const pressed = typed('submitting', { presses: 1, stageAt: iso(-50), proof: 'placed' });
    expect(look(pressed).delivery.proof).toBe('placed');
    expect(look(pressed, { hasWorked: true, readiness: { ...busy, composer: shown } }).delivery.proof).toBe('placed');
    expect(look(pressed, { hasWorked: true, personAt: NOW - 10 }).delivery.proof).toBe('placed');
    expect(look(pressed, { hasWorked: true, readiness: busy }).delivery).toMatchObject({
      stage: 'submitted',
      proof: 'submitted',
    });
    expect(look({ ...pressed, required: 'submitted' }, { isIdShown: true }).delivery).toMatchObject({
      stage: 'ended',
      outcome: 'delivered',
    });
  });

  it('that shows nowhere moves a startup context to the next channel, and leaves a message uncertain', () => {
    const unseen = typed('typed', { stageAt: iso(-30_000) });
    expect(look(unseen).delivery).toMatchObject({ rung: 1, stage: 'queued' });
    expect(look({ ...unseen, ladder: ['typed'] }).delivery).toMatchObject({ outcome: 'uncertain' });
  });

  it('that shows after its rung was given up is submitted all the same', () => {
    const file = delivery({
      rung: 1,
      stage: 'placed',
      placedOn: ['typed', 'file'],
      proof: 'placed',
      stageAt: iso(-900),
    });
    expect(look(file, ours).action).toBe('press');
  });
});

describe('a text that is taller than the screen', () => {
  const unknown = { state: 'unrecognised', evidence: '', composer: { kind: 'absent' } } as const;

  it('is submitted while the screen shows nothing but its end, and never where it shows something else', () => {
    const shown = look(typed('typed'), { isOursShown: true, isTall: true, readiness: unknown });
    expect(shown.delivery).toMatchObject({ stage: 'placed', proof: 'placed' });
    const later = { now: NOW + 100, readiness: unknown };
    expect(look(shown.delivery, { ...later, isOursShown: true, isTall: true }).action).toBe('press');
    expect(look(shown.delivery, later).action).toBe('none');
  });

  it('names the settings where it is never seen', () => {
    const step = look(typed('typed', { stageAt: iso(-30_000), ladder: ['typed'] }), { readiness: unknown });
    expect(step.delivery).toMatchObject({ outcome: 'uncertain' });
    expect(step.delivery.reason).toContain('composer.placeholder');
  });
});

describe('a text that the agent only queued', () => {
  const queued = { isQueued: true, hasWorked: true, isIdShown: true, readiness: busy } as const;

  it('is placed, and says so, until the turn before it is over', () => {
    const step = look(typed('submitting', { presses: 1, proof: 'placed', stageAt: iso(-90_000) }), queued);
    expect(step).toMatchObject({ action: 'none', delivery: { stage: 'submitting', proof: 'placed' } });
    expect(step.delivery).toMatchObject({ evidence: 'queued by the agent', waiting: 'queued by the agent' });
    const taken = look(step.delivery, { ...queued, isQueued: false });
    expect(taken.delivery).toMatchObject({ proof: 'submitted', evidence: 'the composer emptied and a turn began' });
  });

  it('is not taken for one that a person submitted', () => {
    expect(look(typed('placed', { proof: 'placed' }), queued).delivery).toMatchObject({ proof: 'placed' });
  });
});

describe('a text that was written and never seen', () => {
  it('is not taken by a turn of somebody else', () => {
    const unseen = typed('typed', { stageAt: iso(-500) });
    expect(look(unseen, { hasWorked: true }).delivery.proof).toBe('queued');
    expect(look(unseen, { isIdShown: true }).delivery.proof).toBe('submitted');
  });
  it('is looked for again when its writing was cut off', () => {
    expect(look(typed('typing')).delivery.stage).toBe('typed');
  });
});

describe('an event that comes at the wrong stage', () => {
  const submitted = advance(
    typed('submitting', { presses: 1, proof: 'placed' }),
    { kind: 'proved', now: NOW, proof: 'submitted', evidence: 'a turn began' },
    RULES,
  ).delivery;
  it('does not take back what the agent took: the end of a paste is only the end of typing', () => {
    expect(advance(submitted, { kind: 'typed', now: NOW }, RULES).delivery).toBe(submitted);
    const failed = { kind: 'type-failed', now: NOW, bytes: 0, reason: 'x' } as const;
    expect(advance(submitted, failed, RULES).delivery).toBe(submitted);
  });
  it('a hook that prints late leaves a submitted text submitted, and is kept in mind', () => {
    const late = { kind: 'placed', now: NOW, channel: 'hook', evidence: 'printed' } as const;
    const { delivery: after } = advance(submitted, late, RULES);
    expect(after).toMatchObject({ stage: 'submitted', placedOn: ['typed', 'hook'], proof: 'submitted' });
  });
  it('the refusal of a channel that is not in use moves nothing', () => {
    const other = { kind: 'refused', now: NOW, channel: 'hook', reason: 'did not run' } as const;
    for (const record of [delivery(), typed('placed'), submitted])
      expect(advance(record, other, RULES).delivery).toBe(record);
  });
});

describe('after a crash', () => {
  it('what was being typed is looked for on the screen and never typed again', () => {
    const step = advance(typed('typing'), { kind: 'found-again', now: NOW }, RULES);
    expect(step.delivery.stage).toBe('typed');
    expect(look(step.delivery).action).toBe('none');
    expect(look(step.delivery, ours).delivery.stage).toBe('placed');
  });
});

describe('a launch', () => {
  const flag = delivery({ ladder: ['flag', 'typed'], stage: 'placed', placedOn: ['flag'], channel: 'flag' });
  it('that carried the text is submitted when a turn began', () => {
    expect(look(flag, { hasWorked: true, readiness: busy }).delivery).toMatchObject({ proof: 'submitted' });
  });
  it('whose prompt the agent did not take is followed by typing', () => {
    expect(look(flag, { stableMs: 4999 }).delivery.rung).toBe(0);
    expect(look(flag, { stableMs: 5000 }).delivery).toMatchObject({ rung: 1, stage: 'queued' });
  });
  it('whose hook did not run is followed by typing', () => {
    const hook = delivery({ ladder: ['hook', 'typed'] });
    expect(look(hook)).toMatchObject({ action: 'none', delivery: { waiting: 'first prompt' } });
    const input: DeliveryEvent = { kind: 'refused', now: NOW, channel: 'hook', reason: 'it did not run' };
    expect(advance(hook, input, RULES).delivery).toMatchObject({ rung: 1, channel: 'typed' });
  });
});

describe('proofs', () => {
  it('only go up, and the one required ends the delivery', () => {
    let record = typed('submitting', { proof: 'placed' });
    for (const proof of ['submitted', 'placed', 'served'] as const)
      record = advance(record, { kind: 'proved', now: NOW, proof, evidence: 'seen' }, RULES).delivery;
    expect(record).toMatchObject({ proof: 'served', outcome: 'delivered', stage: 'ended' });
  });
  it('that come late still count, also after it was given up', () => {
    const lost = typed('ended', { outcome: 'uncertain', reason: 'the deadline passed' });
    const late = advance(lost, { kind: 'proved', now: NOW, proof: 'served', evidence: 'line 4' }, RULES).delivery;
    expect(late).toMatchObject({ outcome: 'delivered', proof: 'served' });
    expect(late.reason).toBeUndefined();
  });
  it('a notice is not a delivery', () => {
    const noticed = delivery({ rung: 2, reason: 'the file was refused' });
    const input: DeliveryEvent = { kind: 'placed', now: NOW, channel: 'notice', evidence: 'shown' };
    expect(advance(noticed, input, RULES).delivery).toMatchObject({ outcome: 'failed', proof: 'placed' });
  });
});

describe('any sequence of events', () => {
  const composers = fc.constantFrom({ kind: 'absent' } as const, { kind: 'empty' } as const, shown);
  const sights = fc.record({
    state: fc.constantFrom('starting', 'ready', 'busy', 'asking', 'unrecognised', 'gone'),
    composer: composers,
    stableMs: fc.integer({ min: 0, max: 8000 }),
    unknownMs: fc.integer({ min: 0, max: 40_000 }),
    isOursShown: fc.boolean(),
    hasWorked: fc.boolean(),
    hasHadTurn: fc.boolean(),
    isIdShown: fc.boolean(),
    canType: fc.boolean(),
    person: fc.option(fc.integer({ min: 0, max: 5000 })),
    later: fc.integer({ min: 0, max: 40_000 }),
  });
  const others = fc.constantFrom(
    { kind: 'type-failed', bytes: 0, reason: 'x' },
    { kind: 'type-failed', bytes: 9, reason: 'x' },
    { kind: 'found-again' },
    { kind: 'refused', channel: 'file', reason: 'x' },
    { kind: 'gone' },
    ...PROOFS.map((proof) => ({ kind: 'proved', proof, evidence: 'x' })),
  );

  it('writes each body once per rung, presses only on our own text, and never leaves its end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: sights }, { weight: 1, arbitrary: others }), { maxLength: 60 }),
        fc.constantFrom(['typed'], ['typed', 'file', 'notice'], ['hook', 'typed', 'file'], ['flag', 'typed']),
        (inputs, ladder) => {
          let record = delivery({ ladder: ladder as DeliveryRecord['ladder'] });
          let now = NOW;
          let bodies = 0;
          for (const given of inputs) {
            const before = record;
            now += 'later' in given ? given.later : 1;
            const input = toInput(given, now);
            const step = advance(record, input, RULES);
            record = step.delivery;
            check(before, record, step.action, input);
            if (step.action === 'type') {
              bodies += 1;
              record = advance(record, { kind: 'typed', now }, RULES).delivery;
            }
          }
          expect(bodies).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: scaled(20_000) },
    );
  });

  function toInput(given: object, now: number): DeliveryEvent {
    if (!('state' in given)) return { ...given, now } as DeliveryEvent;
    const {
      state,
      composer,
      person,
      later: _,
      ...rest
    } = given as never as {
      state: 'ready';
      composer: typeof shown;
      person: number | null;
      later: number;
    } & DeliveryView;
    const isOursShown = rest.isOursShown && composer.kind === 'text';
    return {
      kind: 'looked',
      view: {
        ...rest,
        now,
        isOursShown,
        readiness: { state, evidence: '', composer },
        ...(person === null ? {} : { personAt: now - person }),
      },
    };
  }

  function check(before: DeliveryRecord, after: DeliveryRecord, action: DeliveryAction, input: DeliveryEvent): void {
    const seen = input.kind === 'looked' ? input.view : undefined;
    expect(PROOFS.indexOf(after.proof)).toBeGreaterThanOrEqual(PROOFS.indexOf(before.proof));
    expect(after.rung).toBeGreaterThanOrEqual(before.rung);
    if (before.stage === 'ended') expect(after.stage).toBe('ended');
    if (outcomeOf(before) === 'delivered') expect(outcomeOf(after)).toBe('delivered');
    if (after.stage === 'ended') expect(after.outcome).toBeDefined();
    if (outcomeOf(after) === 'delivered')
      expect(PROOFS.indexOf(after.proof)).toBeGreaterThanOrEqual(PROOFS.indexOf('served'));
    if (action === 'type')
      expect(seen).toMatchObject({ canType: true, readiness: { state: 'ready', composer: { kind: 'empty' } } });
    if (action === 'press')
      expect(seen).toMatchObject({ canType: true, isOursShown: true, readiness: { state: 'ready' } });
  }
});

// Every stage and every event of the delivery machine, as tables. A change of behaviour shows here as a changed cell.

import { expect, test } from 'vitest';
import { type DeliveryIn, type DeliveryRecord, waitingReasonOf } from '../../kernel/delivery.ts';
import type { Channel } from '../../kernel/receipt.ts';
import { advance } from './machine.ts';
import type { DeliveryEvent, DeliveryRules, DeliveryView } from './step.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DEADLINE = NOW + 600_000;
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

function queued(...ladder: readonly Channel[]): DeliveryIn<'queued'> {
  return {
    id: 'fw_abcd',
    session: 's1',
    moment: 'session-start',
    priority: 'startup',
    text: 'read this',
    queuedAt: iso(-1000),
    deadline: new Date(DEADLINE).toISOString(),
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: iso(-1000),
    ladder,
    rung: 0,
    placedOn: [],
    required: 'served',
  };
}

const READY: DeliveryView = {
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
};
const BUSY = { state: 'busy', evidence: 'Working', composer: { kind: 'empty' } } as const;
const OURS = { state: 'ready', evidence: '> ', composer: { kind: 'text', text: 'read this' } } as const;
const looked = (part: Partial<DeliveryView> = {}): DeliveryEvent => ({ kind: 'looked', view: { ...READY, ...part } });
const late = { now: DEADLINE };
const placed = (channel: Channel): DeliveryEvent => ({ kind: 'placed', now: NOW, channel, evidence: 'seen' });
const proved = (proof: 'submitted' | 'served'): DeliveryEvent => ({
  kind: 'proved',
  now: NOW,
  proof,
  evidence: 'seen',
});
const refused = (channel: Channel): DeliveryEvent => ({ kind: 'refused', now: NOW, channel, reason: 'no' });

/** Where a queued text gets by these events: no state of the table is made up. */
const after = (first: DeliveryRecord, ...events: readonly DeliveryEvent[]): DeliveryRecord =>
  events.reduce((record, event) => advance(record, event, RULES).delivery, first);

const typing = after(queued('typed', 'file'), looked());
const typed = after(typing, { kind: 'typed', now: NOW });
const shown = after(typed, looked({ isOursShown: true, readiness: OURS }));
const submitting = after(shown, looked({ now: NOW + 100, isOursShown: true, readiness: OURS }));

const STATES: Readonly<Record<string, DeliveryRecord>> = {
  'queued typed': queued('typed', 'file'),
  'queued typed only': queued('typed'),
  'queued hook': queued('hook', 'typed'),
  'queued launch hook': { ...queued('hook', 'typed'), hookFiresAt: 'launch' },
  'queued flag': queued('flag', 'typed'),
  'queued file': queued('file', 'notice'),
  'queued notice': queued('notice'),
  typing,
  typed,
  'placed typed': shown,
  'placed hook': after(queued('hook', 'typed'), placed('hook')),
  'placed flag': after(queued('flag', 'typed'), placed('flag')),
  'placed file': after(queued('file', 'notice'), placed('file')),
  submitting,
  submitted: after(submitting, proved('submitted')),
  'ended delivered': after(submitting, proved('served')),
  'ended uncertain': after(submitting, { kind: 'gone', now: NOW }),
  'ended failed': after(queued('typed'), { kind: 'gone', now: NOW }),
};

/** `·`: the same record and nothing to do. `waits`: for another reason. `noted`: only facts changed. Else the stage or the
 *  outcome, the channel where the rung changed, and `!act`. */
function cell(before: DeliveryRecord, event: DeliveryEvent): string {
  const { delivery, action } = advance(before, event, RULES);
  const act = action === 'none' ? '' : `!${action}`;
  if (delivery === before) return act === '' ? '·' : act;
  const rung = delivery.rung === before.rung ? '' : ` ${delivery.ladder[delivery.rung]}`;
  const name = delivery.stage === 'ended' ? delivery.outcome : `${delivery.stage}${rung}`;
  const same = delivery.stage === before.stage && rung === '' && delivery.stage !== 'ended';
  if (same && delivery.proof !== before.proof) return `${delivery.stage} +${delivery.proof}`;
  if (same && act === '') return waitingReasonOf(delivery) === waitingReasonOf(before) ? 'noted' : 'waits';
  if (same && delivery.stageAt === before.stageAt) return act;
  return `${name}${act}`;
}

function table(events: Readonly<Record<string, DeliveryEvent>>): string {
  const row = (cells: readonly string[]): string =>
    cells
      .map((each, column) => each.padEnd(column === 0 ? 19 : 17))
      .join('')
      .trimEnd();
  const rows = Object.entries(STATES).map(([name, state]) =>
    row([name, ...Object.values(events).map((event) => cell(state, event))]),
  );
  return `\n${[row(['', ...Object.keys(events)]), ...rows].join('\n')}\n`;
}

test('what each stage makes of what the screen shows', () => {
  const events = {
    ready: looked(),
    'ready for 5 s': looked({ now: NOW + 5000, stableMs: 5000 }),
    busy: looked({ readiness: BUSY }),
    'ours shown': looked({ now: NOW + 150, isOursShown: true, readiness: OURS }),
    'ours, 1 s later': looked({ now: NOW + 1200, isOursShown: true, readiness: OURS }),
    'turn began': looked({ isIdShown: true, hasWorked: true }),
    'unknown 30 s': looked({ unknownMs: 30_000, readiness: { ...BUSY, state: 'unrecognised' } }),
    'a minute later': looked({ now: NOW + 61_000 }),
    'deadline passed': looked(late),
  };
  expect(table(events)).toMatchInlineSnapshot(`
    "
                       ready            ready for 5 s    busy             ours shown       ours, 1 s later  turn began       unknown 30 s     a minute later   deadline passed
    queued typed       typing!type      typing!type      waits            waits            waits            typing!type      queued file      typing!type      queued file
    queued typed only  typing!type      typing!type      waits            waits            waits            typing!type      waits            typing!type      failed
    queued hook        waits            waits            waits            waits            waits            waits            waits            waits            queued typed
    queued launch hook waits            queued typed     waits            waits            waits            waits            waits            waits            queued typed
    queued flag        waits            waits            waits            waits            waits            waits            waits            waits            queued typed
    queued file        !place           !place           !place           !place           !place           !place           !place           !place           !place
    queued notice      !place           !place           !place           !place           !place           !place           !place           !place           !place
    typing             typed            typed            typed            typed            typed            typed            typed            typed            uncertain
    typed              ·                ·                ·                placed           placed           submitted        ·                queued file      uncertain
    placed typed       ·                ·                waits            submitting!press submitting!press submitted        waits            ·                uncertain
    placed hook        ·                ·                ·                ·                ·                ·                ·                ·                uncertain
    placed flag        ·                queued typed     waits            ·                ·                submitted        waits            ·                uncertain
    placed file        ·                ·                ·                ·                ·                ·                ·                ·                uncertain
    submitting         ·                ·                ·                ·                submitting!press submitted        ·                uncertain        uncertain
    submitted          ·                ·                ·                ·                ·                ·                ·                ·                uncertain
    ended delivered    ·                ·                ·                ·                ·                ·                ·                ·                ·
    ended uncertain    ·                ·                ·                ·                ·                ·                ·                ·                ·
    ended failed       ·                ·                ·                ·                ·                ·                ·                ·                ·
    "
  `);
});

test('what each stage makes of what happened', () => {
  const events: Readonly<Record<string, DeliveryEvent>> = {
    typed: { kind: 'typed', now: NOW },
    'nothing typed': { kind: 'type-failed', now: NOW, bytes: 0, reason: 'closed' },
    'partly typed': { kind: 'type-failed', now: NOW, bytes: 3, reason: 'closed' },
    pressed: { kind: 'pressed', now: NOW },
    'placed by hook': placed('hook'),
    'placed in file': placed('file'),
    'file refused': refused('file'),
    'hook refused': refused('hook'),
    'proved submitted': proved('submitted'),
    'proved served': proved('served'),
    unanswered: { kind: 'unanswered', now: NOW, reason: 'refused: 401' },
    'found again': { kind: 'found-again', now: NOW },
    gone: { kind: 'gone', now: NOW },
  };
  expect(table(events)).toMatchInlineSnapshot(`
    "
                       typed            nothing typed    partly typed     pressed          placed by hook   placed in file   file refused     hook refused     proved submitted proved served    unanswered       found again      gone
    queued typed       ·                ·                ·                ·                placed           placed           ·                ·                submitted        delivered        ·                ·                failed
    queued typed only  ·                ·                ·                ·                placed           placed           ·                ·                submitted        delivered        ·                ·                failed
    queued hook        ·                ·                ·                ·                placed           placed           ·                queued typed     submitted        delivered        ·                ·                failed
    queued launch hook ·                ·                ·                ·                placed           placed           ·                queued typed     submitted        delivered        ·                noted            failed
    queued flag        ·                ·                ·                ·                placed           placed           ·                ·                submitted        delivered        ·                ·                failed
    queued file        ·                ·                ·                ·                placed           placed           queued notice    ·                submitted        delivered        ·                ·                failed
    queued notice      ·                ·                ·                ·                placed           placed           ·                ·                submitted        delivered        ·                ·                failed
    typing             typed            queued           typed            ·                placed           placed           ·                ·                submitted        delivered        ·                typed            uncertain
    typed              ·                ·                ·                ·                placed           placed           ·                ·                submitted        delivered        ·                ·                uncertain
    placed typed       ·                ·                ·                ·                noted            noted            ·                ·                submitted        delivered        ·                ·                uncertain
    placed hook        ·                ·                ·                ·                noted            noted            ·                queued typed     submitted        delivered        ·                ·                uncertain
    placed flag        ·                ·                ·                ·                noted            noted            ·                ·                submitted        delivered        ·                ·                uncertain
    placed file        ·                ·                ·                ·                noted            noted            queued notice    ·                submitted        delivered        ·                ·                uncertain
    submitting         ·                ·                ·                ·                noted            noted            ·                ·                submitted        delivered        ·                ·                uncertain
    submitted          ·                ·                ·                ·                noted            noted            ·                ·                ·                delivered        waits            ·                uncertain
    ended delivered    ·                ·                ·                ·                ·                ·                ·                ·                ·                ·                ·                ·                ·
    ended uncertain    ·                ·                ·                ·                ·                ·                ·                ·                uncertain        delivered        ·                ·                ·
    ended failed       ·                ·                ·                ·                ·                ·                ·                ·                failed           delivered        ·                ·                ·
    "
  `);
});

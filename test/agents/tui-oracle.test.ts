// What the oracle counts: who sent which byte, what it fell into, and whether that did harm.

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { until } from '../processes/processes.ts';
import { scaled } from '../scale.ts';
import { asPerson, fromPerson, PERSON, typeLikeAPerson } from './person.mjs';
import { type AgentState, entriesOf, oracle, readLog, untilEntry } from './tui-log.ts';
import { type Seat, seated as test } from './tui-seat.ts';

function hexIn(log: ReturnType<typeof readLog>): string {
  return entriesOf(log, 'bytes')
    .map(({ hex }) => hex)
    .join('');
}

const judged = (seat: Seat, graceMs = 0) => oracle(readLog(seat.log), { graceMs });

describe.concurrent('the oracle', () => {
  test('a person types and sends without any harm, and nothing counts as ours', async ({ sitReady }) => {
    const seat = await sitReady('boxed', { busyMs: 20 });
    const keys = await typeLikeAPerson((key) => seat.write(key), 'fix the login bug 42', {
      seed: 3,
      gapMs: [0, 8],
      enter: true,
    });
    const { text } = await untilEntry(seat.log, 'submit');
    expect(fromPerson(text)).toBe('fix the login bug 42');
    expect(keys.some(({ key }) => key === PERSON.backspace)).toBe(true);
    expect(judged(seat)).toMatchObject({ harms: [], bytes: { ours: 0 }, personBytesSubmittedByUs: 0, mixedSubmits: 0 });
    expect(judged(seat).bytes.persons).toBe(Buffer.byteLength(keys.map(({ key }) => key).join('')));
  });

  test('a paste into a person’s draft is harm, and so is sending it', async ({ sitReady }) => {
    const seat = await sitReady('boxed');
    seat.write(asPerson('my words'));
    await untilEntry(seat.log, 'draft', ({ text }) => fromPerson(text) === 'my words');
    await sleep(120);
    seat.paste('[fw_a1] ours');
    seat.write('\r');
    await untilEntry(seat.log, 'submit');
    const seen = judged(seat);
    expect(seen.harms.map(({ what, text }) => [what, text])).toEqual([
      ['draft', '\x1b[200~[fw_a1] ours\x1b[201~'],
      ['draft', '\r'],
    ]);
    expect(seen).toMatchObject({ mixedSubmits: 1, outside: { draft: 25 } });
    expect(seen.personBytesSubmittedByUs).toBe(Buffer.byteLength(asPerson('my words')));
    expect(judged(seat, 10_000)).toMatchObject({ outside: {}, excusedBytes: 25 });
  });

  test('a person’s Enter may send our text along with theirs: mixed, but not sent by us', async ({ sitReady }) => {
    const seat = await sitReady('plain');
    seat.paste('[fw_a1] ours ');
    seat.write(asPerson('and mine'));
    seat.write(PERSON.enter);
    expect(await untilEntry(seat.log, 'submit')).toMatchObject({ by: 'person', draft: 'mixed', ids: ['fw_a1'] });
    expect(judged(seat)).toMatchObject({ harms: [], mixedSubmits: 1, personBytesSubmittedByUs: 0 });
  });

  test('a person’s own paste is a person’s', async ({ sitReady }) => {
    const seat = await sitReady('plain');
    seat.paste(asPerson('pasted by hand'));
    await untilEntry(seat.log, 'draft');
    expect(judged(seat)).toMatchObject({ pastes: [], bytes: { ours: 0 }, lastDraft: { owner: 'person' }, harms: [] });
  });

  test('Enter in a dialog chooses what was preselected, whatever that is', async ({ sit }) => {
    const dialogs = [{ name: 'trust', preselected: 'no', first: 'no' }];
    const seat = sit('boxed', { dialogs });
    const { lines } = await seat.untilShown('Do you trust');
    expect(lines.some((line) => line.includes('❯ 1. No, exit'))).toBe(true);
    seat.write('\r');
    expect(await seat.exit).toBe(1);
    expect(judged(seat)).toMatchObject({
      answersByUs: ['trust: no'],
      harms: [{ what: 'dialog' }],
      outside: { dialog: 1 },
    });
  });

  test('a paste into a dialog cancels it; a person’s digit answers it without harm', async ({ sit }) => {
    const pasted = sit('alternate', { dialogs: ['trust'] });
    const answered = sit('alternate', { dialogs: [{ name: 'trust', first: 'no' }] });
    await Promise.all([pasted.untilShown('Do you trust'), answered.untilShown('Do you trust')]);
    pasted.paste('2');
    expect(await pasted.exit).toBe(1);
    expect(judged(pasted).answersByUs).toEqual(['trust: cancel']);
    answered.write(PERSON.digit(2));
    await untilEntry(answered.log, 'state', ({ state }) => state === 'ready');
    expect(judged(answered)).toMatchObject({ answersByUs: [], harms: [] });
  });

  test('Escape, Ctrl-C, Ctrl-U and typed text are harm from a program, Escape also when nothing follows it', async ({
    sitReady,
  }) => {
    const seat = await sitReady('plain', { hasMenu: false });
    for (const [index, key] of ['\x1b', '\x03', '\x15', '\x7f', 'a', 'é'].entries()) {
      seat.write(key);
      await until(`harm by ${JSON.stringify(key)}`, () => judged(seat).harms.length > index);
    }
    expect(judged(seat).harms.map(({ what }) => what)).toEqual([...Array(4).fill('control'), 'unframed', 'unframed']);
    expect(judged(seat).outside).toEqual({ unframed: 7 });
  });

  test('what the terminal answers is nobody’s typing', async ({ sitReady }) => {
    const seat = await sitReady('plain', { queries: true });
    seat.write('\x1b[?1;2c\x1b[12;1R\x1b[I\x1b]11;rgb:00/00/00\x07');
    await until('all was read', () => judged(seat).bytes.terminals === 35);
    expect(judged(seat)).toMatchObject({
      harms: [],
      bytes: { ours: 0, persons: 0, terminals: 35 },
      bytesOutsideEmptyComposer: 0,
    });
  });

  test('a body that is pasted twice is a duplicate, sent or not; an id that is only quoted is none', async ({
    sitReady,
  }) => {
    const seat = await sitReady('boxed', { busyMs: 10 });
    const idle = (times: number) => {
      const ended = () => entriesOf(readLog(seat.log), 'state').filter(({ from }) => from === 'busy');
      return until(`${times} turns ended`, () => ended().length >= times);
    };
    seat.paste('[fw_a1]\nsee fw_zz and (fw_a1)');
    seat.write('\r');
    await idle(1);
    expect(judged(seat)).toMatchObject({ duplicates: {}, pastedTwice: {} });
    seat.paste('[fw_a1]\nsee');
    await untilEntry(seat.log, 'draft', ({ text }) => text === '[fw_a1]\nsee');
    expect(judged(seat)).toMatchObject({ duplicates: {}, pastedTwice: { fw_a1: 2 } });
    seat.paste('[fw_b2]');
    seat.write('\r');
    await idle(2);
    expect(judged(seat)).toMatchObject({
      duplicates: { fw_a1: 2 },
      served: { fw_a1: 2, fw_b2: 1 },
      outside: { 'own draft': 19 },
    });
  });

  test('bytes that meet a state the screen did not show yet are excused; those after are not', async ({ sit }) => {
    const seat = sit('plain', { redrawMs: null, busyMs: 60_000 });
    const tell = async (shown: AgentState) => {
      await untilEntry(seat.log, 'state', ({ state }) => state === shown);
      seat.tell();
      await untilEntry(seat.log, 'shown', ({ state }) => state === shown);
    };
    await tell('ready');
    seat.paste('one');
    seat.write('\r');
    await untilEntry(seat.log, 'state', ({ state }) => state === 'busy');
    seat.paste('unseen');
    await untilEntry(seat.log, 'paste', ({ text }) => text === 'unseen');
    expect(judged(seat)).toMatchObject({ excusedBytes: 18, bytesOutsideEmptyComposer: 0 });
    await tell('busy');
    await sleep(150);
    seat.paste('seen');
    await untilEntry(seat.log, 'paste', ({ text }) => text === 'seen');
    expect(judged(seat, 100)).toMatchObject({ excusedBytes: 18, outside: { busy: 16 } });
  });

  test('kill -9 at any moment leaves a log of exactly what was read', async ({ sitReady }) => {
    const sent = Buffer.from(`\x1b[200~${'0123456789abcdef'.repeat(16_384)}\x1b[201~`);
    for (let round = 0; round < scaled(40); round += 1) {
      const seat = await sitReady('plain');
      seat.write(sent);
      await untilEntry(seat.log, 'bytes');
      await sleep(round * 2);
      await seat.kill();
      const log = readLog(seat.log);
      const read = Buffer.from(hexIn(log), 'hex');
      expect(read.length).toBeGreaterThan(0);
      expect(sent.subarray(0, read.length).equals(read)).toBe(true);
      expect(log.map(({ n }) => n)).toEqual(log.map((_, index) => index + 1));
      expect(oracle(log)).toMatchObject({ starts: 1, bytesOutsideEmptyComposer: 0, lastState: 'ready' });
    }
  });

  test('every byte is in the log once and in order, at any split, and the paste is exact', async ({ sitReady }) => {
    const seat = await sitReady('plain', { collapse: { lines: 1, chars: 20, style: 'chars' }, swallowEnter: 1 });
    const bodies = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), scaled(60));
    const texts = [...bodies.map((body) => body.replace(/\p{Cc}/gu, '.')), `${'0123456789abcdef'.repeat(16_384)}`];
    let sent = '';
    for (const [index, text] of texts.entries()) {
      const frame = Buffer.from(`\x1b[200~${text}\x1b[201~`);
      // Not behind the first byte: an ESC that nothing follows for a while is the key Escape.
      const [cut = 2] = fc.sample(fc.integer({ min: 2, max: frame.length }), { numRuns: 1, seed: index });
      sent += frame.toString('hex');
      seat.write(frame.subarray(0, cut));
      await sleep(index % 3 === 0 ? 12 : 0);
      seat.write(frame.subarray(cut));
      await untilEntry(seat.log, 'paste', ({ frame: number }) => number === index + 1);
    }
    const log = readLog(seat.log);
    expect(hexIn(log) === sent).toBe(true);
    const pasted = entriesOf(log, 'paste').map(({ text }) => text);
    expect(texts.filter((text, index) => text !== pasted[index])).toHaveLength(0);
  });
});

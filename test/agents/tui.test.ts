// The scripted terminal agent does what its script says, on a real PTY. What tests of the product believe stands on this.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect } from 'vitest';
import type { Screen } from '../../src/kernel/screen.ts';
import type { ReadinessState } from '../../src/kernel/session.ts';
import { readReadiness } from '../../src/sessions/readiness.ts';
import { compilePattern, makeLineMatcher } from '../../src/system/patterns/linear.ts';
import { until } from '../processes/processes.ts';
import { scaled } from '../scale.ts';
import { PERSON } from './person.mjs';
import { entriesOf, oracle, type Profile, readLog, tuiAgent, tuiInteractive, untilEntry } from './tui-log.ts';
import { type Seat, seated as test } from './tui-seat.ts';

const PROFILES: readonly Profile[] = ['boxed', 'plain', 'shell', 'alternate'];
const REQUEST =
  '[CONTEXT INJECTION fw_k3v9 - Please acknowledge receipt]\nthe body\n\n[END CONTEXT fw_k3v9 - To confirm, reply with one line: ACK, a colon, the words context received, and the code made by joining 7Q and X4]';

function untilIdle(seat: Seat, turns: number): Promise<number> {
  const ended = () =>
    entriesOf(readLog(seat.log), 'state').filter(({ state, from }) => state === 'ready' && from === 'busy');
  return until(`${turns} turns ended`, () => ended().length >= turns);
}

function verdict(profile: Profile, screen: Screen, script: Readonly<Record<string, unknown>> = {}) {
  return readReadiness(tuiInteractive({ profile, log: '', script }), screen, makeLineMatcher());
}

const judged = (oracleOf: Seat) => oracle(readLog(oracleOf.log));

describe.concurrent.each(PROFILES)('a %s agent', (profile) => {
  test('takes a paste and an Enter, works, answers, and its rules tell each state from its screen', async ({
    sitReady,
  }) => {
    const seat = await sitReady(profile, { busyMs: null, collapse: null });
    const untilVerdict = (state: ReadinessState, text = '') =>
      seat.untilScreen(
        state,
        (shown) => verdict(profile, shown).state === state && shown.lines.join('\n').includes(text),
      );
    await untilVerdict('ready');
    seat.paste('[fw_a1]\nfirst line 你好\nsecond 😀 line');
    const drafted = await untilVerdict('ready', 'second 😀 line');
    expect(verdict(profile, drafted).composer).toEqual({
      kind: 'text',
      text: '[fw_a1]\nfirst line 你好\nsecond 😀 line',
    });
    seat.write('\r');
    await untilVerdict('busy');
    seat.tell();
    await untilVerdict('ready', 'Done (1).');
    const seen = judged(seat);
    expect(seen).toMatchObject({ harms: [], bytesOutsideEmptyComposer: 0, duplicates: {}, served: { fw_a1: 1 } });
    expect(seen.submits).toMatchObject([{ ids: ['fw_a1'], by: 'program', how: 'now', draft: 'program' }]);
    expect(seen.enters).toEqual({ submit: 1 });
  });

  test('asks before it is ready, and its rules know all dialogs but the one nobody described', async ({ sit }) => {
    const seat = sit(profile, { dialogs: ['trust', 'onboarding', 'update', 'unheard'] });
    const asked: unknown[] = [];
    for (const words of ['Do you trust', 'Choose a theme', 'Update now', 'Pick a workspace']) {
      const { state, asks } = verdict(profile, await seat.untilShown(words));
      asked.push([state, asks]);
      seat.write(PERSON.digit(1));
    }
    expect(asked).toEqual([
      ['asking', 'trust folder'],
      ['asking', 'onboarding'],
      ['asking', 'update'],
      ['unrecognised', undefined],
    ]);
    await untilEntry(seat.log, 'shown', ({ state }) => state === 'ready');
    expect(judged(seat)).toMatchObject({ harms: [], answersByUs: [] });
  });

  test('draws the same screen in pieces and whole, after a resize too', async ({ sitReady, expect }) => {
    const draw = async (isFullRedraw: boolean, stormPerSecond: number) => {
      const seat = await sitReady(profile, { isFullRedraw, stormPerSecond, busyMs: 60, says: ['多'.repeat(70)] });
      for (const count of [1, 2]) {
        seat.paste(`[fw_a${count}]\n${'wide 好 '.repeat(30)}`);
        seat.write('\r');
        await untilIdle(seat, count);
      }
      seat.write('half a dra');
      await seat.untilShown('half a dra');
      seat.resize(61, 19);
      await untilEntry(seat.log, 'resize');
      return seat;
    };
    const seats = await Promise.all([draw(false, 0), draw(true, 0), draw(false, 8)]);
    const look = () => Promise.all(seats.map((seat) => seat.screen()));
    await expect
      .poll(
        async () => {
          const [pieces, whole, storm] = await look();
          return isDeepStrictEqual(pieces, whole) && isDeepStrictEqual(storm, whole);
        },
        { timeout: 8000, interval: 30 },
      )
      .toBe(true);
    const { state, composer } = verdict(profile, await seats[0].untilShown('half a dra'));
    expect([state, composer]).toEqual(['ready', { kind: 'text', text: 'half a dra' }]);
  });

  test('that left its terminal to a shell is gone, and whatever comes is harm', async ({ sitReady }) => {
    const seat = await sitReady(profile, { exitAfterTurns: 1, exitTo: 'shell', busyMs: 40 });
    seat.paste('work');
    seat.write('\r');
    const shown = await seat.untilShown('user@host:~$');
    expect(verdict(profile, shown).state).toBe('gone');
    expect(shown).toMatchObject({ hasBracketedPaste: true, isAlternate: false });
    seat.paste('rm -rf build');
    seat.write('\r');
    await untilEntry(seat.log, 'command');
    expect(judged(seat)).toMatchObject({ commands: ['rm -rf build'], bytesToShell: 25, outside: { shell: 25 } });
  });
});

describe.concurrent('starting', () => {
  test('prints what looks like a prompt in line mode; bytes that come then are harm, a line or half of one', async ({
    sit,
  }) => {
    const seat = sit('plain', { startMs: null });
    const shown = await seat.untilShown('> quoted');
    expect(shown.hasBracketedPaste).toBe(false);
    seat.write('a whole line\r');
    await untilEntry(seat.log, 'harm', ({ what }) => what === 'cooked');
    seat.write('half a line');
    await seat.untilShown('half a line'); // the terminal itself echoes it
    seat.tell();
    await untilEntry(seat.log, 'state', ({ state }) => state === 'ready');
    const { harms, bytesOutsideEmptyComposer, lastDraft } = judged(seat);
    expect(harms.map(({ what, text, state }) => [what, text, state])).toEqual([
      ['cooked', 'a whole line\n', 'cooked-start'],
      ['cooked', 'half a line', 'cooked-start'],
    ]);
    expect(bytesOutsideEmptyComposer).toBe(24);
    expect(lastDraft.text).toBe('');
  });

  test('loads with paste frames on and no composer; what comes is lost', async ({ sit }) => {
    const seat = sit('alternate', { loadingMs: null });
    const shown = await seat.untilShown('loading');
    expect(shown.hasBracketedPaste).toBe(true);
    expect(verdict('alternate', shown).state).toBe('unrecognised');
    seat.paste('too early');
    await untilEntry(seat.log, 'paste');
    seat.tell();
    await untilEntry(seat.log, 'shown', ({ state }) => state === 'ready');
    expect(judged(seat)).toMatchObject({ outside: { loading: 21 }, lastDraft: { text: '' } });
  });

  test('can be busy at once, with and without showing it', async ({ sit }) => {
    const seat = sit('boxed', { busyAtStartMs: null });
    expect(verdict('boxed', await seat.untilShown('esc to interrupt')).state).toBe('busy');
    seat.tell();
    await untilEntry(seat.log, 'state', ({ state, from }) => state === 'ready' && from === 'busy');
    const silent = sit('boxed', { busyAtStartMs: null, spinner: false });
    await untilEntry(silent.log, 'shown', ({ state }) => state === 'busy');
    await silent.untilScreen('ready', (shown) => verdict('boxed', shown).state === 'ready');
  });

  test('may do without paste frames: then a paste is keys, and its line breaks send', async ({ sitReady }) => {
    const seat = await sitReady('plain', { pasteMode: false });
    seat.paste('one\rtwo');
    await untilEntry(seat.log, 'submit');
    await untilEntry(seat.log, 'harm', ({ what }) => what === 'unframed');
    expect(judged(seat)).toMatchObject({ pastes: [], unfinishedPastes: 0 });
  });

  test('takes a first prompt from its command line, and hooks from a settings file', async ({ sit }) => {
    const seat = sit('plain', { busyMs: 30 }, { args: ['--', '[fw_b2]\nhello'] });
    expect(await untilEntry(seat.log, 'submit')).toMatchObject({ ids: ['fw_b2'], how: 'launch' });
    await untilEntry(seat.log, 'state', ({ state }) => state === 'ready');
    const { launch } = tuiInteractive({ profile: 'plain', log: '', launch: ['prompt', 'hook'] });
    const settings = join(seat.folder, 'settings.json');
    writeFileSync(
      settings,
      launch?.hook?.file?.content.replace('{command session-start}', () => 'echo [foreword fw_c3]') ?? '',
    );
    const hooked = sit('plain', {}, { args: ['--settings', settings] });
    await untilEntry(hooked.log, 'state', ({ state }) => state === 'ready');
    expect(judged(hooked).served).toEqual({ fw_c3: 1 });
  });

  test('refuses an option or deed it does not know', async ({ sit }) => {
    for (const script of [{ swalowEnter: 1 }, { events: [{ on: 'ready', do: 'dance' }] }])
      expect(await sit('plain', script).exit).toBe(2);
  });
});

describe.concurrent('the composer', () => {
  test('keeps the draft when an Enter is swallowed, and the next one sends it', async ({ sitReady }) => {
    const seat = await sitReady('boxed', { swallowFirst: 1 });
    seat.paste('[fw_d4] text');
    await seat.untilShown('[fw_d4] text');
    seat.write('\r');
    await untilEntry(seat.log, 'key', ({ effect }) => effect === 'swallowed');
    expect(judged(seat)).toMatchObject({ submits: [], lastDraft: { text: '[fw_d4] text', owner: 'program' } });
    seat.write('\r');
    await untilEntry(seat.log, 'key', ({ effect }) => effect === 'submit');
    expect(judged(seat)).toMatchObject({ enters: { swallowed: 1, submit: 1 }, duplicates: {}, harms: [] });
  });

  test('swallows about as many Enters as it is told', async ({ sitReady }) => {
    const seat = await sitReady('plain', { swallowEnter: 0.33, busyMs: 1, seed: 5 });
    seat.paste('x');
    for (let count = 0; count < 40; count += 1) seat.write('x\r');
    await until('all keys read', () => judged(seat).bytes.ours === 93);
    const { swallowed = 0 } = judged(seat).enters;
    expect(swallowed).toBeGreaterThan(4);
    expect(swallowed).toBeLessThan(25);
  });

  test.for([
    ['newline', 'newline', '[Pasted text #1 +2 lines]'],
    ['ignored', 'swallowed', '[Pasted text #1 +2 lines]'],
  ] as const)('takes an Enter right after a paste as %s', async ([soonEnter, effect, shown], { sitReady }) => {
    const seat = await sitReady('boxed', {
      enterGapMs: 150,
      soonEnter,
      collapse: { lines: 2, chars: 99, style: 'numbered' },
    });
    seat.write('\x1b[200~a\nb\nc\x1b[201~\r');
    await untilEntry(seat.log, 'key', (key) => key.effect === effect);
    await seat.untilShown(shown);
    await sleep(160);
    seat.write('\r');
    const { text } = await untilEntry(seat.log, 'submit');
    expect(text.trimEnd()).toBe('a\nb\nc');
  });

  test('can send the words of the placeholder in place of the paste', async ({ sitReady }) => {
    const collapse = { lines: 2, chars: 99, style: 'chars' };
    const seat = await sitReady('plain', { enterGapMs: 150, soonEnter: 'placeholder', collapse });
    seat.write('\x1b[200~[fw_e5]\nb\nc\x1b[201~\r');
    expect(await untilEntry(seat.log, 'submit')).toMatchObject({ text: '[Pasted Content 11 chars]', ids: [] });
    expect(await untilEntry(seat.log, 'served')).toMatchObject({ text: '[Pasted Content 11 chars]', ids: [] });
  });

  test.for(['numbered', 'chars', 'about'])(
    'collapses a long paste to a placeholder (%s) its rule knows',
    async (style, { sitReady }) => {
      const seat = await sitReady('boxed', { collapse: { lines: 3, chars: 99, style } });
      seat.paste('1\n2\n3\n4\n5');
      const { composer } = verdict('boxed', await seat.untilShown('[Pasted'));
      const rule = compilePattern(`^${tuiInteractive({ profile: 'boxed', log: '' }).composer.placeholder}$`);
      expect(composer.kind === 'text' && 'test' in rule && rule.test(composer.text)).toBe(true);
      seat.write('\r');
      expect((await untilEntry(seat.log, 'submit')).text).toBe('1\n2\n3\n4\n5');
    },
  );

  test.for([true, false])('shows ghost text, faint: %s, that is no draft', async (isGhostFaint, { sitReady }) => {
    const script = { ghost: 'Try "fix (it)?"', isGhostFaint };
    const seat = await sitReady('boxed', script);
    const shown = await seat.untilShown('Try "fix');
    expect(verdict('boxed', shown, script).composer.kind).toBe('empty');
    expect(shown.solid.some((line) => line.includes('Try'))).toBe(!isGhostFaint);
    seat.write('\r');
    await untilEntry(seat.log, 'key');
    expect(judged(seat)).toMatchObject({ submits: [], enters: { nothing: 1 } });
  });

  test('draws as late as it is told, and takes what came meanwhile', async ({ sit }) => {
    const seat = sit('plain', { redrawMs: null });
    await untilEntry(seat.log, 'state', ({ state }) => state === 'ready');
    seat.tell();
    await untilEntry(seat.log, 'shown', ({ state }) => state === 'ready');
    seat.paste('late text');
    await untilEntry(seat.log, 'draft', ({ text }) => text === 'late text');
    await sleep(200);
    expect((await seat.screen()).lines.join('\n')).not.toContain('late text');
    seat.tell();
    await seat.untilShown('late text');
    seat.write('\r');
    expect((await untilEntry(seat.log, 'submit')).text).toBe('late text');
  });

  test('opens a menu for a draft with a slash', async ({ sitReady }) => {
    const seat = await sitReady('alternate');
    seat.write(PERSON.slash);
    expect(verdict('alternate', await seat.untilShown('enter to select')).asks).toBe('menu');
    seat.write('\r');
    await untilEntry(seat.log, 'key', ({ effect }) => effect === 'chose');
    expect(judged(seat)).toMatchObject({ answersByUs: ['menu'], outside: { menu: 1 } });
  });
});

describe.concurrent('turns', () => {
  test.for([
    ['queue', 'queued', ['one', 'two']],
    ['steer', 'steered', ['one', 'two']],
    ['lose', 'lost', ['one']],
  ])('while busy: %s', async ([whileBusy, how, served], { sitReady }) => {
    const seat = await sitReady('boxed', { whileBusy, busyMs: null, busyHarms: whileBusy === 'lose' });
    seat.paste('one');
    seat.write('\r');
    await seat.untilShown('esc to interrupt');
    seat.paste('two');
    seat.write('\r');
    await untilEntry(seat.log, 'submit', (submit) => submit.how === how);
    if (whileBusy === 'queue') await seat.untilShown('Queued: two');
    seat.tell();
    if (whileBusy === 'queue') {
      await untilEntry(seat.log, 'served', ({ text }) => text === 'two');
      seat.tell();
    }
    await untilEntry(seat.log, 'state', ({ state, from }) => state === 'ready' && from === 'busy');
    const { servedTexts, harms, outside } = judged(seat);
    expect(servedTexts).toEqual(served);
    expect(outside).toEqual({ busy: 16 });
    expect(harms.map(({ what }) => what).includes('busy')).toBe(whileBusy === 'lose');
  });

  test('may ask for approval in the middle; bytes of a program answer it, which is harm', async ({ sitReady }) => {
    const seat = await sitReady('boxed', { approval: 1, busyMs: 100 });
    seat.paste('one');
    seat.write('\r');
    expect(verdict('boxed', await seat.untilShown('Do you want to run')).asks).toBe('approval');
    seat.write('\r');
    await untilEntry(seat.log, 'answer');
    expect(judged(seat)).toMatchObject({ answersByUs: ['approval: yes'], outside: { approval: 1 } });
  });

  test.for(['whole', 'terminal', 'agent'])(
    'gives the true reply code, %s, and every false one',
    async (ackLine, { sitReady }) => {
      const seat = await sitReady(
        'boxed',
        { ack: 1, ackLine, fakeAcks: true, echo: true, busyMs: 20, collapse: null },
        { rows: 60 },
      );
      seat.paste(REQUEST);
      seat.write('\r');
      await untilEntry(seat.log, 'acknowledged', ({ code }) => code === '7QX4');
      const { lines } = await seat.untilShown('ACK: context received 7Q');
      expect(lines.some((line) => line.includes('7QX4'))).toBe(ackLine === 'whole');
      const row = lines.findLastIndex((line) => line.endsWith('received 7Q'));
      if (ackLine !== 'whole') expect(lines[row + 1]).toBe(ackLine === 'agent' ? '  X4' : 'X4');
      const said = entriesOf(readLog(seat.log), 'said').map(({ text }) => text);
      expect(said.filter((text) => text.includes('7QX4'))).toHaveLength(1);
      expect(said).toContain('ACK: context received');
      expect(said).toContain('[CONTEXT INJECTION fw_k3v9 - Please acknowledge receipt]');
    },
  );

  test('gives it late, or not at all', async ({ sitReady }) => {
    const seat = await sitReady('plain', { ack: 1, ackDelayMs: 400, busyMs: 20 });
    seat.paste(REQUEST);
    seat.write('\r');
    const late = await untilEntry(seat.log, 'acknowledged');
    const idle = await untilEntry(seat.log, 'state', ({ state, from }) => state === 'ready' && from === 'busy');
    expect(late.t - idle.t).toBeGreaterThan(390);
    const silent = await sitReady('plain', { ack: 0, busyMs: 20 });
    silent.paste(REQUEST);
    silent.write('\r');
    await untilEntry(silent.log, 'state', ({ state, from }) => state === 'ready' && from === 'busy');
    expect(judged(silent)).toMatchObject({ acknowledged: [], served: { fw_k3v9: 1 } });
  });

  test('says in-band commands in pieces, over lines and redraws', async ({ sitReady }) => {
    const command = `->continuity:save <<<${'what was done '.repeat(12)}>>>`;
    const seat = await sitReady('boxed', { says: [command], streamMs: 1500, busyMs: 20 });
    seat.paste('go');
    seat.write('\r');
    const part = await seat.untilShown('->continuity:save');
    expect(part.lines.join('\n')).not.toContain('>>>');
    const { lines } = await seat.untilShown('>>>');
    const from = lines.findIndex((line) => line.includes('->continuity'));
    expect(lines.findIndex((line) => line.includes('>>>'))).toBeGreaterThan(from + 1);
  });

  test('runs its hooks and writes its transcript as coding agents do', async ({ sit, sitReady }) => {
    const first = sit('plain');
    const file = join(first.folder, 'payloads');
    const transcript = join(first.folder, 'transcript.jsonl');
    const answer = '{"hookSpecificOutput":{"additionalContext":"[foreword fw_f6] from the hook"}}';
    const script = `cat >> ${file}; echo >> ${file}; echo '${answer}'`;
    const hooks = { sessionStart: ['/bin/sh', '-c', script], prompt: script };
    const seat = await sitReady('plain', { hooks, transcript, sessionId: 'ses-1', busyMs: 20 });
    seat.paste('[fw_g7]\ndo it');
    seat.write('\r');
    await seat.untilShown('Done (1).');
    const payloads = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(payloads).toMatchObject([
      { session_id: 'ses-1', hook_event_name: 'SessionStart' },
      {
        session_id: 'ses-1',
        hook_event_name: 'UserPromptSubmit',
        prompt: '[fw_g7]\ndo it',
        transcript_path: transcript,
      },
    ]);
    expect(judged(seat).served).toEqual({ fw_f6: 2, fw_g7: 1 });
    const records = readFileSync(transcript, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ type, text }) => [type, text.split('\n')[0]])).toEqual([
      ['system', '[foreword fw_f6] from the hook'],
      ['user', '[fw_g7]'],
      ['system', '[foreword fw_f6] from the hook'],
      ['assistant', 'Done (1).'],
    ]);
  });

  test('survives a hook that is not there or hangs', async ({ sitReady }) => {
    const hooks = { sessionStart: ['/no/such/program'], prompt: 'sleep 60' };
    const seat = await sitReady('plain', { hooks, hookTimeoutMs: 200, busyMs: 20, hookKeepsStdinOpen: true });
    seat.paste('go');
    seat.write('\r');
    await seat.untilShown('Done (1).');
    expect(entriesOf(readLog(seat.log), 'hook').map(({ status }) => status)).toEqual(['ENOENT', 'SIGKILL']);
  });
});

describe.concurrent('disturbances', () => {
  test('a shell in line mode runs what an Enter ends', async ({ sitReady }) => {
    const seat = await sitReady('alternate', { shellStyle: 'cooked', events: [{ on: 'ready', do: 'shell' }] });
    const shown = await seat.untilShown('user@host:~$');
    expect(shown.hasBracketedPaste).toBe(false);
    seat.write('make clean\r');
    expect(await untilEntry(seat.log, 'command')).toMatchObject({ text: 'make clean', by: 'program' });
    expect(judged(seat)).toMatchObject({ bytesToShell: 11, harms: [{ what: 'shell', text: 'make clean\n' }] });
  });

  test('stops reading for a while: bytes wait in the terminal and nothing is lost', async ({ sitReady }) => {
    const seat = await sitReady('plain', {
      events: [{ on: 'ready', do: 'freeze', ms: null }],
      collapse: { lines: 1, chars: 9, style: 'chars' },
    });
    await untilEntry(seat.log, 'freeze');
    const text = 'x'.repeat(60_000);
    seat.paste(text);
    await sleep(150);
    expect(entriesOf(readLog(seat.log), 'bytes')).toHaveLength(0);
    seat.tell();
    expect((await untilEntry(seat.log, 'paste')).text === text).toBe(true);
    expect(entriesOf(readLog(seat.log), 'bytes')[0]).toMatchObject({ isAfterFreeze: true });
  });

  test('lends its terminal to a program in line mode and takes it back', async ({ sitReady }) => {
    const seat = await sitReady('alternate', { events: [{ on: 'ready', do: 'cooked', ms: null }] });
    const shown = await seat.untilShown('-- editor --');
    expect(shown).toMatchObject({ hasBracketedPaste: false, isAlternate: false });
    seat.write('wrong place');
    await seat.untilShown('wrong place'); // the terminal itself echoes it
    seat.tell();
    await untilEntry(seat.log, 'state', ({ state, from }) => state === 'ready' && from === 'cooked');
    expect(judged(seat)).toMatchObject({ outside: { cooked: 11 }, lastDraft: { text: '' } });
    expect(verdict('alternate', await seat.untilShown('? for shortcuts')).state).toBe('ready');
  });

  test('works, asks, suggests and says things of itself when its script says so', async ({ sit }) => {
    const events = [
      { on: 'ready', do: 'say', text: '->foreword:ready' },
      { on: 'ready', afterMs: 100, do: 'busy', ms: null },
      { on: 'idle', do: 'dialog', dialog: 'update' },
      { on: 'idle', do: 'ghost', text: 'more tests?' },
    ];
    const seat = sit('boxed', { events });
    await seat.untilShown('->foreword:ready');
    await seat.untilShown('esc to interrupt');
    seat.tell();
    await seat.untilShown('Update now');
    seat.write(PERSON.digit(2));
    await seat.untilShown('more tests?');
    expect(entriesOf(readLog(seat.log), 'answer')).toMatchObject([{ dialog: 'update', answer: 'no', by: 'person' }]);
  });

  test('dies in the middle of a paste, and the log has every byte until then', async ({ sitReady }) => {
    const seat = await sitReady('boxed', { dieInPaste: { nth: 1, afterBytes: 5000 } });
    seat.paste(`[fw_h8]\n${'y'.repeat(20_000)}`);
    expect(await seat.exit).toBe(137);
    expect(judged(seat)).toMatchObject({ unfinishedPastes: 1, pastes: [], lastState: 'killed' });
    expect(judged(seat).bytes.ours).toBe(5006);
  });

  test('ends with the status it is told, on TERM, or not on TERM', async ({ sitReady }) => {
    const seat = await sitReady('alternate', { exitAfterTurns: 1, exitStatus: 7, busyMs: 20 });
    seat.paste('x');
    seat.write('\r');
    expect(await seat.exit).toBe(7);
    expect(judged(seat).lastState).toBe('gone');
    const polite = await sitReady('plain');
    process.kill(polite.pid, 'SIGTERM');
    expect(await polite.exit).toBe(143);
    const deaf = await sitReady('plain', { ignoresTerm: true });
    process.kill(deaf.pid, 'SIGTERM');
    await untilEntry(deaf.log, 'signal');
    deaf.paste('still here');
    await deaf.untilShown('still here');
  });

  test('drawn from a seed it is difficult, and a patient program that looks before it types does no harm', async ({
    sit,
  }) => {
    const seeds = Array.from({ length: scaled(40) }, (_, index) => index + 1);
    const play = async (seed: number): Promise<void> => {
      const profile = PROFILES[seed % PROFILES.length] ?? 'plain';
      const seat = sit(profile, { wild: seed, redrawMs: [0, 50] });
      const calm = async () => {
        for (;;) {
          const last = readLog(seat.log).findLast(({ kind }) => kind === 'state' || kind === 'shown');
          if (last?.kind === 'shown' && last.state === 'ready' && Date.now() - last.at > 1000) return;
          await sleep(20);
        }
      };
      await calm();
      seat.paste(`[fw_w${seed}]\nhello`);
      await sleep(300);
      while (oracle(readLog(seat.log)).submits.length === 0) {
        await calm();
        seat.write('\r');
        await sleep(300);
      }
      expect(oracle(readLog(seat.log), { graceMs: 50 }), `seed ${seed}`).toMatchObject({
        duplicates: {},
        bytesOutsideEmptyComposer: 0,
        served: { [`fw_w${seed}`]: 1 },
      });
      await seat.kill();
    };
    await Promise.all(
      [0, 1, 2].map(async (lane) => {
        for (const seed of seeds.filter((value) => value % 3 === lane)) await play(seed);
      }),
    );
  });
});

test('is described as data that can be written down', () => {
  for (const profile of PROFILES) {
    const described = tuiAgent({ profile, log: '/tmp/log', script: { startMs: [0, 5] } });
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    const patterns = [...described.screens, described.composer].flatMap((rule) =>
      Object.entries(rule).flatMap(([key, value]) => (key === 'state' || key === 'name' ? [] : [value])),
    );
    expect(patterns.map((pattern) => compilePattern(pattern)).filter((compiled) => 'fault' in compiled)).toEqual([]);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Interactive, ScreenRule } from '../kernel/agent.ts';
import type { Screen } from '../kernel/screen.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { readReadiness } from './readiness.ts';

const match = makeLineMatcher();

function agent(screens: readonly ScreenRule[], more: Partial<Interactive['composer']> = {}): Interactive {
  return {
    command: ['mine'],
    screens,
    composer: { line: '^> ?(.*)$', ...more },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted'],
    ladder: ['typed', 'file', 'notice'],
  };
}

/** The agent of one's own in the documentation. */
const mine = agent([
  { state: 'asking', name: 'trust folder', text: 'Do you trust' },
  { state: 'busy', text: 'esc to interrupt' },
  { state: 'ready', cursorLine: '^>( |$)' },
]);

/** The cursor is behind the last line. */
function screen(text: string, more: Partial<Screen> = {}): Screen {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const last = text.split('\n').at(-1) ?? '';
  return {
    cols: 80,
    rows: lines.length,
    lines,
    solid: lines,
    cursor: { row: lines.length - 1, col: last.length, isVisible: true },
    hasBracketedPaste: true,
    isAlternate: false,
    title: '',
    ...more,
  };
}

const read = (one: Interactive, text: string, more?: Partial<Screen>) => readReadiness(one, screen(text, more), match);

describe('what must not be typed into outranks what may', () => {
  test('a dialog with a prompt under it asks, whatever the order of the rules', () => {
    expect(read(mine, 'Do you trust the files in this folder?\n> ')).toMatchObject({
      state: 'asking',
      asks: 'trust folder',
      evidence: 'Do you trust the files in this folder?',
    });
    const turned = agent(mine.screens.toReversed());
    expect(read(turned, 'Do you trust the files in this folder?\n> ').state).toBe('asking');
    expect(read(turned, 'esc to interrupt\n> ').state).toBe('busy');
  });

  test('a free prompt is ready, with what it holds', () => {
    expect(read(mine, 'hello\n> ')).toMatchObject({ state: 'ready', composer: { kind: 'empty' } });
    expect(read(mine, 'hello\n> draft')).toMatchObject({ state: 'ready', composer: { kind: 'text', text: 'draft' } });
  });
});

describe('what is not known is never ready', () => {
  test('words that sound like it', () => {
    expect(read(mine, 'waiting for input from db').state).toBe('unrecognised');
    expect(read(mine, '> a quotation\nin an answer that goes on').state).toBe('unrecognised');
    expect(read(mine, 'How can I help?').state).toBe('unrecognised');
  });

  test('a prompt that takes no pastes in a frame', () => {
    expect(read(mine, '> ', { hasBracketedPaste: false }).state).toBe('unrecognised');
  });

  test('a rule without conditions, and one whose composer is not there', () => {
    expect(read(agent([{ state: 'ready' }]), '> ').state).toBe('unrecognised');
    expect(read(agent([{ state: 'ready', text: 'hello' }]), 'hello').state).toBe('unrecognised');
  });

  test('an empty screen is one that starts', () => {
    expect(read(mine, '\n\n').state).toBe('starting');
  });

  test('a shell that shows its prompt is no agent', () => {
    for (const prompt of ['user@host:~/shop$ ', '[root@host shop]# ', '(venv) me@host % ', 'bash-5.2$ ', 'sh-5.2# '])
      expect(read(mine, `gone\n${prompt}`), prompt).toMatchObject({ state: 'gone', composer: { kind: 'absent' } });
    expect(read(mine, '> $ ').state).toBe('ready');
  });

  test('any text at all without a prompt at the cursor', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 }), (lines) => {
        fc.pre(!(lines.at(-1) ?? '').startsWith('>'));
        expect(read(mine, lines.map((line) => line.replaceAll('\n', ' ')).join('\n')).state).not.toBe('ready');
      }),
    );
  });
});

describe('where a rule looks', () => {
  const footed = agent(
    [
      { state: 'asking', name: 'menu', inside: '^→' },
      { state: 'asking', name: 'approval', text: 'Allow\\?', hasComposer: false },
      { state: 'asking', name: 'login', title: '^Login' },
      { state: 'busy', footer: 'esc to stop' },
      { state: 'busy', bottom: '^Working', takesPastes: false },
      { state: 'ready', hasComposer: true },
    ],
    { line: '^(.*)$', more: '^(.*)$', above: '^═', below: '^═', cursor: 'placed' },
  );
  const framed = (inside: string, under = '', above = '') => `${above}\n═══\n${inside}\n═══\n${under}`;
  const inFrame = { cursor: { row: 2, col: 0, isVisible: false } };

  test('under the composer, in it, in the title, or where no composer is', () => {
    expect(read(footed, framed(''), inFrame)).toMatchObject({ state: 'ready', evidence: '' });
    expect(read(footed, framed('', 'esc to stop'), inFrame).state).toBe('busy');
    expect(read(footed, framed('', '', 'esc to stop'), inFrame).state).toBe('ready');
    expect(read(footed, framed('→ one'), inFrame)).toMatchObject({ state: 'asking', asks: 'menu' });
    expect(read(footed, framed('', '', 'Allow?'), inFrame).state).toBe('ready');
    expect(read(footed, 'Allow?')).toMatchObject({ state: 'asking', asks: 'approval' });
    expect(read(footed, framed(''), { ...inFrame, title: 'Login please' })).toMatchObject({ asks: 'login' });
  });

  test('where framed pastes are off', () => {
    expect(read(footed, 'Working', { hasBracketedPaste: false }).state).toBe('busy');
    expect(read(footed, 'Working').state).toBe('unrecognised');
  });

  test('at the bottom, which blank lines do not move', () => {
    const far = agent([{ state: 'busy', bottom: 'busy' }]);
    expect(read(far, `busy${'\n\nline'.repeat(13)}`).state).toBe('busy');
    expect(read(far, `busy${'\n\nline'.repeat(14)}`).state).toBe('unrecognised');
  });
});

describe('where a rule looks', () => {
  const status = agent([
    { state: 'busy', over: '^• working', solid: '^[^(]*$' },
    { state: 'ready', cursorLine: '^>( |$)' },
  ]);
  const faint = { solid: ['an answer', '• working', '', '> '] };

  test('a status line right above the composer is work, and the same words further up are a quotation', () => {
    expect(read(status, 'an answer\n• working (3s)\n\n> ', faint).state).toBe('busy');
    expect(read(status, '• working 3s\none\ntwo\nthree\nfour\n> ').state).toBe('ready');
  });

  test('a status line whose border is under it is work, and the same words further up are a quotation', () => {
    const bordered = agent([
      { state: 'busy', over: '^  working', border: '^---' },
      { state: 'ready', cursorLine: '^>( |$)' },
    ]);
    expect(read(bordered, 'an answer\n  working (3s)\n-----\n> ').state).toBe('busy');
    expect(read(bordered, '  working (3s)\n  hints\n-----\n> ').state).toBe('ready');
  });

  test('a status line under the line of a command is work, and the same words in an answer are a quotation', () => {
    const headed = agent([
      { state: 'busy', over: '^  running', head: '^! ' },
      { state: 'ready', cursorLine: '^>( |$)' },
    ]);
    expect(read(headed, 'an answer\n\n! sleep 6 &&\n  true\n  running\n\n> ').state).toBe('busy');
    expect(read(headed, 'an answer\n  ! sleep 6\n  running\n\n> ').state).toBe('ready');
  });

  test('a quotation right above the composer has no faint brackets', () => {
    expect(read(status, 'an answer\n• working (3s)\n\n> ').state).toBe('ready');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandKey, findCommands, NO_COMMANDS, newCommands } from './in-band.ts';

describe('in-band commands', () => {
  it('are found at the beginning of a line, behind a bullet or a border', () => {
    expect(findCommands('● ->continuity:load')).toEqual([{ kind: 'load' }]);
    expect(findCommands('│  ->continuity:save <<<half way>>> │')).toEqual([{ kind: 'save', content: 'half way' }]);
    expect(findCommands('->continuity:handoff <<<\none\n  two\n>>>')).toEqual([
      { kind: 'handoff', content: 'one\ntwo' },
    ]);
  });

  it('are not found in prose, in a longer word, without their end or with nothing in them', () => {
    for (const text of [
      'You can say ->continuity:load at any time',
      '->continuity:loaded',
      '->continuity:save <<<never ended',
      '->continuity:save <<<  >>>',
      '->continuity:drop <<<x>>>',
      '-> continuity is nice',
    ])
      expect(findCommands(text)).toEqual([]);
  });

  it('are found however the screen wraps them', () => {
    const said = '->continuity:save <<<the parser is done>>>';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: said.length - 1 }), { maxLength: 4 }), (cuts) => {
        const places = [...new Set(cuts)].filter((cut) => cut > 2).sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => said.slice(from, places[index]));
        const [command] = findCommands(pieces.join('\n  '));
        expect(command?.kind).toBe('save');
        expect(command !== undefined && commandKey(command)).toBe('save\ntheparserisdone');
      }),
    );
  });

  it('that are in a text of ours are echoes, and nothing else is', () => {
    const notice = '[IMPORTANT] Session context is available.\n->continuity:load\nOr check AGENTS.md for details.';
    const screen = `> ${notice}\n\n● I will look.`;
    expect(findCommands(screen, [notice])).toEqual([]);
    expect(findCommands(`${screen}\n\n● ->continuity:load\n`, [notice])).toEqual([{ kind: 'load' }]);
  });

  it('survive any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void findCommands(text, [text])));
  });
});

describe('commands that were found before', () => {
  const save = { kind: 'save', content: 'half way' } as const;
  const load = { kind: 'load' } as const;
  it('are run once, however often the screen is drawn', () => {
    const first = newCommands([load, save, save], NO_COMMANDS, 'screen');
    expect(first.commands).toEqual([load, save]);
    expect(newCommands([load, save], first.seen, 'screen').commands).toEqual([]);
  });
  it('may ask for the context again once the line had left the screen', () => {
    const { seen } = newCommands([load], NO_COMMANDS, 'screen');
    const gone = newCommands([], seen, 'screen');
    expect(newCommands([load], gone.seen, 'screen').commands).toEqual([load]);
  });
  it('count anew in a transcript, which holds each line once', () => {
    const { seen } = newCommands([load, save], NO_COMMANDS, 'transcript');
    expect(newCommands([load, save], seen, 'transcript').commands).toEqual([load]);
  });
});

// An agent in a box that prints nothing more, with processes that stay when it is asked to end.

import { afterEach, expect } from 'vitest';
import { type BoxField, boxed, makeBoxField } from './field.ts';

let field: BoxField;
afterEach(() => field.remove());

boxed(
  'an agent that hangs in its box is tried once more, then the next one works, and no process is left',
  async () => {
    field = makeBoxField({ run: { hangS: 1 } });
    // Lengths that no other process on the machine has, to find them by.
    const own = 600_000 + process.pid;
    field.script(
      'echo \'{"type":"started"}\'',
      // The first time they ignore it, which takes the grace of 5 s.
      '[ -e tried ] || trap "" TERM; touch tried',
      `setsid sleep ${own}.5 > /dev/null 2>&1 & sleep ${own}.25 & sleep ${own}.75`,
    );
    field.change('first', ({ oneshot }) => ({ oneshot: { ...oneshot, isQuiet: false } }));
    const works = {
      oneshot: { command: ['/bin/sh', '-c', 'echo done > done-a.txt; echo I did it.'], prompt: 'stdin' },
    };
    field.change('second', () => works);
    const { status, stdout, stderr } = await field.runWith({ FOREWORD_LINEUP: 'first,second' });
    expect([status, stderr], stdout).toEqual([0, '']);
    const box = { level: 'bubblewrap' };
    expect(await field.attempts('a')).toMatchObject([
      {
        provider: 'first',
        exitReason: 'timeout',
        exitClass: 'hang',
        exitMessage: 'hung: printed nothing for 1 s',
        box,
      },
      { provider: 'first', exitReason: 'timeout', exitClass: 'hang', box },
      { provider: 'second', status: 'completed', box },
    ]);
    expect([...field.running(`${own}.`), ...field.running(field.folder)]).toEqual([]);
  },
);

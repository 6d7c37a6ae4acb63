// Prints which open files above the three streams a program gets from us, plainly and by way of `outerLine`.

import { execFileSync } from 'node:child_process';
import { outerLine } from '../../src/runs/sandboxes/outer-shell.ts';

const look = 'for n in 41 42; do [ ! -e /proc/$$/fd/$n ] || echo $n; done';

function openFiles([program, ...words]: readonly [string, ...string[]]): readonly string[] {
  const said = execFileSync(program, words, { encoding: 'utf8' });
  return said.split('\n').filter((line) => line !== '');
}

const closing = outerLine(['/bin/sh', '-c', look]);
if (typeof closing === 'string') throw new Error(closing);
console.log(JSON.stringify({ plain: openFiles(['/bin/sh', '-c', look]), closed: openFiles(closing) }));

// Sessions in a repository with every trap: the agent of the person runs in a terminal and in tmux, is sent to, attached to
// and stopped, and nothing outside changes.

import { afterEach, expect, test } from 'vitest';
import { type Outside, openOutside } from './outside.ts';
import { openPerson } from './person.ts';
import { setTraps } from './repository.ts';

let outside: Outside;
afterEach(() => outside.close());

test('a session in this terminal causes nothing outside', async () => {
  outside = await openOutside();
  await setTraps(outside);
  const person = openPerson(outside);
  const seat = person.sit(['start', '--config', `${outside.own}/config.json`, 'once']);
  expect(await seat.status).toBe(0);
  expect(await person.faults()).toEqual([]);
});

test('a session in tmux, with everything one does to it, causes nothing outside', async () => {
  outside = await openOutside();
  await setTraps(outside);
  const person = openPerson(outside, { network: 'watched' });
  const mine = ['--config', `${outside.own}/config.json`];
  const started = await person.run({ args: ['start', 'tui', '--detach', '--json', ...mine] });
  const { session } = JSON.parse(started.stdout.toString()) as { readonly session: { readonly id: string } };
  const { id } = session;
  for (const args of [
    ['sessions', '--json'],
    ['send', id, 'words \u001b[31m', '--wait', 'queued'],
    ['receipts', '--session', id],
    ['sessions', '--pause', id],
    ['sessions', '--resume', id],
    ['clean'],
    ['doctor'],
  ])
    await person.run({ args: [...args, ...mine] });
  const seat = person.sit(['attach', ...mine, id]);
  await seat.until('>');
  seat.write('\u0002d');
  await seat.status;
  for (const args of [['sessions', '--stop', id], ['clean'], ['sessions', '--all']])
    await person.run({ args: [...args, ...mine] });
  expect(await person.faults()).toEqual([]);
});

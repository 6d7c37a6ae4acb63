// An agent that prints `->foreword:ready`, in a live session.

import { expect, test } from 'vitest';
import { until } from '../processes/processes.ts';
import { sessionField } from './field.ts';

const LINE = '->foreword:ready';

test('is ready by its own word, and is given what waits', async () => {
  const field = await sessionField('plain', { events: [{ on: 'ready', do: 'say', text: LINE }] });
  try {
    await until('it is ready by its own word', () => field.session.signal === 'explicit_ready');
    await field.deliver({ id: 'fw_1' });
    expect(await field.session.wait('fw_1', 'submitted')).toMatchObject({ proof: 'submitted', outcome: 'delivered' });
    expect(field.seen()).toMatchObject({ harms: [], bytesOutsideEmptyComposer: 0 });
  } finally {
    await field.leave();
  }
});

test('is not when it shows the line in a turn', async () => {
  const field = await sessionField('plain', { busyMs: 100, says: [LINE] });
  try {
    await field.deliver({ id: 'fw_1' });
    await field.session.wait('fw_1', 'submitted');
    await until('the line is shown', () => field.session.watch.screen.lines.some((line) => line.trim() === LINE));
    await until('it is ready again', () => field.session.signal !== undefined);
    expect(field.session.signal).not.toBe('explicit_ready');
  } finally {
    await field.leave();
  }
});

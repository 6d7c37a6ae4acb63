// Tells the spool of a project many entries, as fast as it can: STATE ROOT COUNT.

import { appendSpool } from '../../src/hooks/spool.ts';

const [state = '', root = '', count = '0'] = process.argv.slice(2);
for (let index = 0; index < Number(count); index += 1) {
  appendSpool(state, root, {
    id: `evt_${index}`,
    at: '2026-11-15T00:00:00.000Z',
    agent: 'claude',
    session: 's',
    kind: 'context-served',
    context: 'fw_a',
  });
}

// The rung `mcp`: an agent without hooks is started with our server, its model calls the tool `context`, and the receipt rises as it
// goes on. What the model was given is read from the agent's own log.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../processes/processes.ts';
import { type Live, type ShownReceipt, lively as test, untilSome } from './live.ts';

const AGENT = join(import.meta.dirname, '../agents/asking-agent.mjs');

/** As a person describes it in the configuration. */
const described = (...args: readonly string[]) => ({
  interactive: { command: [process.execPath, AGENT, ...args] },
  screens: [
    { state: 'busy', text: 'esc to interrupt' },
    { state: 'ready', cursorLine: '^>( |$)' },
  ],
  composer: { line: '^> ?(.*)$', placeholder: '\\[Pasted (\\d+) lines\\]' },
  launch: { mcp: ['--mcp', '{server}'] },
});

/** What its model was given, by turns. */
function turnsOf({ project }: Live): readonly { readonly prompt: string; readonly given: string }[] {
  const log = join(dirname(project), 'asked.jsonl');
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line));
}

async function receiptWith(here: Live, proof: string): Promise<ShownReceipt> {
  const [found] = await untilSome(`a receipt with ${proof}`, async () =>
    (await here.receipts()).filter((one) => one.proof === proof),
  );
  return found ?? expect.fail();
}

test('an agent of one’s own asks for the context in its first turn: placed, then submitted, and nothing is typed', async ({
  live,
}) => {
  const here = live({}, { settings: { agents: { mine: described() } } });
  const seat = here.sit(['start', 'mine']);
  await seat.until('> ');
  expect(await here.receipts()).toMatchObject([{ proof: 'queued', reason: 'first prompt' }]);
  seat.write('Go on.\r');
  await until('it was given', () => turnsOf(here).length > 0);
  const receipt = await receiptWith(here, 'submitted');
  expect(receipt).toMatchObject({
    moment: 'session-start',
    channel: 'mcp',
    outcome: 'delivered',
    evidence: 'the turn that asked for it is over',
  });
  const [turn, ...others] = turnsOf(here);
  expect(others).toEqual([]);
  expect(turn?.prompt).toBe('Go on.');
  expect(turn?.given).toContain(`[foreword ${receipt.id}] Context for this session`);
  seat.write('\x04');
  expect(await seat.status).toBe(0);
});

test('an agent that does not ask in its first turn is typed to', async ({ live }) => {
  const here = live({}, { settings: { agents: { mine: described() } } });
  const seat = here.sit(['start', 'mine']);
  await seat.until('> ');
  seat.write('no tools\r');
  await until('it is typed', () => turnsOf(here).length > 1, 20_000);
  expect(turnsOf(here)[1]?.prompt).toContain('[CONTEXT INJECTION fw_');
  expect(await receiptWith(here, 'submitted')).toMatchObject({ channel: 'typed', outcome: 'delivered' });
});

test('where the transcript shows that the model went on, it is served', async ({ live }) => {
  const here = live({}, { settings: { agents: { claude: described('--transcript') } } });
  const seat = here.sit(['start', 'claude', '--channel', 'mcp']);
  await seat.until('> ');
  seat.write('Go on.\r');
  const receipt = await receiptWith(here, 'served');
  expect(receipt).toMatchObject({ channel: 'mcp', outcome: 'delivered' });
  expect(turnsOf(here)[0]?.given).toContain(receipt.id);
});

test('an agent that is given no server has no such channel', async ({ live }) => {
  const here = live();
  const { status, stderr } = await here.run(['start', 'tui', '--channel', 'mcp', '--detach']);
  expect(status).toBe(2);
  expect(stderr).toContain('tui does not have the channel mcp.');
});

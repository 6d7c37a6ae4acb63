import { expect, test } from 'vitest';
import { driveSeats, type OpenedSeat } from './drive.ts';

function field() {
  const ends = new Map<string, () => void>();
  const shown: string[] = [];
  const seat = (session: string, agent: string): OpenedSeat => ({
    seat: { session, agent },
    ended: new Promise<void>((resolve) => void ends.set(session, resolve)),
  });
  const state: { isBroken: boolean; args?: readonly string[] } = { isBroken: false };
  const driver = driveSeats({
    first: seat('s1', 'claude'),
    open: async (agent, args) => {
      state.args = args;
      return state.isBroken ? Promise.reject(new Error('not installed')) : seat('s2', agent);
    },
    show: async (session, after) => {
      shown.push(after === undefined ? session : `${session} after ${after.agent}${after.isOver ? ', over' : ''}`);
    },
    onFault: (error) => expect.fail(String(error)),
  });
  const end = async (session: string) => {
    ends.get(session)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { driver, shown, end, state };
}

test('the other agent has the terminal, and gives it back by its end or when it is asked for', async () => {
  const { driver, shown, end } = field();
  expect(await driver.ask('codex')).toEqual({ session: 's2', agent: 'codex' });
  expect(await driver.ask('claude')).toEqual({ session: 's1', agent: 'claude' });
  await driver.ask('codex');
  await end('s2');
  expect(shown).toEqual(['s2', 's1 after codex', 's2 after claude', 's1 after codex, over']);
  await end('s1');
  await driver.over;
});

test('what cannot be switched is refused with the reason, and nothing is lost', async () => {
  const { driver, shown, state } = field();
  await expect(driver.ask('claude')).rejects.toMatchObject({
    code: 'conflict',
    message: 'Nothing was switched: claude has the terminal already.',
  });
  state.isBroken = true;
  await expect(driver.ask('codex')).rejects.toThrow('not installed');
  state.isBroken = false;
  await driver.ask('codex');
  expect(shown).toEqual(['s2']);
});

test("a person's own arguments start the other agent, and are refused for one that runs", async () => {
  const { driver, shown, state } = field();
  await driver.ask('codex', ['--model', 'o5']);
  expect(state.args).toEqual(['--model', 'o5']);
  await expect(driver.ask('claude', ['--continue'])).rejects.toMatchObject({
    code: 'conflict',
    message: 'Nothing was switched: claude runs already, and takes no arguments now.',
  });
  expect(shown).toEqual(['s2']);
});

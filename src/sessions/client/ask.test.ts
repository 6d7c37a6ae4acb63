import { describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { fakeRecord } from '../../testing/fake-session.ts';
import type { SocketMessage } from '../socket.ts';
import { type AskParts, askSession, requestSession } from './ask.ts';

const GONE = new ForewordError('session-gone', 'The session cannot be reached.');
const delivery = (proof: string): DeliveryRecord => ({ id: 'fw_1', proof }) as DeliveryRecord;

/** A host per list of replies; one that has said all of them dies. */
function hosts(...replies: (readonly SocketMessage[])[]) {
  const sent: SocketMessage[] = [];
  let ensured = 0;
  const parts: AskParts = {
    ensureHost: async () => {
      ensured += 1;
    },
    socketOf: ({ id }) => `/run/${id}/socket`,
    askSocket: async (socket, message, onReply) => {
      expect(socket).toBe('/run/s1/socket');
      sent.push(message);
      for (const reply of replies.shift() ?? []) if (onReply(reply)) return;
      throw GONE;
    },
  };
  return { parts, sent, ensured: () => ensured };
}

const record = fakeRecord({ socket: '/run/another/socket' });
const SEND = { record, message: { kind: 'send', text: 'hello' } };

describe('a text sent to a session', () => {
  test('is followed until its host says that it is done', async () => {
    const { parts, sent } = hosts([
      { kind: 'changed', delivery: delivery('placed') },
      { kind: 'done', delivery: delivery('submitted') },
    ]);
    const changes: string[] = [];
    const ended = await askSession(parts, SEND, ({ proof }) => void changes.push(proof));
    expect([ended.proof, changes]).toEqual(['submitted', ['placed']]);
    expect(sent).toEqual([{ kind: 'send', text: 'hello', id: expect.stringMatching(/^fw_[0-9a-f]{12}$/) }]);
  });

  test('goes to the next host under the same id when its host died without an reply', async () => {
    const { parts, sent, ensured } = hosts([], [{ kind: 'done', delivery: delivery('submitted') }]);
    await askSession(parts, SEND, () => undefined);
    expect([ensured(), sent.length]).toEqual([2, 2]);
    expect(sent[0]).toEqual(sent[1]);
  });

  test('is given up after three hosts that died', async () => {
    const { parts, ensured } = hosts([], [], [], []);
    await expect(askSession(parts, SEND, () => undefined)).rejects.toBe(GONE);
    expect(ensured()).toBe(3);
  });

  test('is not sent again when its host died after it replied: it is stored', async () => {
    const { parts, sent } = hosts([{ kind: 'changed', delivery: delivery('placed') }]);
    await expect(askSession(parts, SEND, () => undefined)).rejects.toMatchObject({
      code: 'session-gone',
      message: 'The host of s1 died; fw_1 was placed before that.',
      hint: 'The text is stored: foreword receipts shows what becomes of it. Do not send it again.',
    });
    expect(sent).toHaveLength(1);
  });

  test('that its host refuses is refused here with the same code and hint', async () => {
    const error = { code: 'conflict', message: '100 texts wait.', hint: 'Wait.' };
    const { parts } = hosts([{ kind: 'error', error }]);
    await expect(askSession(parts, SEND, () => undefined)).rejects.toMatchObject(error);
  });
});

test('any other request is done when its host says so, and carries no id', async () => {
  const { parts, sent } = hosts([{ kind: 'done' }]);
  await requestSession(parts, { record, message: { kind: 'stop' } });
  expect(sent).toEqual([{ kind: 'stop' }]);
});

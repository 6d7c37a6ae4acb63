import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ForewordError } from '../../kernel/errors.ts';
import { fakePlace, fakePrepared } from '../../testing/fake-session.ts';
import { errorOf, failedMessage, type HostMessage } from './messages.ts';
import { readHostRequest, withHostRequest, withoutHostRequest } from './request.ts';
import { connectStarter } from './starter.ts';

/** The channel of a process whose parent listens. */
class FakeChannel extends EventEmitter {
  connected = true;
  readonly sent: HostMessage[] = [];
  send(message: HostMessage, _handle: undefined, _options: undefined, done: () => void): boolean {
    this.sent.push(message);
    done();
    return true;
  }
}

describe('the request of a host', () => {
  const request = {
    kind: 'take-over',
    session: 's1',
    agent: 'mine',
    store: 'redis://:p@h',
  } as const;

  test('passes through the environment, and its own programs do not get it', () => {
    const env = withHostRequest({ PATH: '/bin' }, request);
    expect(readHostRequest(env)).toEqual(request);
    expect(withoutHostRequest(env)).toEqual({ PATH: '/bin' });
  });

  test('is absent in a process that a person started, and where it cannot be read', () => {
    expect(readHostRequest({})).toBeUndefined();
    expect(readHostRequest({ FOREWORD_HOST: 'yes' })).toBeUndefined();
  });
});

test('an error of the host reaches its starter with its code, hint and faults', () => {
  const faults = [{ where: 'config.yaml', line: 3, path: 'agents', message: 'Unknown key.' }];
  const error = new ForewordError('bad-config', 'It is wrong.', { hint: 'Fix it.', faults });
  const message = JSON.parse(JSON.stringify(failedMessage(error)));
  const { code, message: text, hint, faults: received } = errorOf(message.error);
  expect([code, text, hint, received]).toEqual(['bad-config', 'It is wrong.', 'Fix it.', faults]);
});

describe('the starter of a host', () => {
  test('sends the prepared session', async () => {
    const channel = new FakeChannel();
    const { agent: _, place: __, ...prepared } = fakePrepared(fakePlace('/run/s1'));
    const received = connectStarter(channel).receive();
    channel.emit('message', prepared);
    expect(await received).toEqual(prepared);
  });

  test('that goes away before it sends, or is gone already, sends nothing', async () => {
    const leaving = new FakeChannel();
    const received = connectStarter(leaving).receive();
    leaving.emit('disconnect');
    expect(await received).toBeUndefined();
    const gone = new FakeChannel();
    gone.connected = false;
    expect(await connectStarter(gone).receive()).toBeUndefined();
  });

  test('is sent nothing once it is gone', () => {
    const channel = new FakeChannel();
    const starter = connectStarter(channel);
    starter.send({ kind: 'hosted' });
    channel.connected = false;
    starter.send({ kind: 'hosted' });
    expect(channel.sent).toEqual([{ kind: 'hosted' }]);
    expect(starter.isConnected()).toBe(false);
  });
});

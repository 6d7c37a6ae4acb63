import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serveModel } from './program.ts';

test('it prints its address and each turn, obeys its input, and ends with it', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  const send = (command: unknown) =>
    input.write(`${typeof command === 'string' ? command : JSON.stringify(command)}\n`);
  const end = serveModel({ input, output });

  const { url } = await next();
  const ask = async (content: string, tools: unknown[] = [{ name: 'write' }]) => {
    const body = JSON.stringify({ tools, messages: [{ role: 'user', content }] });
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', body });
    return ((await response.json()) as { content?: { text: string }[] }).content?.[0]?.text;
  };

  // The answer to the last command says that those before it were obeyed.
  send({ next: [{ kind: 'text', text: 'one' }], standing: { kind: 'text', text: 'standing' }, requests: true });
  expect(await next()).toEqual({ requests: [] });
  expect(await ask('no tools', [])).toBe('done');
  expect(await ask('x'.repeat(100))).toBe('one');
  expect(await next()).toEqual({ number: 2, protocol: 'anthropic', text: 'x'.repeat(80) });
  expect(await ask('again')).toBe('standing');
  expect(await next()).toMatchObject({ number: 3, text: 'again' });

  send('not JSON');
  expect(await next()).toEqual({ error: expect.stringContaining('JSON') });
  send({ next: [{ kind: 'text', text: 'x' }, { kind: 'reply' }] });
  expect(await next()).toEqual({ error: expect.stringContaining('not a step') });
  send({ jump: true });
  expect(await next()).toEqual({ error: expect.stringContaining('jump') });
  send('');
  send({ requests: true });
  expect((await next()).requests.map((request: { number: number }) => request.number)).toEqual([1, 2, 3]);
  send({ reset: true, requests: true });
  expect(await next()).toEqual({ requests: [] });

  input.end();
  await end;
  await expect(ask('hello')).rejects.toThrow();
});

import { describe, expect, test } from 'vitest';
import { bestPrefix, keptPrefix, requestParts } from './kept-prefix.ts';
import type { ProtocolName } from './model/record.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const kept = (protocol: ProtocolName, one: unknown, other: unknown) =>
  keptPrefix(protocol, requestParts(protocol, one), requestParts(protocol, other));

describe('a service that stores what is marked', () => {
  const tools = [{ name: 'write' }, { name: 'read', ...MARK }];
  const system = [{ type: 'text', text: 'Be brief.', ...MARK }];
  const ask = (...content: unknown[]) => ({ role: 'user', content });
  const text = (said: string) => ({ type: 'text', text: said });
  const request = (...messages: unknown[]) => ({ model: 'm', tools, system, messages });

  test('a turn that only adds keeps all, and finds it where the earlier one was marked', () => {
    const before = request(ask({ ...text('hello'), ...MARK }));
    const after = request(ask(text('hello')), { role: 'assistant', content: 'hi' }, ask({ ...text('go on'), ...MARK }));
    const result = kept('anthropic', before, after);
    expect(result).toEqual({ kept: result.of, found: result.of, of: result.of });
    expect(result.of).toBeGreaterThan(0);
  });

  test('a text that comes in between the blocks breaks it there, whole blocks being compared', () => {
    const before = request(ask(text('one two'), { ...text('hello'), ...MARK }));
    const after = request(ask(text('one two three'), { ...text('hello'), ...MARK }));
    const result = kept('anthropic', before, after);
    expect(result.broken).toMatchObject({ place: 'conversation', part: 4 });
    const upToSystem = kept('anthropic', request(), request());
    expect(result.kept).toBe(upToSystem.of);
    expect(result.found).toBe(upToSystem.of);
  });

  test('what was not marked is unchanged, but not found', () => {
    const before = request(ask(text('hello'), text('more')));
    const after = request(ask(text('hello'), text('more'), { ...text('last'), ...MARK }));
    const result = kept('anthropic', before, after);
    expect(result.kept).toBe(result.of);
    expect(result.found).toBe(kept('anthropic', request(), request()).of);
  });

  test('a mark is looked for at most 20 blocks back', () => {
    const before = request(ask({ ...text('hello'), ...MARK }));
    const further = (count: number) =>
      request(ask(text('hello')), ask(...Array.from({ length: count }, () => text('x')), { ...text('last'), ...MARK }));
    const whole = kept('anthropic', before, before).of;
    expect(kept('anthropic', before, further(18)).found).toBe(whole);
    expect(kept('anthropic', before, further(19)).found).toBeLessThan(whole);
    expect(kept('anthropic', before, further(19)).kept).toBe(whole);
  });

  test('a bare text is the same as a block of it', () => {
    const before = request({ role: 'user', content: 'hello' });
    const after = request(ask({ ...text('hello'), ...MARK }));
    expect(kept('anthropic', before, after).broken).toBeUndefined();
  });

  test('a block for the service alone is not compared', () => {
    const billed = (word: string) => ({
      ...request(ask(text('hello'))),
      system: [text(`x-anthropic-billing-header: cc_version=${word};`), ...system],
    });
    expect(kept('anthropic', billed('a'), billed('b')).broken).toBeUndefined();
    expect(kept('anthropic', billed('a'), request(ask(text('hello')))).broken).toBeUndefined();
  });

  test('another tool breaks everything behind it', () => {
    const other = { ...request(ask(text('hello'))), tools: [{ name: 'write' }, { name: 'look' }] };
    const result = kept('anthropic', request(ask(text('hello'))), other);
    expect(result.broken).toMatchObject({ place: 'tools', part: 2 });
  });

  test('another model has nothing of it', () => {
    const result = kept('anthropic', request(ask(text('hello'))), { ...request(ask(text('hello'))), model: 'n' });
    expect(result).toMatchObject({ kept: 0, found: 0, broken: { place: 'model' } });
  });
});

describe.each(['chat', 'responses', 'google'] as const)('a service that stores by itself: %s', (protocol) => {
  const NAMES = { chat: 'messages', responses: 'input', google: 'contents' } as const;
  const request = (...said: string[]) => ({
    model: 'm',
    tools: [{ name: 'write' }],
    instructions: 'Be brief.',
    [NAMES[protocol]]: said.map((content) => ({ role: 'user', content })),
  });

  test('a turn that only adds keeps all', () => {
    const result = kept(protocol, request('hello'), request('hello', 'go on'));
    expect(result).toEqual({ kept: result.of, found: result.of, of: result.of });
  });

  test('a change is counted to the character', () => {
    const result = kept(protocol, request('hello', 'one two'), request('hello', 'one three'));
    const first = kept(protocol, request('hello'), request('hello')).of;
    const begin = '{"role":"user","content":"one t'.length;
    expect(result).toMatchObject({ kept: first + begin, found: first + begin, broken: { character: begin } });
  });

  test('a message that is gone breaks it at its place', () => {
    expect(kept(protocol, request('one', 'two'), request('two')).broken).toMatchObject({
      place: 'conversation',
      part: 3,
    });
    expect(kept(protocol, request('one', 'two'), request('one')).broken).toMatchObject({ part: 4, character: 0 });
  });

  test('another model has nothing of it', () => {
    expect(kept(protocol, request('one'), { ...request('one'), model: 'mm' })).toMatchObject({ kept: 0, found: 0 });
  });

  test('marks that no model reads are not compared', () => {
    const other = { ...request('one'), [NAMES[protocol]]: [{ role: 'user', content: 'one', refusal: null }] };
    expect(kept(protocol, request('one'), other).broken).toBeUndefined();
  });

  test('names of entries are not compared', () => {
    const named = (id: string) => ({ ...request(), [NAMES[protocol]]: [{ id, role: 'user', content: 'one' }] });
    expect(kept(protocol, named('msg_1'), named('msg_2')).broken).toBeUndefined();
  });

  test('the best of several earlier requests counts', () => {
    const parts = (...said: string[]) => requestParts(protocol, request(...said));
    const best = bestPrefix(
      protocol,
      [parts('one'), parts('one', 'two'), parts('other')],
      parts('one', 'two', 'three'),
    );
    expect(best).toMatchObject({ kept: best?.of });
    expect(bestPrefix(protocol, [], parts('one'))).toBeUndefined();
  });
});

test('whatever a body holds, nothing is thrown', () => {
  for (const body of [undefined, null, 'x', 3, [], { messages: 'x' }, { messages: [1, null], tools: {}, system: 5 }])
    for (const protocol of ['anthropic', 'chat', 'responses', 'google'] as const)
      expect(kept(protocol, body, body).broken).toBeUndefined();
});

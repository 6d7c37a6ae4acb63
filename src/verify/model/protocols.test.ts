// The same turns in all four protocols, asked as a client asks them and read as a client reads them.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GivenText } from './record.ts';
import { type Model, startModel } from './server.ts';

interface Said {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
}

/** How a client of one protocol speaks. `isStreamed` as the request says it. */
interface Client {
  readonly name: string;
  path(isStreamed: boolean): string;
  /** A turn with one tool, `write`, and these words of the user. */
  turn(prompt: string, isStreamed: boolean): object;
  whole(body: Any): Said;
  streamed(events: readonly Any[]): Said;
  /** A conversation in which a tool answered, with every kind of text there is. */
  readonly conversation: object;
  readonly conversationTexts: readonly GivenText[];
  /** The error's own words: the field that tells one kind from another, and the message. */
  errorOf(body: Any): [kind: unknown, message: unknown];
  readonly errors: Readonly<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is read as a client does, by the fields it knows.
type Any = any;

const CALLED = { name: 'write', input: { path: 'a.txt', list: [[1]] } };
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

const CLIENTS: readonly Client[] = [
  {
    name: 'anthropic',
    path: () => '/v1/messages?beta=true',
    turn: (prompt, stream) => ({
      ...{ model: 'm', max_tokens: 9, stream, tools: [{ name: 'write', input_schema: SCHEMA }] },
      ...{ system: 'Be brief.', messages: [{ role: 'user', content: prompt }] },
    }),
    whole: (body) => saidInBlocks(body.content),
    streamed: (events) => {
      const blocks: Any[] = [];
      for (const event of events) {
        if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' };
        if (event.delta?.type === 'text_delta') blocks[event.index].text += event.delta.text;
        if (event.delta?.type === 'input_json_delta') blocks[event.index].json += event.delta.partial_json;
        if (event.type === 'content_block_stop' && blocks[event.index].type === 'tool_use')
          blocks[event.index].input = JSON.parse(blocks[event.index].json);
      }
      expect(events[0].type).toBe('message_start');
      const reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
      expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: reason } });
      expect(events.at(-1)).toEqual({ type: 'message_stop' });
      return saidInBlocks(blocks);
    },
    conversation: {
      tools: [{ name: 'write' }],
      system: [{ type: 'text', text: 'instructions', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'attached' }, { type: 'image' }, { type: 'text', text: 'ask' }],
        },
        { role: 'system', content: 'from a hook' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'write', input: { path: 'a' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'result' }] }],
        },
      ],
    },
    conversationTexts: [
      { role: 'system', text: 'instructions' },
      { role: 'user', text: 'attached' },
      { role: 'user', text: 'ask' },
      { role: 'system', text: 'from a hook' },
      { role: 'assistant', text: '{"path":"a"}' },
      { role: 'tool', text: 'result' },
    ],
    errorOf: (body) => [body.error.type, body.error.message],
    errors: {
      '401': 'authentication_error',
      '403': 'permission_error',
      '429': 'rate_limit_error',
      '429 quota': 'rate_limit_error',
      '500': 'api_error',
      '529': 'overloaded_error',
    },
  },
  {
    name: 'responses',
    path: () => '/v1/responses',
    turn: (prompt, stream) => ({
      ...{ model: 'm', stream, tools: [{ type: 'function', name: 'write', parameters: SCHEMA }] },
      ...{ instructions: 'Be brief.', input: [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }] },
    }),
    whole: (body) => saidInItems(body.output),
    streamed: (events) => {
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
      expect(events[0].type).toBe('response.created');
      expect(events.at(-1).type).toBe('response.completed');
      const items = events.filter((event) => event.type === 'response.output_item.done').map((event) => event.item);
      const deltas = events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta);
      expect(events.at(-1).response.output).toEqual(items);
      const said = saidInItems(items);
      expect(deltas.join('')).toBe(said.text);
      return said;
    },
    conversation: {
      tools: [{ type: 'function', name: 'write' }],
      instructions: 'instructions',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'from a hook' }] },
        { role: 'user', content: 'ask' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'thought' }] },
        { type: 'function_call', call_id: 'c', name: 'write', arguments: '{"path":"a"}' },
        { type: 'function_call_output', call_id: 'c', output: 'result' },
        { type: 'custom_tool_call_output', call_id: 'd', output: [{ type: 'input_text', text: 'other result' }] },
      ],
    },
    conversationTexts: [
      { role: 'system', text: 'instructions' },
      { role: 'developer', text: 'from a hook' },
      { role: 'user', text: 'ask' },
      { role: 'assistant', text: 'thought' },
      { role: 'assistant', text: '{"path":"a"}' },
      { role: 'tool', text: 'result' },
      { role: 'tool', text: 'other result' },
    ],
    errorOf: (body) => [body.error.code, body.error.message],
    errors: openaiErrors(),
  },
  {
    name: 'chat',
    path: () => '/v1/chat/completions',
    turn: (prompt, stream) => ({
      ...{ model: 'm', stream, tools: [{ type: 'function', function: { name: 'write', parameters: SCHEMA } }] },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: prompt }] },
      ],
    }),
    whole: (body) => saidInMessage(body.choices[0].message),
    streamed: (events) => {
      const message: Any = { content: '', tool_calls: [] };
      for (const { choices } of events) {
        const { delta } = choices[0];
        message.content += delta.content ?? '';
        for (const call of delta.tool_calls ?? []) message.tool_calls[call.index] = call;
      }
      expect(events.at(-1).choices[0].finish_reason).toBe(message.tool_calls.length > 0 ? 'tool_calls' : 'stop');
      return saidInMessage(message);
    },
    conversation: {
      tools: [{ type: 'function', function: { name: 'write' } }],
      messages: [
        { role: 'system', content: 'instructions' },
        { role: 'developer', content: 'from a hook' },
        { role: 'user', content: [{ type: 'text', text: 'ask' }, { type: 'image_url' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', function: { name: 'write', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'result' },
      ],
    },
    conversationTexts: [
      { role: 'system', text: 'instructions' },
      { role: 'developer', text: 'from a hook' },
      { role: 'user', text: 'ask' },
      { role: 'assistant', text: '{"path":"a"}' },
      { role: 'tool', text: 'result' },
    ],
    errorOf: (body) => [body.error.code, body.error.message],
    errors: openaiErrors(),
  },
  {
    name: 'google',
    path: (isStreamed) =>
      `/v1beta/models/gemini-2.5-flash:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    turn: (prompt) => ({
      tools: [{ functionDeclarations: [{ name: 'write', parametersJsonSchema: SCHEMA }] }],
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
    }),
    whole: (body) => saidInParts(body.candidates[0].content.parts),
    streamed: (events) => {
      expect(events.map((event) => event.candidates[0].finishReason).filter(Boolean)).toEqual(['STOP']);
      return saidInParts(events.flatMap((event) => event.candidates[0].content.parts));
    },
    conversation: {
      tools: [{ functionDeclarations: [{ name: 'write' }] }],
      systemInstruction: { parts: [{ text: 'instructions' }] },
      contents: [
        { role: 'user', parts: [{ text: 'ask' }, { text: '<hook_context>from a hook</hook_context>' }] },
        { role: 'model', parts: [{ functionCall: { name: 'write', args: { path: 'a' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'write', response: { output: 'result' } } }] },
      ],
    },
    conversationTexts: [
      { role: 'system', text: 'instructions' },
      { role: 'user', text: 'ask' },
      { role: 'user', text: '<hook_context>from a hook</hook_context>' },
      { role: 'assistant', text: '{"path":"a"}' },
      { role: 'tool', text: 'result' },
    ],
    errorOf: (body) => [body.error.details?.[0]?.violations?.[0]?.quotaId ?? body.error.status, body.error.message],
    errors: {
      '401': 'UNAUTHENTICATED',
      '403': 'PERMISSION_DENIED',
      '429': 'RESOURCE_EXHAUSTED',
      '429 quota': 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
      '500': 'INTERNAL',
      '529': 'UNAVAILABLE',
    },
  },
];

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterEach(() => model.reset());
afterAll(() => model.close());

describe.each(CLIENTS)('$name', (client) => {
  const ask = (prompt: string, isStreamed: boolean) => post(client.path(isStreamed), client.turn(prompt, isStreamed));
  const say = async (prompt: string, isStreamed: boolean): Promise<Said> => {
    const response = await ask(prompt, isStreamed);
    expect(response.status).toBe(200);
    if (!isStreamed) return client.whole(await response.json());
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    return client.streamed(eventsIn(await response.text()));
  };

  test.each([true, false])('says a text (streamed: %s)', async (isStreamed) => {
    model.next({ kind: 'text', text: 'Schöne Grüße, "你好"\n\u2028🙂' });
    expect(await say('hello', isStreamed)).toEqual({ text: 'Schöne Grüße, "你好"\n\u2028🙂', calls: [] });
  });

  test.each([true, false])('calls several tools at once, after a word (streamed: %s)', async (isStreamed) => {
    model.next({ kind: 'call', text: 'First this.', calls: [CALLED, { name: 'read', input: {} }] });
    expect(await say('hello', isStreamed)).toEqual({
      text: 'First this.',
      calls: [CALLED, { name: 'read', input: {} }],
    });
  });

  test.each([true, false])('calls a tool without a word (streamed: %s)', async (isStreamed) => {
    expect(await say(`do it [[call write ${JSON.stringify(CALLED.input)}]]`, isStreamed)).toEqual({
      text: '',
      calls: [CALLED],
    });
  });

  test.each([true, false])('says the pieces of a stream in their order (streamed: %s)', async (isStreamed) => {
    model.next({ kind: 'stream', pieces: ['one ', '', 'two ', 'three'], delayMs: 1 });
    expect(await say('hello', isStreamed)).toEqual({ text: 'one two three', calls: [] });
  });

  test.each([true, false])('cuts the connection inside an answer (streamed: %s)', async (isStreamed) => {
    model.next({ kind: 'cut', pieces: ['one', 'two', 'three'], afterPieces: 2 });
    const response = await ask('hello', isStreamed);
    expect(response.status).toBe(200);
    let text = '';
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true });
    })();
    await expect(reading).rejects.toThrow();
    expect(isStreamed ? text.includes('two') && !text.includes('three') : text.length > 0).toBe(true);
    expect(model.requests()[0]?.aborted).toBeUndefined();
  });

  test('records every text with its role, and ends the turn of a tool by itself', async () => {
    const response = await post(client.path(false), client.conversation);
    expect(client.whole(await response.json())).toEqual({ text: 'Done.', calls: [] });
    expect(model.requests()).toMatchObject([
      {
        number: 1,
        protocol: client.name,
        isMain: true,
        tools: ['write'],
        status: 200,
        texts: client.conversationTexts,
      },
    ]);
    expect(model.requests()[0]?.body).toEqual(client.conversation);
  });

  test('shapes its errors as the service does', async () => {
    const kinds: Record<string, unknown> = {};
    for (const asked of Object.keys(client.errors)) {
      const [status, quota] = asked.split(' ');
      const response = await ask(`[[err ${asked}]]`, true);
      expect(response.status).toBe(Number(status));
      const [kind, message] = client.errorOf(await response.json());
      kinds[asked] = kind;
      expect(message).toMatch(quota === undefined ? /./ : /quota|usage limits/);
    }
    expect(kinds).toEqual(client.errors);
  });

  test('has the retry time, and the message of the script', async () => {
    model.next({ kind: 'error', status: 429, retryAfterSeconds: 7, message: 'Come back later.' });
    const response = await ask('hello', true);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(client.errorOf(await response.json())[1]).toBe('Come back later.');
  });

  test('refuses a body that is not JSON with its own error shape, and records it', async () => {
    const response = await fetch(model.url + client.path(false), { method: 'POST', body: '{"messages": [' });
    expect(response.status).toBe(400);
    expect(client.errorOf(await response.json())[1]).toContain('not valid JSON');
    expect(model.requests()).toMatchObject([
      { status: 400, isMain: false, problem: expect.stringContaining('not valid JSON') },
    ]);
  });
});

test('tokens are counted where a protocol has a way to ask', async () => {
  const anthropic = await post('/v1/messages/count_tokens', { messages: [{ role: 'user', content: 'x'.repeat(400) }] });
  expect(await anthropic.json()).toEqual({ input_tokens: 100 });
  const contents = [{ role: 'user', parts: [{ text: 'x'.repeat(400) }] }];
  for (const body of [{ contents }, { generateContentRequest: { contents } }])
    expect(await (await post('/v1beta/models/g:countTokens', body)).json()).toMatchObject({ totalTokens: 100 });
  expect(model.requests().map(({ isMain }) => isMain)).toEqual([false, false, false]);
});

test('chat sends the token counts in a last chunk on request', async () => {
  const body = { stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'x' }] };
  const text = await (await post('/v1/chat/completions', body)).text();
  expect(eventsIn(text).at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 1 } });
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('Gemini streams one JSON list when events are not asked for', async () => {
  model.next({ kind: 'stream', pieces: ['one ', 'two'], delayMs: 0 });
  const body = { tools: [{ functionDeclarations: [{ name: 'write' }] }], contents: [] };
  const answers: Any = await (await post('/v1beta/models/g:streamGenerateContent', body)).json();
  expect(saidInParts(answers.flatMap((answer: Any) => answer.candidates[0].content.parts)).text).toBe('one two');
});

test('Codex gets a call in the form of its tool: of a group, or free-form', async () => {
  const tools = [
    { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
    { type: 'custom', name: 'apply_patch' },
    { type: 'web_search' },
  ];
  model.next({
    kind: 'call',
    calls: [
      { name: 'agents.spawn', input: {} },
      { name: 'apply_patch', input: '*** Begin' },
    ],
  });
  const body: Any = await (await post('/v1/responses', { tools, input: 'go' })).json();
  expect(body.output).toMatchObject([
    { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: '{}' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
  ]);
  expect(model.requests()[0]?.tools).toEqual(['agents.spawn', 'apply_patch', 'web_search']);
});

test('a result without any text is still the result of a tool', async () => {
  const messages = [
    { role: 'user', content: 'do it [[call write {}]]' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'write', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
  ];
  const response = await post('/v1/messages', { tools: [{ name: 'write' }], messages });
  expect(saidInBlocks(((await response.json()) as Any).content)).toEqual({ text: 'Done.', calls: [] });
});

function post(path: string, body: unknown): Promise<Response> {
  return fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
}

function eventsIn(text: string): Any[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)));
}

function saidInBlocks(blocks: readonly Any[]): Said {
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text);
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name, input }));
  return { text: texts.join(''), calls };
}

function saidInItems(items: readonly Any[]): Said {
  const texts = items.flatMap(({ content }) => content ?? []).map(({ text }) => text);
  const calls = items.filter(({ type }) => type === 'function_call');
  return { text: texts.join(''), calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) })) };
}

function saidInMessage(message: Any): Said {
  const calls = (message.tool_calls ?? []).map((call: Any) => call.function);
  return {
    text: message.content ?? '',
    calls: calls.map((call: Any) => ({ name: call.name, input: JSON.parse(call.arguments) })),
  };
}

function saidInParts(parts: readonly Any[]): Said {
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    calls: calls.map(({ name, args }: Any) => ({ name, input: args })),
  };
}

function openaiErrors() {
  return {
    '401': 'invalid_api_key',
    '403': 'model_not_allowed',
    '429': 'rate_limit_exceeded',
    '429 quota': 'insufficient_quota',
    '500': null,
    '529': 'server_is_overloaded',
  };
}

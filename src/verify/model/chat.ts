// OpenAI Chat Completions: `POST /v1/chat/completions`, which most agents use with a custom server.

import { type Fields, fieldsOf, jsonOf, listOf, textOf } from './json.ts';
import { openaiError } from './openai-error.ts';
import { type Answer, event, type Frames, type Protocol, type Reading, usageOf } from './protocol.ts';
import { type GivenText, given, type MessageRole, resultOf } from './record.ts';

export const chat: Protocol = {
  name: 'chat',

  read(body) {
    const forced = forcedTool(body);
    const schema = schemaOf(body);
    return {
      texts: listOf(body.messages).flatMap(messageTexts),
      tools: declared(body).flatMap((tool) => textOf(tool.name) ?? []),
      ...(schema === undefined ? {} : { schema }),
      ...(forced === undefined ? {} : { forced }),
    };
  },

  whole(answer, reading) {
    const said = answer.pieces.join('');
    const message = {
      role: 'assistant',
      content: said === '' && answer.calls.length > 0 ? null : said,
      refusal: null,
      ...(answer.calls.length > 0 ? { tool_calls: toolCalls(answer) } : {}),
    };
    return {
      ...envelope(answer, reading, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
      usage: usage(answer, reading),
    };
  },

  frames(answer, reading): Frames {
    const chunk = (delta: Fields, finish: string | null = null) =>
      event({
        ...envelope(answer, reading, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      });
    const calls = toolCalls(answer).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }));
    // The token counts come in a chunk without choices, and only on request, as in the real service.
    const wantsUsage = fieldsOf(reading.body.stream_options).include_usage === true;
    const last = { ...envelope(answer, reading, 'chat.completion.chunk'), choices: [], usage: usage(answer, reading) };
    return {
      opening: chunk({ role: 'assistant', content: '' }),
      pieces: answer.pieces.map((content) => chunk({ content })),
      closing: `${calls.join('')}${chunk({}, finishReason(answer))}${wantsUsage ? event(last) : ''}data: [DONE]\n\n`,
    };
  },

  error: openaiError,
};

function envelope(answer: Answer, reading: Reading, object: string) {
  return {
    id: `chatcmpl-loopback-${answer.serial}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: reading.model,
    system_fingerprint: null,
  };
}

function toolCalls(answer: Answer) {
  return answer.calls.map((call, index) => ({
    id: `call_loopback_${answer.serial}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: jsonOf(call.input) },
  }));
}

function finishReason(answer: Answer): string {
  return answer.calls.length > 0 ? 'tool_calls' : 'stop';
}

function usage(answer: Answer, reading: Reading) {
  const { input, cached, output, thoughts = 0 } = usageOf(answer, reading);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}

function messageTexts(message: unknown): GivenText[] {
  const { role: named, content, tool_calls: calls } = fieldsOf(message);
  const role = roleOf(named);
  const said = listOf(calls).map((call): GivenText => {
    const called = fieldsOf(fieldsOf(call).function).arguments;
    return { role: 'assistant', text: textOf(called) ?? jsonOf(called) };
  });
  const parts = typeof content === 'string' ? [content] : listOf(content).map((part) => fieldsOf(part).text ?? part);
  return [...(role === 'tool' ? resultOf(parts) : given(role, parts)), ...said];
}

function roleOf(role: unknown): MessageRole {
  if (role === 'function') return 'tool';
  return role === 'system' || role === 'developer' || role === 'assistant' || role === 'tool' ? role : 'user';
}

/** `functions` is the older way to offer tools. */
function declared(body: Fields): readonly Fields[] {
  const tools = listOf(body.tools).map((tool) => fieldsOf(fieldsOf(tool).function ?? fieldsOf(tool).custom));
  return [...tools, ...listOf(body.functions).map(fieldsOf)];
}

function forcedTool(body: Fields): Reading['forced'] {
  const name = textOf(fieldsOf(fieldsOf(body.tool_choice).function).name);
  if (name === undefined) return undefined;
  return { name, schema: declared(body).find((tool) => tool.name === name)?.parameters };
}

function schemaOf(body: Fields): unknown {
  const format = fieldsOf(body.response_format);
  if (format.type === 'json_object') return {};
  return format.type === 'json_schema' ? (fieldsOf(format.json_schema).schema ?? {}) : undefined;
}

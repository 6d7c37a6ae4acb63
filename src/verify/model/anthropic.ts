// Anthropic Messages: `POST /v1/messages`. Claude Code 2.1.325 puts the context of hooks into entries of the role
// `system` among the messages, 2.1.197 into user blocks.

import { type Fields, fieldsOf, jsonOf, listOf, textOf, textsInside } from './json.ts';
import { type Answer, type ErrorAsked, event, type Frames, type Protocol, type Reading, usageOf } from './protocol.ts';
import { type GivenText, given, type MessageRole, resultOf } from './record.ts';

export const anthropic: Protocol = {
  name: 'anthropic',

  read(body) {
    const format = fieldsOf(fieldsOf(body.output_config).format ?? body.output_format);
    const forced = forcedTool(body);
    return {
      texts: [
        ...blockTexts(body.system, 'system'),
        ...listOf(body.messages).flatMap((message) => blockTexts(fieldsOf(message).content, roleOf(message))),
      ],
      tools: listOf(body.tools).flatMap((tool) => textOf(fieldsOf(tool).name) ?? []),
      ...(format.type === 'json_schema' ? { schema: format.schema } : {}),
      ...(forced === undefined ? {} : { forced }),
    };
  },

  whole(answer, reading) {
    const said = answer.pieces.join('');
    return {
      ...envelope(answer, reading),
      content: [
        ...(said === '' && answer.calls.length > 0 ? [] : [{ type: 'text', text: said }]),
        ...answer.calls.map((call, index) => ({
          type: 'tool_use',
          id: callId(answer, index),
          name: call.name,
          input: call.input,
        })),
      ],
      stop_reason: stopReason(answer),
      usage: { ...envelope(answer, reading).usage, output_tokens: usageOf(answer, reading).output },
    };
  },

  frames(answer, reading): Frames {
    const hasText = answer.pieces.length > 0 || answer.calls.length === 0;
    const calls = answer.calls.map((call, at) => {
      const index = at + (hasText ? 1 : 0);
      const block = { type: 'tool_use', id: callId(answer, at), name: call.name, input: {} };
      const delta = { type: 'input_json_delta', partial_json: jsonOf(call.input) };
      return (
        named({ type: 'content_block_start', index, content_block: block }) +
        named({ type: 'content_block_delta', index, delta }) +
        named({ type: 'content_block_stop', index })
      );
    });
    return {
      opening:
        named({ type: 'message_start', message: envelope(answer, reading) }) +
        (hasText ? named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) : '') +
        named({ type: 'ping' }),
      pieces: answer.pieces.map((text) =>
        named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      ),
      closing:
        (hasText ? named({ type: 'content_block_stop', index: 0 }) : '') +
        calls.join('') +
        named({
          type: 'message_delta',
          delta: { stop_reason: stopReason(answer), stop_sequence: null },
          usage: { output_tokens: usageOf(answer, reading).output },
        }) +
        named({ type: 'message_stop' }),
    };
  },

  error(asked) {
    const [type, message] = wordsFor(asked);
    return {
      type: 'error',
      error: { type, message: asked.message ?? message },
      request_id: 'req_loopback',
    };
  },

  count: (tokens) => ({ input_tokens: tokens }),
};

function named(data: Fields & { readonly type: string }): string {
  return event(data, data.type);
}

function envelope(answer: Answer, reading: Reading) {
  return {
    id: `msg_loopback_${answer.serial}`,
    type: 'message',
    role: 'assistant',
    model: reading.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(answer, reading), output_tokens: 1 },
  };
}

/** `input_tokens` has neither what was read from the cache nor what was written to it: a third of the rest is said to be. */
function inputUsage(answer: Answer, reading: Reading) {
  const { input, cached } = usageOf(answer, reading);
  const written = cached === 0 ? 0 : Math.floor((input - cached) / 3);
  return {
    input_tokens: input - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
  };
}

function stopReason(answer: Answer): string {
  return answer.calls.length > 0 ? 'tool_use' : 'end_turn';
}

function callId(answer: Answer, index: number): string {
  return `toolu_loopback_${answer.serial}_${index}`;
}

function roleOf(message: unknown): MessageRole {
  const { role } = fieldsOf(message);
  return role === 'assistant' || role === 'system' ? role : 'user';
}

function blockTexts(content: unknown, role: MessageRole): GivenText[] {
  if (typeof content === 'string') return [{ role, text: content }];
  return listOf(content).flatMap((block): GivenText[] => {
    const { type, text, content: inner, input, source, context, thinking } = fieldsOf(block);
    if (type === 'tool_result') return resultOf(resultTexts(inner));
    if (type === 'tool_use') return [{ role: 'assistant', text: jsonOf(input) }];
    return given(role, type === 'document' ? [fieldsOf(source).data, context] : [text, thinking]);
  });
}

function resultTexts(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((block) => {
    const { type, text } = fieldsOf(block);
    if (type === 'image') return [];
    return type === 'text' ? [text] : textsInside(block);
  });
}

function forcedTool(body: Fields): Reading['forced'] {
  const choice = fieldsOf(body.tool_choice);
  if (choice.type !== 'tool' || typeof choice.name !== 'string') return undefined;
  const tool = listOf(body.tools).find((entry) => fieldsOf(entry).name === choice.name);
  return { name: choice.name, schema: fieldsOf(tool).input_schema };
}

function wordsFor({ status, isQuota }: ErrorAsked): [type: string, message: string] {
  if (isQuota) {
    const message = 'You have reached your specified API usage limits. You will regain access at the next reset.';
    return [status === 429 ? 'rate_limit_error' : 'invalid_request_error', message];
  }
  if (status === 400) return ['invalid_request_error', 'The request is not valid.'];
  if (status === 401) return ['authentication_error', 'invalid x-api-key'];
  if (status === 403)
    return ['permission_error', 'Your API key does not have permission to use the specified resource.'];
  if (status === 404) return ['not_found_error', 'Not found'];
  if (status === 413) return ['request_too_large', 'Request exceeds the maximum size'];
  if (status === 429) return ['rate_limit_error', "This request would exceed your organization's rate limit."];
  if (status === 529) return ['overloaded_error', 'Overloaded'];
  return ['api_error', 'Internal server error'];
}

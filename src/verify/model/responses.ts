// OpenAI Responses: `POST /v1/responses`, which Codex uses. Seen with Codex 0.166.0: what hooks add arrives as
// messages of the role `developer`, and groups of tools as `namespace`.

import { type Fields, fieldsOf, jsonOf, listOf, textOf, textsInside } from './json.ts';
import { openaiError } from './openai-error.ts';
import { type Answer, event, type Frames, type Protocol, type Reading, type ToolCall, usageOf } from './protocol.ts';
import { type GivenText, given, type MessageRole, resultOf } from './record.ts';

export const responses: Protocol = {
  name: 'responses',

  read(body) {
    const format = fieldsOf(fieldsOf(body.text).format);
    const forced = forcedTool(body);
    return {
      texts: [...given('system', [body.instructions]), ...inputTexts(body.input)],
      tools: declared(body.tools).map(({ fullName }) => fullName),
      ...(format.type === 'json_schema' ? { schema: format.schema } : {}),
      ...(format.type === 'json_object' ? { schema: {} } : {}),
      ...(forced === undefined ? {} : { forced }),
    };
  },

  whole: (answer, reading) => completed(answer, reading),

  frames(answer, reading): Frames {
    let count = 0;
    const numbered = (data: Fields & { readonly type: string }) =>
      event({ ...data, sequence_number: count++ }, data.type);
    const items = outputItems(answer, reading);
    const message = items.find((item) => item.type === 'message');
    const started = { ...completed(answer, reading), status: 'in_progress', output: [], usage: null };
    const place = { item_id: message?.id, output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const opening =
      numbered({ type: 'response.created', response: started }) +
      numbered({ type: 'response.in_progress', response: started }) +
      (message === undefined
        ? ''
        : numbered({
            type: 'response.output_item.added',
            output_index: 0,
            item: { ...message, status: 'in_progress', content: [] },
          }) + numbered({ type: 'response.content_part.added', ...place, part }));
    const pieces = answer.pieces.map((delta) =>
      numbered({ type: 'response.output_text.delta', ...place, delta, logprobs: [] }),
    );
    let closing = '';
    if (message !== undefined) {
      const text = answer.pieces.join('');
      closing += numbered({ type: 'response.output_text.done', ...place, text, logprobs: [] });
      closing += numbered({ type: 'response.content_part.done', ...place, part: { ...part, text } });
      closing += numbered({ type: 'response.output_item.done', output_index: 0, item: message });
    }
    for (const [output_index, item] of items.entries()) {
      if (item === message) continue;
      closing += numbered({ type: 'response.output_item.added', output_index, item: { ...item, ...unfilled(item) } });
      closing += numbered({ type: 'response.output_item.done', output_index, item });
    }
    closing += numbered({ type: 'response.completed', response: completed(answer, reading) });
    return { opening, pieces, closing };
  },

  error: openaiError,
};

type Item = Fields & { readonly type: string; readonly id: string };

function completed(answer: Answer, reading: Reading) {
  const { input, cached, output, thoughts = 0 } = usageOf(answer, reading);
  return {
    id: `resp_loopback_${answer.serial}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: reading.model,
    output: outputItems(answer, reading),
    parallel_tool_calls: true,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: thoughts },
      total_tokens: input + output,
    },
  };
}

function outputItems(answer: Answer, reading: Reading): Item[] {
  const said = answer.pieces.join('');
  const message: Item = {
    id: `msg_loopback_${answer.serial}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: said, annotations: [], logprobs: [] }],
  };
  const calls = answer.calls.map((call, index) => callItem(call, `loopback_${answer.serial}_${index}`, reading));
  return answer.pieces.length > 0 || calls.length === 0 ? [message, ...calls] : calls;
}

function callItem(call: ToolCall, id: string, reading: Reading): Item {
  const tool = declared(reading.body.tools).find(({ fullName }) => fullName === call.name);
  const common = { id: `fc_${id}`, status: 'completed', call_id: `call_${id}`, name: tool?.name ?? call.name };
  if (tool?.type === 'custom')
    return { ...common, type: 'custom_tool_call', input: textOf(call.input) ?? jsonOf(call.input) };
  return {
    ...common,
    type: 'function_call',
    arguments: jsonOf(call.input),
    ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }),
  };
}

/** An item as it is announced, before its content is there. */
function unfilled(item: Item): Fields {
  return { status: 'in_progress', ...(item.type === 'custom_tool_call' ? { input: '' } : { arguments: '' }) };
}

interface Declared {
  /** `namespace.name` for a tool in a group. */
  readonly fullName: string;
  readonly name: string;
  readonly namespace?: string;
  readonly type: unknown;
  readonly schema: unknown;
}

/** A tool of the service itself has a type and no name (`web_search`). */
function declared(tools: unknown): Declared[] {
  return listOf(tools).flatMap((entry): Declared[] => {
    const { type, name, tools: inner, parameters } = fieldsOf(entry);
    const called = textOf(name) ?? textOf(type);
    if (called === undefined) return [];
    if (type !== 'namespace') return [{ fullName: called, name: called, type, schema: parameters }];
    return listOf(inner).flatMap((item): Declared[] => {
      const { type: kind, name: short, parameters: schema } = fieldsOf(item);
      if (typeof short !== 'string') return [];
      return [{ fullName: `${called}.${short}`, name: short, namespace: called, type: kind, schema }];
    });
  });
}

function forcedTool(body: Fields): Reading['forced'] {
  const choice = fieldsOf(body.tool_choice);
  const name = textOf(choice.name);
  if (name === undefined) return undefined;
  return { name, schema: declared(body.tools).find((tool) => tool.name === name)?.schema };
}

function inputTexts(input: unknown): GivenText[] {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  return listOf(input).flatMap((item) => itemTexts(fieldsOf(item)));
}

function itemTexts(item: Fields): GivenText[] {
  const type = textOf(item.type) ?? 'message';
  if (type === 'message') return given(roleOf(item.role), contentTexts(item.content));
  if (type.endsWith('_output')) return resultOf(outputTexts(item.output));
  if (type === 'reasoning') return given('assistant', contentTexts(item.summary));
  return given('assistant', [item.arguments, item.input, ...textsInside(item.action)]);
}

function contentTexts(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [content] : listOf(content).map((part) => fieldsOf(part).text);
}

function outputTexts(output: unknown): readonly unknown[] {
  return Array.isArray(output) ? contentTexts(output) : textsInside(output);
}

function roleOf(role: unknown): MessageRole {
  return role === 'system' || role === 'developer' || role === 'assistant' ? role : 'user';
}

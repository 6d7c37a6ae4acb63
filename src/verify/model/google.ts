// Google's generateContent: `POST /v1beta/models/MODEL:generateContent`, `:streamGenerateContent`, `:countTokens`. What
// hooks add arrives in parts of the user and inside the responses of functions (gemini-cli 0.61.0).

import { type Fields, fieldsOf, jsonOf, listOf, textOf, textsInside } from './json.ts';
import { type Answer, type ErrorAsked, event, type Frames, type Protocol, type Reading, usageOf } from './protocol.ts';
import { type GivenText, type MessageRole, resultOf } from './record.ts';

export const google: Protocol = {
  name: 'google',

  read(body) {
    // The SDK wraps what it counts once more.
    const asked = body.contents === undefined ? fieldsOf(body.generateContentRequest) : body;
    const config = fieldsOf(asked.generationConfig ?? asked.generation_config);
    const schema = config.responseJsonSchema ?? config.responseSchema;
    const isJson = config.responseMimeType === 'application/json';
    const forced = forcedTool(asked);
    return {
      texts: [
        ...contentTexts(asked.systemInstruction ?? asked.system_instruction, 'system'),
        ...contentsOf(asked.contents).flatMap((content) => contentTexts(content, roleOf(content))),
      ],
      tools: listOf(asked.tools).flatMap(toolNames),
      ...(schema !== undefined || isJson ? { schema: schema ?? {} } : {}),
      ...(forced === undefined ? {} : { forced }),
    };
  },

  whole: (answer, reading) => response(answer, reading, parts(answer, answer.pieces), true),

  frames(answer, reading): Frames {
    const chunk = (inside: readonly Fields[], isLast: boolean) => response(answer, reading, inside, isLast);
    const said = answer.pieces.map((text) => chunk([{ text }], false));
    const last = chunk(answer.calls.length > 0 ? parts(answer, []) : [{ text: '' }], true);
    if (reading.isEventStream) return { opening: '', pieces: said.map((data) => event(data)), closing: event(last) };
    // Without `alt=sse` the answer is one JSON list that grows.
    return { opening: '[', pieces: said.map((data) => `${jsonOf(data)},\n`), closing: `${jsonOf(last)}]` };
  },

  error(asked) {
    const [status, message] = wordsFor(asked);
    const details = detailsFor(asked);
    return {
      error: {
        code: asked.status,
        message: asked.message ?? message,
        status,
        ...(details.length > 0 ? { details } : {}),
      },
    };
  },

  count: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }),
};

function response(answer: Answer, reading: Reading, inside: readonly Fields[], isLast: boolean) {
  const { input, cached, output, thoughts = 0 } = usageOf(answer, reading);
  return {
    candidates: [{ content: { role: 'model', parts: inside }, ...(isLast ? { finishReason: 'STOP' } : {}), index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
      candidatesTokenCount: output - thoughts,
      ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
      totalTokenCount: input + output,
    },
    modelVersion: reading.model,
    responseId: `loopback-${answer.serial}`,
  };
}

function parts(answer: Answer, pieces: readonly string[]): Fields[] {
  const said = pieces.join('');
  return [
    ...(said === '' && answer.calls.length > 0 ? [] : [{ text: said }]),
    ...answer.calls.map((call, index) => ({
      functionCall: { id: `loopback-${answer.serial}-${index}`, name: call.name, args: call.input },
    })),
  ];
}

/** A single content may come without its list. */
function contentsOf(contents: unknown): readonly unknown[] {
  return Array.isArray(contents) ? contents : contents === undefined ? [] : [contents];
}

function contentTexts(content: unknown, role: MessageRole): GivenText[] {
  if (typeof content === 'string') return [{ role, text: content }];
  const inside = fieldsOf(content).parts;
  return (Array.isArray(inside) ? inside : [inside]).flatMap((part): GivenText[] => {
    if (typeof part === 'string') return [{ role, text: part }];
    const { text, functionCall, functionResponse } = fieldsOf(part);
    if (functionResponse !== undefined) {
      const answered = fieldsOf(functionResponse);
      return resultOf(textsInside([answered.response, answered.parts]));
    }
    if (functionCall !== undefined) return [{ role: 'assistant', text: jsonOf(fieldsOf(functionCall).args) }];
    return typeof text === 'string' ? [{ role, text }] : [];
  });
}

function roleOf(content: unknown): MessageRole {
  const { role } = fieldsOf(content);
  if (role === 'model') return 'assistant';
  return role === 'function' ? 'tool' : 'user';
}

function declarations(tool: unknown): readonly Fields[] {
  const { functionDeclarations, function_declarations: older } = fieldsOf(tool);
  return listOf(functionDeclarations ?? older).map(fieldsOf);
}

/** A tool of the service itself is a separate key (`googleSearch`). */
function toolNames(tool: unknown): string[] {
  const named = declarations(tool).flatMap(({ name }) => textOf(name) ?? []);
  return [...named, ...Object.keys(fieldsOf(tool)).filter((key) => !/^function_?declarations$/i.test(key))];
}

function forcedTool(body: Fields): Reading['forced'] {
  const config = fieldsOf(fieldsOf(body.toolConfig ?? body.tool_config).functionCallingConfig);
  const names = listOf(config.allowedFunctionNames);
  if (config.mode !== 'ANY' || names.length !== 1 || typeof names[0] !== 'string') return undefined;
  const found = listOf(body.tools)
    .flatMap(declarations)
    .find(({ name }) => name === names[0]);
  return { name: names[0], schema: found?.parametersJsonSchema ?? found?.parameters };
}

function wordsFor({ status, isQuota }: ErrorAsked): [status: string, message: string] {
  if (isQuota)
    return [
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details. Quota exceeded for the day.',
    ];
  if (status === 400 || status === 413) return ['INVALID_ARGUMENT', 'Request contains an invalid argument.'];
  if (status === 401) return ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'];
  if (status === 403) return ['PERMISSION_DENIED', 'The caller does not have permission.'];
  if (status === 404) return ['NOT_FOUND', 'Requested entity was not found.'];
  if (status === 429) return ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'];
  if (status === 503 || status === 529) return ['UNAVAILABLE', 'The model is overloaded. Please try again later.'];
  if (status === 504) return ['DEADLINE_EXCEEDED', 'The request timed out.'];
  return ['INTERNAL', 'An internal error has occurred.'];
}

/** A daily quota is named in the details; agents see by it that a retry is useless. */
function detailsFor({ isQuota, retryAfterSeconds, model }: ErrorAsked): Fields[] {
  const violation = {
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
    quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
    quotaDimensions: { location: 'global', model },
    quotaValue: '250',
  };
  const type = 'type.googleapis.com/google.rpc';
  return [
    ...(isQuota ? [{ '@type': `${type}.QuotaFailure`, violations: [violation] }] : []),
    ...(retryAfterSeconds === undefined ? [] : [{ '@type': `${type}.RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}

// Which protocol a path belongs to, and what the request wants. A base URL may be given with or without its `/v1`.

import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { google } from './google.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';

export interface ModelPath {
  readonly protocol: Protocol;
  readonly wants: 'answer' | 'count';
  /** Google has both in the path; the others have them in the body. */
  readonly model?: string;
  readonly isStreaming?: boolean;
  readonly isEventStream: boolean;
}

const PLACES: ReadonlyMap<string, Omit<ModelPath, 'isEventStream'>> = new Map([
  ['/messages', { protocol: anthropic, wants: 'answer' }],
  ['/messages/count_tokens', { protocol: anthropic, wants: 'count' }],
  ['/responses', { protocol: responses, wants: 'answer' }],
  ['/chat/completions', { protocol: chat, wants: 'answer' }],
]);

/** `undefined` for a path of no protocol. */
export function placeOf(url: URL): ModelPath | undefined {
  const place = PLACES.get(url.pathname.replace(/^\/v1\//, '/'));
  if (place !== undefined) return { ...place, isEventStream: true };
  const [, model, verb] = /^\/v1(?:beta|beta1|alpha)?\/models\/([^/]+):(\w+)$/.exec(url.pathname) ?? [];
  if (model === undefined) return undefined;
  const common = { protocol: google, model, isEventStream: url.searchParams.get('alt') === 'sse' } as const;
  if (verb === 'countTokens') return { ...common, wants: 'count', isStreaming: false };
  if (verb === 'generateContent') return { ...common, wants: 'answer', isStreaming: false };
  return verb === 'streamGenerateContent' ? { ...common, wants: 'answer', isStreaming: true } : undefined;
}

/** The name of our only model, for agents that list models. */
export const MODEL_NAME = 'loopback';

/** The list of models, in a shape for clients of OpenAI and Anthropic alike, or in Google's own. */
export function modelsAt(pathname: string): unknown {
  const entry = {
    id: MODEL_NAME,
    object: 'model',
    type: 'model',
    display_name: MODEL_NAME,
    created: 0,
    created_at: '1970-01-01T00:00:00Z',
    owned_by: 'foreword',
  };
  if (pathname === '/v1/models' || pathname === '/models')
    return { object: 'list', data: [entry], has_more: false, first_id: MODEL_NAME, last_id: MODEL_NAME };
  if (pathname === '/v1beta/models')
    return {
      models: [
        {
          name: `models/${MODEL_NAME}`,
          displayName: MODEL_NAME,
          inputTokenLimit: 1_000_000,
          outputTokenLimit: 64_000,
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        },
      ],
    };
  return undefined;
}

// The shape of an OpenAI error, the same for Responses and Chat Completions.

import type { ErrorAsked } from './protocol.ts';

export function openaiError(asked: ErrorAsked): unknown {
  const { type, code, message } = wordsFor(asked);
  return { error: { message: asked.message ?? message, type, param: null, code } };
}

function wordsFor({ status, isQuota, model }: ErrorAsked): { type: string; code: string | null; message: string } {
  if (isQuota) {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    return { type: 'insufficient_quota', code: 'insufficient_quota', message };
  }
  if (status === 401)
    return { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' };
  if (status === 403)
    return { type: 'invalid_request_error', code: 'model_not_allowed', message: `No access to the model ${model}.` };
  if (status === 404) return { type: 'invalid_request_error', code: 'unknown_url', message: 'Unknown request URL.' };
  if (status === 429)
    return { type: 'requests', code: 'rate_limit_exceeded', message: `Rate limit reached for ${model} on requests.` };
  if (status >= 400 && status < 500)
    return { type: 'invalid_request_error', code: null, message: 'The request is not valid.' };
  if (status === 503 || status === 529)
    return {
      type: 'server_error',
      code: 'server_is_overloaded',
      message: 'The server is overloaded. Try again later.',
    };
  return { type: 'server_error', code: null, message: 'The server had an error while processing your request.' };
}

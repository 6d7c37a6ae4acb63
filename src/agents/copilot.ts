// GitHub Copilot CLI. Seen: 1.0.102 (one-shot with the prompt on standard input, a failed login); the codes of errors
// in the schema of 1.0.60.

import type { Agent } from '../core/agent.ts';

export const copilot: Agent = {
  name: 'copilot',
  oneshot: {
    // --allow-all-tools is what it wants without a terminal; it trusts no folder, so hooks the repository brings stay off.
    command: ['copilot', '--output-format', 'json', '--allow-all-tools', '--no-ask-user'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'assistant.message' }, answer: 'data.content' },
        {
          when: { type: 'session.error', 'data.errorCode': '*' },
          error: { code: 'data.errorCode', message: 'data.message', isNotice: true },
        },
        {
          when: { type: 'session.error' },
          error: { code: 'data.errorType', message: 'data.message', status: 'data.statusCode' },
        },
        { when: { type: 'model.call_failure' }, error: { status: 'data.statusCode', isNotice: true } },
      ],
    },
    set: { COPILOT_AUTO_UPDATE: 'false' },
    firstOutputS: 90,
    // Five retries of a rate limit took 55 s; there is no setting for it.
    retryLine: '"type":"model.call_failure".*"statusCode":429',
  },
  env: [
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'GH_HOST',
    'COPILOT_HOME',
    'COPILOT_CACHE_HOME',
    'COPILOT_MODEL',
    'COPILOT_API_URL',
    'COPILOT_OFFLINE',
    'COPILOT_PROVIDER_BASE_URL',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_API_KEY_COMMAND',
    'COPILOT_PROVIDER_BEARER_TOKEN',
    'COPILOT_PROVIDER_TYPE',
    'COPILOT_PROVIDER_WIRE_API',
    'NODE_EXTRA_CA_CERTS',
  ],
  errors: [
    {
      class: 'quota',
      codes: ['quota', 'quota_exceeded', 'session_quota_exceeded', 'billing_not_configured'],
      text: 'run out of your (included )?ai credits|reached the spending limit|multiple github copilot licenses',
    },
    {
      class: 'rate_limit',
      codes: [
        'rate_limit',
        'user_weekly_rate_limited',
        'user_model_rate_limited',
        'user_global_rate_limited',
        'integration_rate_limited',
        'rate_limited',
      ],
      text: 'rate limit|last error: 429',
    },
    {
      class: 'auth',
      codes: ['authentication', 'authorization'],
      text: 'no authentication information found|authentication token validation failed|classic pat detected|authentication failed with provider',
    },
    { class: 'context', codes: ['context_limit'] },
    { class: 'overload', text: 'last error: 5[0-9][0-9]' },
  ],
};

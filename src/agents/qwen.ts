// Qwen Code. Seen: 0.24.4 (one-shot, failed login, rate limit).

import type { Agent } from '../core/agent.ts';

export const qwen: Agent = {
  name: 'qwen',
  oneshot: {
    // Tools that write need the mode that asks nothing; it has no flag that trusts a folder, and needs none.
    command: ['qwen', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'result', is_error: false }, answer: 'result' },
        { when: { type: 'result', is_error: true }, error: { message: 'error.message', code: 'subtype' } },
      ],
    },
    // Seven attempts at a rate limit take 77 s; maxRetries in its settings changed nothing. The variable that would make
    // it wait for ever is not handed on.
    set: { QWEN_CODE_NO_RELAUNCH: 'true' },
    firstOutputS: 90,
  },
  env: [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_MODEL',
    'DASHSCOPE_API_KEY',
    'BAILIAN_CODING_PLAN_API_KEY',
    'MODELSCOPE_API_KEY',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'QWEN_HOME',
    'QWEN_RUNTIME_DIR',
    'QWEN_MODEL',
    'NODE_EXTRA_CA_CERTS',
  ],
  errors: [
    { class: 'setup', text: 'no auth type is selected', exitCodes: [42, 44, 52] },
    // The words it adds to every 429 speak of "possible quota limitations"; a real one is named by the service.
    { class: 'quota', text: 'insufficient_quota|allocated quota exceeded|free allocated quota|daily quota' },
    { class: 'auth', text: 'api error: 40[13]\\b' },
    { class: 'rate_limit', text: 'api error: 429\\b|rate limit exceeded' },
    { class: 'overload', text: 'api error: 5[0-9][0-9]\\b' },
    // 53 and 55 are its own limits of turns and budget.
    { class: 'other', codes: ['error_max_turns'], exitCodes: [53, 55, 130] },
  ],
};

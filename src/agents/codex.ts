// Codex CLI. Seen: 0.166.0 (one-shot with the prompt on standard input, all error lines).

import type { Agent } from '../core/agent.ts';

export const codex: Agent = {
  name: 'codex',
  oneshot: {
    // The sandbox lets it write in the project's folder alone, and nothing is asked in exec. Outside a git repository,
    // and in one it does not know, it refuses to start without the check being skipped; that trusts nothing.
    command: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'item.completed', 'item.type': 'agent_message' }, answer: 'item.text' },
        { when: { type: 'turn.failed' }, error: { message: 'error.message' } },
        // "Reconnecting... 1/5" comes this way too, and the turn may still end well. An item of type error is a warning.
        { when: { type: 'error' }, error: { message: 'message', isNotice: true } },
      ],
    },
    // Retries are set per provider in its own file, not by a flag. 429 is not retried; an overload takes 25 s.
    firstOutputS: 60,
  },
  env: [
    'OPENAI_API_KEY',
    'CODEX_API_KEY',
    'CODEX_HOME',
    'OPENAI_BASE_URL',
    'OPENAI_ORGANIZATION',
    'OPENAI_PROJECT',
    'AZURE_OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'MISTRAL_API_KEY',
    'CODEX_CA_CERTIFICATE',
    'SSL_CERT_FILE',
  ],
  errors: [
    { class: 'setup', text: 'not inside a trusted directory|no prompt provided' },
    {
      class: 'quota',
      text: 'hit your usage limit|workspace is out of credits|hit your spend cap|quota exceeded. check your plan|upgrade to plus|token budget exhausted',
    },
    {
      class: 'auth',
      text: 'access token could not be refreshed|session could not be refreshed|please log out and sign in again|not logged in|unexpected status 40[13] |missing environment variable: ',
    },
    { class: 'rate_limit', text: 'last status: 429|rate limit exceeded|unexpected status 429 ' },
    {
      class: 'overload',
      text: 'selected model is at capacity|currently experiencing high demand|flex capacity unavailable|unexpected status 5[0-9][0-9] ',
    },
    { class: 'context', text: 'ran out of room in the model.{1,3}s context window' },
    { class: 'network', text: 'stream disconnected before completion|connection failed:' },
  ],
};

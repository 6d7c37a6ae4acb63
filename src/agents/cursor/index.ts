// Cursor CLI. Not run by us: flags from its documentation and from reports on 2026.09.10; screens as others saw them.

import type { AgentFacts } from '../../kernel/agent.ts';
import { box } from './box.ts';

export const agent: AgentFacts = {
  oneshot: {
    // Without --trust it ends with "Workspace Trust Required" in every folder that nobody has trusted yet; --force
    // allows the commands that nothing denies.
    command: ['cursor-agent', '-p', '--output-format', 'stream-json', '--force', '--trust'],
    // By its documentation, changes are only proposed without --force.
    readOnly: ['cursor-agent', '-p', '--output-format', 'stream-json', '--trust'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'result', is_error: false }, answer: 'result' },
        // By its documentation it prints no result when it fails; a result with an error still counts as one.
        { when: { type: 'result', is_error: true }, error: { message: 'result', code: 'subtype' } },
      ],
    },
    firstOutputS: 90,
  },
  interactive: {
    command: ['cursor-agent'],
    screensFrom: 'documents',
    screens: [
      {
        state: 'asking',
        name: 'trust folder',
        text: 'Workspace Trust Required|Do you trust the contents of this directory',
        hasComposer: false,
      },
      { state: 'asking', name: 'approval', bottom: '^\\s*(→|▶) .*\\((y|once)\\)|Reject \\(|Run this command\\?' },
      { state: 'asking', name: 'login', text: 'Press any key to (log|sign) in|Not logged in', hasComposer: false },
      { state: 'asking', name: 'menu', bottom: 'Use arrow keys to navigate' },
      { state: 'busy', bottom: 'ctrl\\+c to stop' },
      { state: 'busy', bottom: '^ [\\x{2800}-\\x{28FF}]+ (Working|Generating|Thinking|Running|Reading)' },
      { state: 'starting', text: '^\\s*Cursor Agent$', hasComposer: false },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      // Its cursor is hidden and below everything, and with 256 colours the box has no edges.
      line: '^ {2}→(?: (.*))?$',
      more: '^ {4}(\\S.*)$',
      ghost: '(?:Plan, search, build anything|Add a follow-up)(?: +ctrl\\+c to stop)?',
    },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    ladder: ['hook', 'typed', 'file', 'notice'],
  },
  env: ['CURSOR_API_KEY', 'CURSOR_AUTH_TOKEN', 'CURSOR_API_ENDPOINT', 'CURSOR_CONFIG_DIR', 'NODE_EXTRA_CA_CERTS'],
  box,
  localFiles: ['.claude/settings.local.json'],
  errors: [
    { class: 'setup', text: 'workspace trust required' },
    {
      class: 'quota',
      text: 'hit your usage limit|spendlimithit|usage limits will reset when|hit your free requests limit',
    },
    { class: 'auth', text: 'not logged in|authentication required|cursor_api_key|invalid api key' },
    { class: 'rate_limit', text: 'resource_exhausted' },
  ],
  notes: ['It does not call the prompt hook when it runs without a terminal.'],
};

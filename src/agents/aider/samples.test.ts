// What it printed, or prints by its own source, and what that means.

import { checkSamples } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const says = (text: string) =>
  `Aider v0.86.3\nModel: x\n\n${text}\n\nTokens: 2.1k sent, 13 received. Cost: $0.01 message.\nApplied edit to a.ts\n`;
const failed = (...lines: string[]) => `Aider v0.86.3\nModel: x\n\n${lines.join('\n')}\n`;

checkSamples(agent, [
  { what: 'answer', stdout: says('Done.'), is: { answer: says('Done.').trim() } },
  {
    what: 'talk that quotes its own messages',
    stdout: says('The API provider has rate limited you. Try again later or check your quotas.'),
    is: { answer: says('The API provider has rate limited you. Try again later or check your quotas.').trim() },
  },
  {
    what: 'rate limit with a good end',
    stdout: failed(
      'litellm.RateLimitError: RateLimitError: x',
      'The API provider has rate limited you. Try again later or check your quotas.',
      'Retrying in 32.0 seconds...',
    ),
    is: 'rate_limit',
  },
  {
    what: 'login with a good end',
    stdout: failed('The API provider is not able to authenticate you. Check your API key.'),
    is: 'auth',
  },
  { what: 'credits', stdout: failed('Insufficient credits with the API provider.'), is: 'quota' },
  { what: 'overload', stdout: failed("The API provider's servers are down or overloaded."), is: 'overload' },
  {
    what: 'words of a version we do not know',
    stdout: failed('Everything is fine.'),
    is: { answer: failed('Everything is fine.').trim() },
  },
  { what: 'garbage', stdout: '\ufffd', is: { answer: '\ufffd' } },
]);

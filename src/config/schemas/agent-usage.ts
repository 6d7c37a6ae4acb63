// Where an agent names what it used, and what its tokens cost: part of the settings under `agents` (agents.ts). The same data as
// in kernel/usage-rules.ts.

import * as v from 'valibot';
import { conditions, place } from './agent-resume.ts';
import { listOf, oneOf } from './words.ts';

const places = listOf(place, 'a list of paths such as usage.input_tokens');

const usageRule = v.strictObject(
  {
    when: conditions,
    is: v.pipe(
      oneOf(['part', 'total', 'session']),
      v.description(
        'part: of one message, parts add up. total: of this run so far. session: the same with earlier runs of the session.',
      ),
    ),
    id: v.optional(v.pipe(place, v.description('Of parts with the same id the last one counts.'))),
    input: v.pipe(
      places,
      v.description(
        'Their numbers add up to all tokens read, cached ones included; with - before it, one is taken off.',
      ),
    ),
    cached: v.optional(places),
    output: v.pipe(places, v.description('Thoughts included.')),
    costUsd: v.optional(v.pipe(places, v.description('Only where it is in US dollars.'))),
  },
  'a map with when, is, input and output',
);

const limitRule = v.strictObject(
  {
    when: conditions,
    windows: place,
    used: place,
    resetsAt: v.optional(v.pipe(place, v.description('Seconds since 1970.'))),
    full: v.pipe(
      v.picklist([1, 100], '1 or 100'),
      v.description('What used is when everything is used up: 1 for shares, 100 for percents.'),
    ),
  },
  'a map with when, windows, used and full',
);

export const usageEntries = {
  usage: v.optional(v.pipe(listOf(usageRule, 'a list of rules'), v.description('Where it names the tokens it used.'))),
  limits: v.optional(
    v.pipe(
      listOf(limitRule, 'a list of rules'),
      v.description('Where it names how much of its usage limits is used up.'),
    ),
  ),
};

const usd = v.pipe(
  v.number('US dollars, 0 or more'),
  v.minValue(0, 'US dollars, 0 or more'),
  v.maxValue(1_000_000, 'US dollars, 0 or more'),
);
export const price = v.pipe(
  v.strictObject({ input: usd, cached: v.optional(usd), output: usd }, 'a map with input and output'),
  v.description(
    'US dollars for a million tokens: { input: 1.25, cached: 0.125, output: 10 }. Used where the agent names no cost itself.',
  ),
);

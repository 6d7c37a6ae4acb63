// Usage: tokens and cost of one run of an agent, from its own words. A part that it did not name is absent: unknown, never 0.
// A sum keeps how much of it is unknown, so that nobody takes a part for the whole.

export interface Usage {
  /** All tokens that the model read, cached ones included. */
  readonly input?: number;
  /** Those of `input` that came from the service's cache. */
  readonly cached?: number;
  readonly output?: number;
  /** US dollars. */
  readonly costUsd?: number;
  /** Who named the cost: the agent, or a price in the configuration. */
  readonly costBy?: 'agent' | 'price';
}

/** What several runs of agents used. A part that none of them named is absent. */
export interface UsageSum {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  readonly costUsd?: number;
  /** How many runs of agents this is the sum of. */
  readonly runs: number;
  /** Of those: how many named no tokens, and how many no cost. */
  readonly withoutTokens: number;
  readonly withoutCost: number;
}

/** `undefined` is a run of an agent that named nothing. */
export function addUsage(all: readonly (Usage | undefined)[]): UsageSum {
  const part = (name: 'input' | 'cached' | 'output' | 'costUsd') => {
    const known = all.flatMap((usage) => usage?.[name] ?? []);
    return known.length === 0 ? {} : { [name]: known.reduce((sum, each) => sum + each, 0) };
  };
  return {
    ...part('input'),
    ...part('cached'),
    ...part('output'),
    ...part('costUsd'),
    runs: all.length,
    withoutTokens: all.filter((usage) => tokensOf(usage) === undefined).length,
    withoutCost: all.filter((usage) => usage?.costUsd === undefined).length,
  };
}

/** Read and written together; `undefined` when neither is known. */
export function tokensOf(usage: Pick<Usage, 'input' | 'output'> | undefined): number | undefined {
  const { input, output } = usage ?? {};
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

/** For a person: `12,345 tokens in (8,000 cached), 678 out, $0.12`. Of a sum, what is missing in it: `… (unknown for 2 of 5 agent runs)`. */
export function usageText(usage: Usage | UsageSum | undefined): string {
  if (usage === undefined) return 'unknown';
  const { input, cached, output, costUsd } = usage;
  const fromCache = cached === undefined || cached === 0 ? '' : ` (${countText(cached)} cached)`;
  const tokens =
    tokensOf(usage) === undefined
      ? 'tokens unknown'
      : `${countText(input)} tokens in${fromCache}, ${countText(output)} out`;
  const isPart = 'runs' in usage;
  return [
    tokens + (isPart ? missing(usage.withoutTokens, usage.runs) : ''),
    costText(costUsd) + (isPart ? missing(usage.withoutCost, usage.runs) : ''),
  ].join(', ');
}

/** `$0.12`; small amounts with more digits, so that they do not read as nothing. */
export function costText(costUsd: number | undefined): string {
  if (costUsd === undefined) return 'cost unknown';
  if (costUsd > 0 && costUsd < 0.000001) return 'under $0.000001';
  return `$${costUsd.toFixed(costUsd === 0 || costUsd >= 0.1 ? 2 : costUsd >= 0.001 ? 4 : 6)}`;
}

function countText(count: number | undefined): string {
  return count === undefined ? 'unknown' : String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function missing(unknown: number, of: number): string {
  return unknown === 0 || unknown === of ? '' : ` (unknown for ${unknown} of ${of} agent runs)`;
}

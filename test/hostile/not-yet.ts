// Traps that succeed today, each in one scenario only, with what will close it. Empty is how it should be.

export type Scenario = 'the git directory is swapped';

const NOT_YET: Readonly<Record<Scenario, { readonly fault: RegExp; readonly until: string }>> = {
  // Git looks for `.git` by its path after we checked it. With a swap every few milliseconds about one run in ten with
  // --concurrency 2 registers its worktree in the neighbour.
  'the git directory is swapped': {
    fault: /^(new|changed): …\/victim\/\.git(\/worktrees(\/.*)?|: .*)$/,
    until: 'checkouts are made by a repository of our own',
  },
};

export function isNotYet(fault: string, scenario: Scenario | undefined): boolean {
  return scenario !== undefined && NOT_YET[scenario].fault.test(fault);
}

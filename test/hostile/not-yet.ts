// Traps that succeed today, each with what will close it. The list is to become empty.

const NOT_YET: readonly { readonly fault: RegExp; readonly until: string }[] = [
  { fault: /a shipped record/, until: 'state leaves the repository' },
  { fault: /was kept from its work/, until: 'state leaves the repository' },
  { fault: /--concurrency 2 --again: canary smudge|canary\/smudge/, until: 'checkouts run no filters' },
  { fault: /victim\/\.git(\/worktrees.*|: .*)$/, until: 'checkouts are made by a repository of our own' },
  {
    fault: /^foreword-hook .*canary program-|canary\/program-/,
    until: 'the hook script uses the programs of the system',
  },
  { fault: /canary planted-program$/, until: 'checkouts run no filters' },
];

export function isNotYet(fault: string): boolean {
  return NOT_YET.some((one) => one.fault.test(fault));
}

/** Lines that would hang. */
export const SKIPPED: readonly string[] = ['import pipe'];

/** Variants in which a line would hang: a checkout waits for what the repository configures. */
export const SKIPPED_VARIANTS: readonly string[] = ['the list of ignored files is a pipe'];

/** What an agent does to the store under a run that then waits for it. */
export const SKIPPED_DEEDS: readonly string[] = ['replaces .foreword by a link', 'deletes its folders'];

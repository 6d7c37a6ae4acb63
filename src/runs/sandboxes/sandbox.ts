// Sandbox: where commands run that a model wrote. Which one is used is decided by a self-test, never by a name.

import type { ProcessEnd } from '../../kernel/process.ts';

export interface SandboxedCommand {
  /** For `sh -c`, inside. */
  readonly command: string;
  /** The work tree; commands see a throw-away copy of it, and nothing they do reaches the original. */
  readonly workTree: string;
  readonly timeoutMs: number;
}

export interface Sandbox {
  /** `bubblewrap` or `unshare`, with its version and what it lacks: stored with each verdict. */
  readonly level: string;
  /** Runs the commands one after the other on the same copy, each with its own end. */
  run(commands: readonly SandboxedCommand[], signal?: AbortSignal): Promise<readonly ProcessEnd[]>;
}

/** Either a sandbox whose self-test passed, or why there is no sandbox and what would help. */
export type SandboxFinding =
  | { readonly kind: 'ready'; readonly sandbox: Sandbox }
  | { readonly kind: 'missing'; readonly reason: string; readonly hint: string };

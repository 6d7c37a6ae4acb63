// What `foreword start` was asked for, and where it prints.

import type { Proof } from '../../kernel/receipt.ts';
import type { StartRequest } from '../prepared.ts';

export interface SessionOptions extends Omit<StartRequest, 'isUnattended'> {
  readonly terminal: 'pty' | 'tmux';
  readonly isDetached: boolean;
  readonly wait: Proof | undefined;
  readonly isJson: boolean;
  readonly out: StartOutput;
}

export interface StartOutput {
  /** Standard error. */
  note(text: string): void;
  /** Standard output. */
  print(text: string): void;
  json(value: unknown): void;
}

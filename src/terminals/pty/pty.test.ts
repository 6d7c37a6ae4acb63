import { describe, test } from 'vitest';
import { terminalContract } from '../contract.ts';
import { openPty } from './pty.ts';

describe.concurrent('a PTY', () => {
  for (const { name, run } of terminalContract) test(name, () => run(openPty));
});

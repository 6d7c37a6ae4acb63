// The contract of a terminal: what a PTY, tmux and any terminal added later must do alike. Independent of a test runner:
//   for (const { name, run } of terminalContract) test(name, () => run(openATerminal));

import type { TerminalCase } from './contract/bench.ts';
import { lifeContract } from './contract/life.ts';
import { outputContract } from './contract/output.ts';
import { typingContract } from './contract/typing.ts';

export type { OpenTerminal, TerminalCase } from './contract/bench.ts';

export const terminalContract: readonly TerminalCase[] = [...lifeContract, ...outputContract, ...typingContract];

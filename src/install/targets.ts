// The agents that init knows. To add one: an entry in hook-targets.ts or other-targets.ts, and its line below.

import { claude, codex, copilot, crush, cursor, gemini, qwen } from './hook-targets.ts';
import { aider, amp, goose, opencode, pi } from './other-targets.ts';
import type { Target } from './target.ts';

export const TARGETS: readonly Target[] = [
  claude,
  codex,
  copilot,
  cursor,
  gemini,
  qwen,
  crush,
  opencode,
  pi,
  aider,
  goose,
  amp,
];

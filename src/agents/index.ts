// The agents we know. To add one: a file of data here, a line below, samples in samples.test.ts, and screens/.

import type { Agent } from '../kernel/agent.ts';
import { aider } from './aider.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { crush } from './crush.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

export const AGENTS: readonly Agent[] = [
  aider,
  amp,
  claude,
  codex,
  copilot,
  crush,
  cursor,
  gemini,
  goose,
  opencode,
  pi,
  qwen,
];

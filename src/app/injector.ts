// Joins the library's classes for programs that wrap agents themselves to the built-in agents, the screen and the clock.

import { AGENTS } from '../agents/index.ts';
import type { Terminal, TerminalSize } from '../kernel/terminal.ts';
import { type ContextInjectionConfig, SessionInjector } from '../sessions/injector.ts';
import type { WrappedAgent } from '../sessions/injector-agent.ts';
import { ReadinessDetector } from '../sessions/readiness-detector.ts';
import { memoryStores } from '../stores/memory.ts';
import { systemClock } from '../system/clock.ts';
import { openScreen } from '../terminals/screen/screen.ts';

const PARTS = { agents: AGENTS, openScreen, newStores: memoryStores, clock: systemClock };

/** Gets a startup context into an agent that runs in `terminal`, and emits how far it got. */
export class ContextInjector extends SessionInjector {
  constructor(terminal: Terminal, config: ContextInjectionConfig) {
    super(terminal, config, PARTS);
  }
}

/** Finds out from an agent's output when it can be given something. */
export class AgentReadinessDetector extends ReadinessDetector {
  constructor(agent: WrappedAgent, options?: { readonly size?: TerminalSize }) {
    super(agent, options, PARTS);
  }
}

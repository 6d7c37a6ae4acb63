// Its hooks are a plug-in of ours (plug-in.ts). What that adds stands in its transcript, seen with 0.87.1: a message of its own, or a part of the tool’s result.

import { type HookFacts, PLUG_IN_HOOKS } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = { ...PLUG_IN_HOOKS, shown: ['session-start', 'prompt', 'post-tool'] };

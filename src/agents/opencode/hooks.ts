// Its hooks are a plug-in of ours (plug-in.ts). What that adds stands in its transcript, seen with 1.18.33: a part of the message, or the end of the tool’s output, in its database.

import { type HookFacts, PLUG_IN_HOOKS } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = { ...PLUG_IN_HOOKS, shown: ['session-start', 'prompt', 'post-tool'] };

// Its hooks are a plug-in of ours (plug-in.ts).

import { type HookFacts, PLUG_IN_HOOKS } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = PLUG_IN_HOOKS;

// What is decided at every event but the use of a tool. In a file of its own, which the gate does not load. How to add an
// event: CONTRIBUTING.md, "Add a hook event".

import type { HookEvent } from '../kernel/hook-events.ts';
import type { HookCall, HookOutput } from './hook-call.ts';
import { prompt } from './prompt.ts';
import { settleRecords } from './records.ts';
import { preCompact, sessionStart } from './session-start.ts';
import { stop } from './stop.ts';
import { subagentStart } from './subagent-start.ts';

type Decision = (call: HookCall) => Promise<HookOutput | undefined>;

type OtherEvent = Exclude<HookEvent, 'pre-tool' | 'post-tool'>;

/** A line for each event. */
const DECISIONS: Readonly<Record<OtherEvent, Decision>> = {
  'session-start': sessionStart,
  prompt,
  'pre-compact': silent(preCompact),
  stop: silent(stop),
  'session-end': silent(stop),
  'subagent-start': subagentStart,
};

export async function decideOther(event: OtherEvent, call: HookCall): Promise<HookOutput | undefined> {
  await settleRecords(call);
  return DECISIONS[event](call);
}

/** Notes something down and prints nothing. */
function silent(work: (call: HookCall) => Promise<void>): Decision {
  return async (call) => {
    await work(call);
    return undefined;
  };
}

// The load gate: at the first use of a tool in a context, the agent is given the files it must know. Once per session,
// sub-agent and epoch; exactly one of several calls at the same moment.

import { existsSync } from 'node:fs';
import { type HookSettings, readHookSettings } from '../config/hook-settings.ts';
import { isInRun, rulesNote } from '../system/files/project-state.ts';
import { completeClaim, type HookClaim, takeClaim } from './claims.ts';
import { epochOf } from './epochs.ts';
import { idNotIn } from './fences.ts';
import { readGateFiles } from './gate-files.ts';
import { directiveText, type GateText, inlineText } from './gate-text.ts';
import { entryBase, type HookCall, type HookOutput } from './hook-call.ts';
import { gateFolder } from './state.ts';

/** As foreword-hook.sh has it. */
export function gateClaims({ state, name, folder }: Pick<HookCall, 'state' | 'name' | 'folder'>): string {
  return gateFolder(state.places, name, epochOf(folder));
}

/** The note that a marker could not be written has to fit too. */
const NOTE_CHARS = 300;
/** A gate that fails again and again is given up, so that it does not cost every tool call its time. */
const MOST_TRIES = 3;

/** `claimed` is the claim that foreword-hook made. */
export async function gate(call: HookCall, claimed: HookClaim | undefined): Promise<HookOutput | undefined> {
  const { ports, root, state } = call;
  if (root === undefined) return undefined;
  const claim =
    claimed ??
    (state.kind === 'open'
      ? takeClaim(gateClaims(call), ports.now())
      : ({ kind: 'unwritable', why: state.why } as const));
  if (claim.kind === 'held') return undefined;
  try {
    if (isInPrompt(call)) {
      completeClaim(claim);
      return undefined;
    }
    const output = await compose(call, root, claim);
    if (output !== undefined) return output;
    completeClaim(claim);
    return undefined;
  } catch (error) {
    if (claim.kind === 'mine' && claim.number + 1 >= MOST_TRIES) completeClaim(claim);
    throw error;
  }
}

/** The prompt of a run has the rules already. A sub-agent did not see it, and after a compaction it may be gone. */
function isInPrompt({ env, subagent, folder }: HookCall): boolean {
  return isInRun(env) && subagent === undefined && epochOf(folder) === 0 && existsSync(rulesNote(env.FOREWORD_STATE));
}

async function compose(call: HookCall, root: string, claim: HookClaim): Promise<HookOutput | undefined> {
  const { ports, dialect, note } = call;
  const settings = await readHookSettings(root, call.env);
  for (const fault of settings.faults) note(fault);
  if (settings.mode === 'off') return undefined;
  const redact = ports.redactor(settings.secretVariables);
  const content = readGateFiles({ root, cwd: call.cwd }, settings, redact);
  const { files, refused } = content;
  for (const { path, reason } of refused) note(`not shown: ${path}: ${reason}`);
  if (files.length + refused.length === 0) return undefined;
  const id = idNotIn([...files, ...refused].flatMap(Object.values).map(String), () => ports.newId());
  const unwritable = claim.kind === 'unwritable' ? claim.why : undefined;
  const room = Math.min(settings.budgetChars, dialect.maxChars) - (unwritable === undefined ? 0 : NOTE_CHARS);
  const render = settings.mode === 'inline' ? inlineText : directiveText;
  const rendered = withinBytes((budget) => render(content, id, budget), Math.max(500, room), dialect.maxBytes);
  if (unwritable !== undefined) note(`the marker could not be written, so the gate prints every time: ${unwritable}`);
  return {
    id,
    what: 'gate',
    claim,
    text: unwritable === undefined ? rendered.text : `${rendered.text}\n\n${everyTime(unwritable)}`,
    entry: {
      ...entryBase(call),
      kind: 'gate-spoken',
      context: id,
      mode: settings.mode,
      chars: rendered.text.length,
      files: files.map((file) => file.name),
      whole: rendered.whole,
      cut: rendered.cut,
      isSubagent: call.subagent !== undefined,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}

function everyTime(why: string): string {
  const reason = why.length > 150 ? `${why.slice(0, 147).toWellFormed()}...` : why;
  return `(foreword could not note down that this was said, so it is said at every tool use: ${reason} The person can run: foreword doctor)`;
}

/** Some agents count bytes, and a character may be four of them. */
function withinBytes(render: (budget: number) => GateText, budget: number, maxBytes: number): GateText {
  let room = budget;
  let rendered = render(room);
  for (let tries = 0; tries < 5; tries += 1) {
    const bytes = Buffer.byteLength(rendered.text);
    if (bytes <= maxBytes) break;
    room = Math.max(500, Math.floor((room * maxBytes) / bytes) - 50);
    rendered = render(room);
  }
  return rendered;
}

/** The paths that a transcript is searched for. */
export function gatePaths(settings: HookSettings): readonly string[] {
  return settings.mode === 'off' ? [] : settings.files;
}

// The prompt for a session that has the whole prompt of this task already: only what changed since, one part for each of header,
// template and history. The hand-over goes before it. Pure; `shown` is stored with the task and read back from there, where
// others may write, so anything but what is expected counts as not shown.

import type { Redactor } from '../kernel/redact.ts';
import { asciiJson, safeText } from '../kernel/safe-text.ts';
import type { Finding } from '../kernel/verdict.ts';
import type { Header } from './header.ts';
import { headerDelta, type ShownHeader, shownOf } from './header-delta.ts';
import { findingList, type MinimalState } from './prompt.ts';
import { READ_ONLY_TITLE, RESUMED_HISTORY, RESUMED_LINE } from './texts/resumed-texts.ts';
import { FINDINGS_TITLE } from './texts/review-texts.ts';

/** What a session was shown of the project with its last prompt. */
export interface ShownPrompt {
  readonly header: ShownHeader;
  /** The rendered template. */
  readonly lead: string;
  /** Finished tasks, each as JSON, and the blocked ones. */
  readonly finished: readonly string[];
  readonly blocked: string;
}

export interface PromptNow {
  readonly header: Header;
  /** The header is a part of its own, not in the template. */
  readonly hasHeader: boolean;
  readonly lead: string;
  /** Of a review of the last attempt: new by nature. */
  readonly findings: readonly Finding[];
  readonly state: MinimalState;
}

/** More than any header has. */
const MAX_HEADER_CHARS = 20_000;

export function shownPrompt({ header, lead, state }: PromptNow): ShownPrompt {
  return {
    header: shownOf(header),
    lead,
    finished: state.recent_history.map((task) => JSON.stringify(task)),
    blocked: blockedIn(state),
  };
}

/** Not empty: it begins with a line that names what stays as it was. */
export function composeResumed(
  now: PromptNow,
  stored: unknown,
  { redact, render }: { readonly redact: Redactor; readonly render: (part: Partial<Header>) => string },
): string {
  const before = readShown(stored);
  const header = now.hasHeader
    ? headerDelta(now.header, before.header, { maxChars: MAX_HEADER_CHARS, render }).text
    : '';
  const findings = now.findings.length === 0 ? '' : `## ${FINDINGS_TITLE}\n${findingList(now.findings)}`;
  const lead = now.lead === before.lead ? '' : now.lead;
  const parts = [RESUMED_LINE, header, lead, findings, historyPart(now.state, before)];
  return parts
    .map((part) => safeText(redact(part)).replace(/^\n+/, '').trimEnd())
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

/** New entries of the finished tasks, and the blocked ones when they changed. */
function historyPart(state: MinimalState, before: ShownPrompt): string {
  const finished = state.recent_history.filter((task) => !before.finished.includes(JSON.stringify(task)));
  const isBlockedSame = blockedIn(state) === before.blocked;
  if (finished.length === 0 && isBlockedSame) return '';
  const { active_blockers, more_blockers } = state;
  const changed = {
    ...(finished.length === 0 ? {} : { recent_history: finished }),
    ...(isBlockedSame ? {} : { active_blockers, ...(more_blockers === undefined ? {} : { more_blockers }) }),
  };
  return `## ${READ_ONLY_TITLE}\n${RESUMED_HISTORY}\n${asciiJson(changed, 2)}`;
}

function blockedIn({ active_blockers, more_blockers }: MinimalState): string {
  return JSON.stringify([active_blockers, more_blockers ?? 0]);
}

function readShown(stored: unknown): ShownPrompt {
  const { header, lead, finished, blocked } = mapOf(stored);
  const sections = Object.entries(mapOf(header)).map(([name, items]) => [name, textsOf(items)]);
  return {
    header: Object.fromEntries(sections),
    lead: typeof lead === 'string' ? lead : '',
    finished: textsOf(finished),
    blocked: typeof blocked === 'string' ? blocked : '',
  };
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

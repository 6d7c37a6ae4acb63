// The message of a task's commit: the intent as its subject, the result as its body, and trailers by which the task is found
// again. Intent, result and ids come from people and agents, and none of them can add a trailer or a second subject: trailers
// are the last paragraph, which is always ours, and values are one line.

export interface CommitParts {
  readonly task: string;
  readonly intent: string;
  /** What was done, by the agent's own words; may be empty. */
  readonly result: string;
  readonly agent: string;
  readonly attempts: number;
  /** The agent that reviewed and approved it. */
  readonly reviewer?: string | undefined;
  /** A person accepted it, whatever its checks said. */
  readonly isAccepted?: boolean;
}

/** What tools show in one line without cutting it; a longer intent is in the body as a whole. */
const SUBJECT = 100;
/** A result is a note for the reader of a log, not a transcript. */
const BODY = 4_000;
/** Line feeds of every kind, escape sequences, and marks that reorder what is shown. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function commitMessage(parts: CommitParts): string {
  const intent = subjectOf(parts);
  const isLong = [...intent].length > SUBJECT;
  const subject = isLong ? `${[...intent].slice(0, SUBJECT - 1).join('')}…` : intent;
  const trailers = [
    `Foreword-Task: ${encoded(parts.task)}`,
    `Foreword-Agent: ${encoded(parts.agent)}`,
    `Foreword-Attempts: ${parts.attempts}`,
    ...(parts.reviewer === undefined ? [] : [`Foreword-Reviewer: ${encoded(parts.reviewer)}`]),
    ...(parts.isAccepted === true ? ['Foreword-By: person'] : []),
  ];
  const body = bodyOf(withoutReport(parts.result));
  const paragraphs = [subject, ...(isLong ? [intent] : []), ...(body === '' ? [] : [body]), trailers.join('\n')];
  return `${paragraphs.join('\n\n')}\n`;
}

/** The message of the commit that takes `commit` back. It has no task: `taskOf` finds commits that hold a task's work. */
export function revertMessage(of: { readonly commit: string } & Pick<CommitParts, 'task' | 'intent'>): string {
  const { commit } = of;
  const quoted = [...subjectOf(of)].slice(0, SUBJECT - 'Revert ""'.length).join('');
  return `Revert "${quoted}"\n\nThis reverts commit ${commit}.\n\n${REVERTS}: ${commit}\n`;
}

const REVERTS = 'Foreword-Reverts';

/** The task that a commit says it is for; `undefined` when it has no such trailer. */
export function taskOf(message: string): string | undefined {
  const value = trailer(message, 'Foreword-Task');
  return value === undefined ? undefined : decoded(value);
}

/** The commit of `log` (newest first) that holds the work of a task; `undefined` when there is none, or it was taken back. */
export function commitOfTask<C extends { readonly id: string; readonly message: string }>(
  log: readonly C[],
  task: string,
): C | undefined {
  const reverted = new Set(log.map(({ message }) => trailer(message, REVERTS)));
  return log.find(({ id, message }) => taskOf(message) === task && !reverted.has(id));
}

/** The newest commit of `log` that takes `commit` back. */
export function revertOf<C extends { readonly message: string }>(log: readonly C[], commit: string): C | undefined {
  return log.find(({ message }) => trailer(message, REVERTS) === commit);
}

function trailer(message: string, name: string): string | undefined {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  // The subject is no trailer.
  if (paragraphs.length < 2) return undefined;
  const line = paragraphs
    .at(-1)
    ?.split('\n')
    .find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2).trim();
}

function subjectOf({ intent, task }: Pick<CommitParts, 'task' | 'intent'>): string {
  return oneLine(intent) || `Task ${oneLine(task)}`;
}

function oneLine(text: string): string {
  return text.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
}

function bodyOf(text: string): string {
  const lines = text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', '    ').replace(CONTROL, '').trimEnd())
    // Git takes a line of dashes for the end of a message when it is sent as a patch.
    .map((line) => (line.startsWith('---') ? ` ${line}` : line));
  const body = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '');
  const chars = [...body];
  return chars.length > BODY ? `${chars.slice(0, BODY).join('').trimEnd()}\n…` : body;
}

const FENCE = /\n?```(?:json)?[ \t]*$/;
const MOST_REPORT = 20_000;

/** The prompt asks agents to end with a block of JSON, which is for us; in a log it is noise. Its summary stands in when there is
 *  nothing else. */
function withoutReport(answer: string): string {
  const text = answer.trimEnd().replace(FENCE, '').trimEnd();
  if (!text.endsWith('}')) return answer;
  const tail = Math.max(0, text.length - MOST_REPORT);
  for (let at = text.length; at > tail; ) {
    at = text.lastIndexOf('{', at - 1);
    if (at < tail || at === -1) return answer;
    if (at > 0 && text[at - 1] !== '\n') continue;
    const report = reportIn(text.slice(at));
    if (report === undefined) continue;
    const prose = text.slice(0, at).trimEnd().replace(FENCE, '').trimEnd();
    return prose === '' ? report.summary : prose;
  }
  return answer;
}

function reportIn(text: string): { readonly summary: string } | undefined {
  try {
    const { status, summary } = JSON.parse(text) as { readonly status?: unknown; readonly summary?: unknown };
    return typeof status === 'string' ? { summary: typeof summary === 'string' ? summary : '' } : undefined;
  } catch {
    return undefined;
  }
}

/** An id may hold anything, and must be found again exactly. Ordinary ids stay as they are. */
function encoded(value: string): string {
  return value
    .toWellFormed()
    .replace(/%|^\s|\s$/g, (char) => encodeURIComponent(char))
    .replace(CONTROL, (char) => encodeURIComponent(char));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Written by somebody else.
    return value;
  }
}

// What the next agent of a live session is given first, why it was switched and where the work stands; and what an agent is told
// that gets the terminal back. Pure. The person's last prompt is in neither: that is put into the composer, so that the model gets
// it once.

import { buildCircuitBreakerContext } from '../../context/handover/handover.ts';
import { cleanValue, renderBlock } from '../../context/handover/handover-block.ts';
import { oneLine } from '../../kernel/safe-text.ts';

export interface SwitchFacts {
  readonly from: string;
  /** The limit that the agent hit; absent when the person just wants another one. */
  readonly limit?: string | undefined;
  /** What the session did so far, line by line. */
  readonly work: readonly string[];
  /** The lines of it that the agent was told before. */
  readonly told?: readonly string[];
}

const MOST_CHARS = 2048;
const MOST_LINE = 300;
const MOST_NAME = 40;

export function handOverText({ from, limit, work }: SwitchFacts): string {
  const block =
    limit === undefined
      ? switchedBlock(from)
      : buildCircuitBreakerContext({ failedProvider: from, failureReason: limit }).trimEnd();
  return withWork(block, { from, work });
}

/** For an agent that waited while the other one worked. `undefined` when nothing is known of what the other one did. */
export function meanwhileText(
  facts: SwitchFacts & { readonly isOver: boolean; readonly prompt?: string | undefined },
): string | undefined {
  const { from, limit, isOver, prompt, told = [] } = facts;
  const work = newSince(facts.work, told);
  if (work.length === 0 && prompt === undefined) return undefined;
  const name = oneLine(from, MOST_NAME);
  const state = [...(limit === undefined ? [] : [limit]), ...(isOver ? ['it has ended'] : [])].join('; ');
  const block = [
    `While you waited, the person worked with ${name} in this terminal${state === '' ? '' : ` (${state})`}, and is back with you.`,
    'Facts, not a request. Read a file again before you edit it: it may have changed.',
  ];
  return withWork(block.join('\n'), { from, work, isMore: told.length > 0 });
}

/** Lines that begin with a dash are items of the line above; blanks begin what had no room on it. */
function newSince(work: readonly string[], told: readonly string[]): readonly string[] {
  const blocks: string[][] = [];
  for (const line of work) {
    const last = blocks.at(-1);
    if (last !== undefined && /^(?:- | {2})/.test(line)) last.push(line);
    else blocks.push([line]);
  }
  return blocks.flatMap(([title = '', ...rest]) => {
    const more = rest.filter((line) => !told.includes(line));
    if (more.length === 0) return told.includes(title) ? [] : [title, ...rest];
    return title.endsWith(':') ? [title, ...more] : [title, ...rest];
  });
}

/** For the person, when the end of one agent gives the other the terminal back. */
export function backLine(ended: string, back: string): string {
  return oneLine(`foreword: ${ended} ended; ${back} is back as you left it`, 120);
}

/** Nothing failed: the person chose another agent. */
function switchedBlock(from: string): string {
  const name = cleanValue(from, MOST_NAME);
  const lines = [
    `The person switched from ${name} to you in the same terminal.`,
    `Continue from where ${name} left off. Avoid recreating existing files.`,
  ];
  const parts = lines.map((line, index) => ({ name: `line ${index}`, rank: index, render: () => line }));
  return renderBlock('PROVIDER SWITCH CONTEXT', parts, lines.length + 2).text.trimEnd();
}

function withWork(
  block: string,
  { from, work, isMore = false }: Pick<SwitchFacts, 'from' | 'work'> & { readonly isMore?: boolean },
): string {
  if (work.length === 0) return block;
  const name = oneLine(from, MOST_NAME);
  const title = isMore ? `New in the session of ${name}:` : `The session of ${name} so far:`;
  const lines = [title, ...work.map((line) => oneLine(line, MOST_LINE))];
  const room = MOST_CHARS - block.length - 2;
  while (lines.join('\n').length > room) lines.pop();
  return `${block}\n\n${lines.join('\n')}`;
}

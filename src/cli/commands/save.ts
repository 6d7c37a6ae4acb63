import { checkContinuity, EMPTY, isEmpty, readContinuity, readDecision } from '../../context/continuity.ts';
import { treeMark } from '../../context/tree-continuity.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';

const LISTS = {
  done: 'done',
  'in-progress': 'inProgress',
  blocked: 'blocked',
  question: 'questions',
  file: 'files',
  next: 'nextSteps',
} as const;

export const save: Command = {
  name: 'save',
  summary: 'Save notes for the next session',
  args: ['[TEXT]'],
  flags: {
    task: { description: 'the task you worked on', value: 'ID' },
    done: { description: 'something that is done', value: 'TEXT', many: true },
    'in-progress': { description: 'something half done', value: 'TEXT', many: true },
    blocked: { description: 'something that is blocked, and why', value: 'TEXT', many: true },
    decision: { description: 'a decision, with its reason after a colon', value: 'TEXT', many: true },
    question: { description: 'an open question', value: 'TEXT', many: true },
    file: { description: 'a file that matters', value: 'PATH', many: true },
    next: { description: 'a next step', value: 'TEXT', many: true },
    by: { description: 'the author; person by default', value: 'WHO', choices: ['person', 'agent'] },
  },
  examples: [
    {
      line: 'foreword save --task api_health --done "route written" --next "register it"',
      does: 'saves notes from flags',
    },
    {
      line: 'echo "Half way through the health check." | foreword save',
      does: 'saves text from standard input; JSON works too',
    },
  ],
  worksInCheckouts: true,
  run: async (call) => {
    const notes = checkContinuity(await contentOf(call), 'the notes');
    if (isEmpty(notes)) {
      throw new ForewordError('bad-usage', 'There is nothing to save.', {
        hint: 'Give text, flags such as --next, or text or JSON on standard input.',
      });
    }
    return inProject(call, async (project) => {
      // In a checkout of a run, agents work.
      const by = call.text('by') === 'agent' || project.isCheckout ? 'agent' : 'person';
      const record = {
        ...notes,
        id: project.newId('con'),
        savedAt: new Date(project.clock.now()).toISOString(),
        by,
        ...treeMark(project.state.tree()),
      } as const;
      const stores = await project.writeStores();
      project.state.switchOn();
      await stores.continuity.append(record);
      await project.emit({ kind: 'continuity-saved', continuity: record.id, by });
      if (call.has('json')) call.out.json({ saved: record });
      else call.out.print('Saved for the next session. foreword load shows what it will read.');
      return 0;
    });
  },
};

/** Reads standard input only when there is neither text nor a flag, or with `-`: an agent's open pipe must not hang. */
async function contentOf(call: Call) {
  const [text] = call.args;
  const isInput = text === '-' || (text === undefined && !hasLists(call));
  const base = isInput
    ? readContinuity((await call.input()) ?? '', 'standard input')
    : { ...EMPTY, ...(text === undefined ? {} : { summary: text }) };
  const lists = Object.entries(LISTS).map(([flag, name]) => [name, [...base[name], ...call.texts(flag)]]);
  const task = call.text('task') ?? base.currentTask;
  return {
    ...base,
    ...(Object.fromEntries(lists) as Pick<typeof base, (typeof LISTS)[keyof typeof LISTS]>),
    decisions: [...base.decisions, ...call.texts('decision').map(readDecision)],
    ...(task === undefined ? {} : { currentTask: task }),
  };
}

function hasLists(call: Call): boolean {
  return ['task', 'decision', ...Object.keys(LISTS)].some((flag) => call.has(flag));
}

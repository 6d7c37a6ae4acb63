import { EMPTY, readContinuity, readDecision } from '../../context/continuity.ts';
import { checkNotes, savedText, saveNotesByCommand } from '../../context/save-notes.ts';
import { treeMark } from '../../context/tree-continuity.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { refuseCheckout } from '../checkout.ts';
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
    clear: { description: 'forget everything that was saved for the next session, by people, agents and sessions' },
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
    if (call.has('clear')) return clear(call);
    const notes = checkNotes(await contentOf(call));
    return inProject(call, async (project) => {
      const by = call.text('by') === 'agent' ? 'agent' : 'person';
      const record = await saveNotesByCommand(project, notes, by);
      if (call.has('json') && record !== undefined) call.out.json({ saved: record });
      else call.out.print(savedText(record));
      return 0;
    });
  },
};

/** An empty note takes the place of the last one; what sessions did is taken out of the store. */
async function clear(call: Call): Promise<number> {
  if (call.args.length > 0 || hasLists(call))
    throw new ForewordError('bad-usage', '--clear saves nothing, so it takes no notes.', {
      hint: 'Run foreword save --clear first, and foreword save with the notes after it.',
    });
  refuseCheckout('save --clear', call);
  return inProject(call, async (project) => {
    const stores = await project.writeStores();
    const sessions = await project.forgetWorks();
    const id = project.newId('con');
    const savedAt = new Date(project.clock.now()).toISOString();
    await stores.continuity.append({ ...EMPTY, id, savedAt, by: 'person', ...treeMark(project.state.tree()) });
    await project.emit({ kind: 'continuity-saved', continuity: id, by: 'person' });
    if (call.has('json')) call.out.json({ cleared: { sessions } });
    else
      call.out.print(`Forgotten: saved notes, and what ${sessions} session(s) did. The journal still names the files.`);
    return 0;
  });
}

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

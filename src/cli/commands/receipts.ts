import type { Project } from '../../app/project.ts';
import { formatAge } from '../../kernel/age.ts';
import { waitingReasonOf } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { type ListedDelivery, listDeliveries } from '../../reports/deliveries.ts';
import { injectionTable, measureInjections } from '../../reports/injection-metrics.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { localMinute } from '../local-time.ts';
import { roomBeside, shortEvidence } from '../short-evidence.ts';
import { shortIds } from '../short-ids.ts';
import { wholeNumber } from '../whole-number.ts';
import { working } from '../working.ts';
import { terminalColumns, wrapped } from '../wrapped.ts';
import { report } from './send.ts';

export const receipts: Command = {
  name: 'receipts',
  summary: 'List all that was put before agents, or waits, with its proof; with an id: one of them whole',
  args: ['[ID]'],
  flags: {
    failed: { description: 'only ended deliveries without the required proof' },
    session: { description: 'only deliveries to this session, by the beginning of its id', value: 'ID' },
    last: { description: 'how many at most; 50 by default', value: 'N' },
    summary: { description: 'success counts per agent and channel' },
    compliance: { description: 'which context files the agents read, and whether in time' },
    markdown: { description: 'what the agents of the last run were given, and all deliveries, as Markdown' },
    redeliver: { description: 'send a failed delivery again', value: 'ID' },
    to: { description: 'with --redeliver: to this session', value: 'SESSION' },
  },
  examples: [
    { line: 'foreword receipts', does: 'lists deliveries, newest last' },
    {
      line: 'foreword receipts fw_3f2a9c',
      does: 'shows one: its moment, session, prompt or tool, proof, and the text; by the beginning of its id',
    },
    { line: 'foreword receipts --failed', does: 'lists what did not arrive, and why' },
    {
      line: 'foreword receipts --markdown >> "$GITHUB_STEP_SUMMARY"',
      does: 'adds what each agent was given to the summary of a job',
    },
    { line: 'foreword receipts --redeliver fw_3f2a9c', does: 'sends it again to the same session' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const again = call.text('redeliver');
      if (again !== undefined) return redeliver(call, project, again);
      // Listing sessions also ends the deliveries of a session that died, so that they show here.
      const { sessions, stores } = await working(call, 'reading sessions and transcripts', async () => {
        const found = await (await import('../../app/sessions.ts')).sessionsOf(project).list({ isAll: false });
        // So does a look for the proof of answers whose server was ended before it saw it.
        if (!project.isCheckout) await (await import('../../app/asked.ts')).settleAsked(project);
        return { sessions: found, stores: await project.readStores() };
      });
      if (call.has('summary')) return summary(call, project);
      if (call.has('compliance')) return compliance(call, project);
      const all = listDeliveries({
        receipts: (await stores.receipts.read()).map(({ value }) => value),
        open: sessions.flatMap(({ deliveries }) => deliveries),
        events: await events(project),
        now: project.clock.now(),
      });
      const [id] = call.args;
      if (id !== undefined) return showOne(call, project, receiptOf(all, id));
      if (call.has('markdown')) return markdown(call, project, all);
      const session = call.text('session');
      const found = all
        .filter(
          (one) =>
            (session === undefined || one.session.startsWith(session)) &&
            (!call.has('failed') || one.outcome === 'failed' || one.outcome === 'uncertain'),
        )
        .slice(-(wholeNumber(call, 'last', { from: 1 }) ?? 50));
      if (call.has('json')) call.out.json({ receipts: found });
      else if (found.length === 0) call.out.print(nothing(call));
      else {
        const short = shortIds(all.map((one) => one.session));
        const now = project.clock.now();
        const cells = found.map((one) => row({ ...one, session: short(one.session) }, now));
        const columns = terminalColumns();
        const room = columns === undefined ? undefined : roomBeside(HEADS.slice(0, -1), cells, columns);
        call.out.table(
          HEADS,
          cells.map((row, index) => [...row, shortEvidence(basisOf(found[index]), room)]),
        );
      }
      return 0;
    }),
};

const HEADS = [
  'delivery',
  'session',
  'moment',
  'channel',
  'proof',
  'outcome',
  'until proof',
  'age',
  'evidence or reason',
];

function basisOf(one: ListedDelivery | undefined): string {
  return (one?.outcome === 'delivered' ? one.evidence : one?.reason) ?? '';
}

/** All but the last column. */
function row(one: ListedDelivery, now: number): readonly string[] {
  return [
    one.id,
    one.session,
    one.moment,
    one.channel ?? '',
    one.proof,
    one.outcome,
    one.outcome === 'delivered' ? `${(one.durationMs / 1000).toFixed(1)} s` : '-',
    formatAge(now - Date.parse(one.at)),
  ];
}

function nothing(call: Call): string {
  const session = call.text('session');
  const to = session === undefined ? '' : ` to a session whose id begins with ${session}`;
  return call.has('failed') ? `No failed deliveries${to}.` : `No deliveries${to} yet.`;
}

/** Throws `bad-usage` where no id, or more than one, begins so. */
function receiptOf(all: readonly ListedDelivery[], beginning: string): ListedDelivery {
  const found = all.filter(({ id }) => id.startsWith(beginning));
  const exact = found.find(({ id }) => id === beginning) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  const many = found.slice(0, 5).map(({ id }) => id);
  throw new ForewordError(
    'bad-usage',
    found.length === 0
      ? `No receipt begins with "${beginning}".`
      : `${found.length} receipts begin with "${beginning}": ${many.join(', ')}${found.length > 5 ? ' …' : ''}.`,
    { hint: 'foreword receipts lists them, with their ids in the first column.' },
  );
}

async function showOne(call: Call, project: Project, listed: ListedDelivery): Promise<number> {
  const { receiptPage } = await import('../../reports/receipt-page.ts');
  const { keptTextOfHook } = await import('../../app/kept-texts.ts');
  const stores = await project.readStores();
  const delivery = await stores.deliveries.get(listed.id);
  const kept = keptTextOfHook(project.root, listed.session, listed.id);
  const text = kept?.text ?? delivery?.value.text;
  const facts = { listed, events: await events(project), text, prompt: kept?.prompt, tool: kept?.tool };
  const page = receiptPage(facts, localMinute);
  if (call.has('json')) {
    const { prompt, tool } = facts;
    call.out.json({ receipt: { ...listed, prompt, tool, text } });
    return 0;
  }
  for (const [word, line] of page.lines) call.out.print(wrapped(`${word.padEnd(8)} `, line, terminalColumns()));
  call.out.print('');
  if (page.text === undefined) call.out.print('Its text is not kept any more, or was printed by an earlier version.');
  else {
    call.out.title('The text:');
    call.out.print(page.text);
  }
  return 0;
}

/** For the summary of a pipeline. */
async function markdown(call: Call, project: Project, all: readonly ListedDelivery[]): Promise<number> {
  const { receiptsSection } = await import('../../reports/receipts-section.ts');
  const stores = await project.readStores();
  const last = (await stores.runs.list()).at(-1)?.value.id;
  const own = (await stores.tasks.list()).filter(({ run }) => run !== undefined && run === last);
  const tasks = await Promise.all(
    own.map(async (task) => ({ task, attempts: await stores.attempts.list(task.task_id) })),
  );
  call.out.print(receiptsSection({ tasks, receipts: all }).trimEnd());
  return 0;
}

async function events(project: Project) {
  const stores = await project.readStores();
  return (await stores.journal.read()).map(({ value }) => value);
}

async function summary(call: Call, project: Project): Promise<number> {
  const all = await events(project);
  const total = measureInjections(all);
  const table = injectionTable(all);
  if (call.has('json')) call.out.json({ metrics: total, table });
  else {
    const cells = (one: typeof total): readonly (string | number)[] => [
      one.attempted,
      one.succeededOnFirstTry,
      one.succeededAfterRetry,
      one.escalatedToFile,
      one.failed,
      one.averageAttemptsToSuccess.toFixed(1),
      `${(one.averageTimeToSuccess / 1000).toFixed(1)} s`,
    ];
    const heads = [
      'agent',
      'channel',
      'attempted',
      'first try',
      'after retry',
      'escalated to file',
      'failed',
      'attempts',
      'time',
    ];
    const rows = table.map((one) => [one.agent, one.channel, ...cells(one)]);
    call.out.table(heads, [...rows, ['all', '', ...cells(total)]]);
  }
  return 0;
}

async function compliance(call: Call, project: Project): Promise<number> {
  const { complianceRows, complianceTable } = await import('../../reports/compliance.ts');
  const rows = complianceRows(await events(project));
  if (call.has('json')) call.out.json({ compliance: rows });
  else if (rows.length === 0)
    call.out.print('No gate has run in this project yet: no agent with the hooks of foreword used a tool here.');
  else {
    const { head, cells, notes } = complianceTable(rows, shortIds(rows.map((one) => one.session)));
    call.out.table(head, cells);
    for (const note of notes) call.out.print(note);
  }
  return 0;
}

async function redeliver(call: Call, project: Project, id: string): Promise<number> {
  const client = (await import('../../app/sessions.ts')).sessionsOf(project);
  const record = await client.forRedelivery(id, call.text('to'));
  const delivery = await client.deliver(record, { kind: 'redeliver', id }, (one) => {
    const waiting = waitingReasonOf(one);
    if (waiting !== undefined) call.out.note(`foreword: ${one.id} waits: ${waiting}`);
  });
  return report(call, delivery, undefined);
}

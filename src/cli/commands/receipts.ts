import type { Project } from '../../app/project.ts';
import { formatAge } from '../../kernel/age.ts';
import { waitingReasonOf } from '../../kernel/delivery.ts';
import type { Receipt } from '../../kernel/receipt.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { injectionTable, measureInjections } from '../../reports/injection-metrics.ts';
import { columns } from '../columns.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { report } from './send.ts';

export const receipts: Command = {
  name: 'receipts',
  summary: 'List deliveries: channel, proof, outcome, evidence',
  args: [],
  flags: {
    failed: { description: 'only deliveries without the required proof' },
    session: { description: 'only deliveries to this session', value: 'ID' },
    last: { description: 'how many at most; 50 by default', value: 'N' },
    summary: { description: 'success counts per agent and channel' },
    compliance: { description: 'which context files the agents read, and whether in time' },
    redeliver: { description: 'send a failed delivery again', value: 'ID' },
    to: { description: 'with --redeliver: to this session', value: 'SESSION' },
  },
  examples: [
    { line: 'foreword receipts', does: 'lists deliveries, newest last' },
    { line: 'foreword receipts --failed', does: 'lists what did not arrive, and why' },
    { line: 'foreword receipts --redeliver fw_3f2a9c', does: 'sends it again to the same session' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const again = call.text('redeliver');
      if (again !== undefined) return redeliver(call, project, again);
      // Listing sessions also ends the deliveries of a session that died, so that they show here.
      await (await import('../../app/sessions.ts')).sessionsOf(project).list({ isAll: false });
      const stores = await project.readStores();
      if (call.has('summary')) return summary(call, project);
      if (call.has('compliance')) return compliance(call, project);
      const newest = new Map<string, Receipt>();
      for (const { value } of await stores.receipts.read()) {
        newest.delete(value.delivery);
        newest.set(value.delivery, value);
      }
      const session = call.text('session');
      const found = [...newest.values()]
        .filter(
          (one) =>
            (session === undefined || one.session.startsWith(session)) &&
            (!call.has('failed') || one.outcome !== 'delivered'),
        )
        .slice(-Math.max(1, Number(call.text('last') ?? 50) || 50));
      if (call.has('json'))
        call.out.json({
          receipts: found.map(({ id: receipt, delivery, ...rest }) => ({ id: delivery, receipt, ...rest })),
        });
      else if (found.length === 0) call.out.print(call.has('failed') ? 'No failed deliveries.' : 'No deliveries yet.');
      else
        call.out.print(
          columns(
            HEADS,
            found.map((one) => row(one, project.clock.now())),
          ),
        );
      return 0;
    }),
};

const HEADS = ['delivery', 'session', 'moment', 'channel', 'proof', 'outcome', 'duration', 'age', 'evidence or reason'];

function row(one: Receipt, now: number): readonly (string | number)[] {
  const basis = one.outcome === 'delivered' ? one.evidence : one.reason;
  return [
    one.delivery,
    one.session,
    one.moment,
    one.channel,
    one.proof,
    one.outcome,
    `${(one.durationMs / 1000).toFixed(1)} s`,
    formatAge(now - Date.parse(one.at)),
    oneLine(basis ?? '', 70),
  ];
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
    call.out.print(columns(heads, [...rows, ['all', '', ...cells(total)]]));
  }
  return 0;
}

async function compliance(call: Call, project: Project): Promise<number> {
  const { complianceRows } = await import('../../reports/compliance.ts');
  const rows = complianceRows(await events(project));
  if (call.has('json')) call.out.json({ compliance: rows });
  else if (rows.length === 0) call.out.print('No gate has run in this project yet.');
  else
    call.out.print(
      columns(
        ['session', 'agent', 'mode', 'gate', 'files read', 'in time'],
        rows.map((one) => [
          one.session,
          one.agent,
          one.mode,
          one.served,
          one.mode === 'inline' ? '-' : `${one.read.length} of ${one.files.length}`,
          one.inTime,
        ]),
      ),
    );
  if (!call.has('json') && rows.some((one) => one.served === 'unknown'))
    call.out.print(
      'unknown: the transcript of the agent does not show it yet, or foreword cannot read its transcript.',
    );
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

import { resolve } from 'node:path';
import type { PlannedRun, Xrayed } from '../../app/xray.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import { xrayPage } from '../../verify/xray/page.ts';
import { changesSince, resultOf, totalsOf, type XrayChange, type XrayResult } from '../../verify/xray/result.ts';
import { headline, ownerText, sinceText, sizeText, xrayLines, xrayNotes, xrayTables } from '../../verify/xray/text.ts';
import { canAsk } from '../agreement.ts';
import { columns } from '../columns.ts';
import type { Call, Command } from '../command.ts';
import { isAgreed } from '../keys.ts';
import { localDate } from '../local-time.ts';
import { openProgress } from '../progress.ts';
import { redactorOfMachine } from '../redactor.ts';
import { writePage } from '../write-page.ts';

export const xray: Command = {
  name: 'xray',
  summary: 'Show what every hook, plug-in, MCP server and instruction file puts before your agent',
  args: ['[AGENT]'],
  flags: {
    yes: { description: 'run your hooks and servers in the copy without a question' },
    html: { description: 'write it as one page to this file', value: 'FILE' },
    keep: { description: 'keep the scratch folders, and print where they are' },
  },
  examples: [
    {
      line: 'foreword xray claude',
      does: 'copies your set-up, asks, and runs it with the real agent against a local model, without network',
    },
    { line: 'foreword xray claude --html xray.html', does: 'writes a page to look at' },
    { line: 'foreword xray claude --yes --json', does: 'asks nothing, and prints everything for a program' },
  ],
  run: async (call) => {
    const { xray: run, lastXray } = await import('../../app/xray.ts');
    const progress = openProgress({ isQuiet: call.has('json') });
    const request = {
      agent: call.args[0],
      isKept: call.has('keep'),
      agree: (planned: PlannedRun) => agree(call, planned),
      progress: progress.show,
    };
    const done = await run(request, resolve(call.text('cwd') ?? '.')).finally(progress.close);
    // The process inside the namespaces has left everything in a file.
    if (typeof done === 'number') return done;
    if (done === undefined) {
      call.out.note('foreword: nothing was run.');
      return 2;
    }
    const result = resultOf(done.recording, done.missed, redactorOfMachine());
    const now = { agent: result.agent, project: done.project, at: new Date().toISOString(), totals: totalsOf(result) };
    const before = lastXray(now);
    const changes = before === undefined ? undefined : { at: before.at, by: changesSince(before.totals, now.totals) };
    print(call, done, result, changes);
    return 0;
  },
};

async function agree(call: Call, planned: PlannedRun): Promise<boolean> {
  if (call.has('yes')) return true;
  if (!canAsk(call))
    throw new ForewordError(
      'bad-usage',
      'foreword xray runs your own hooks and servers, and nobody is here to agree to it.',
      { hint: 'Use --yes to agree, or run it in a terminal.' },
    );
  showPlan(call, planned);
  return isAgreed('\nRun this in a copy of your set-up, without network and without writing to your home?');
}

function showPlan(call: Call, { agent, program, project, files, hooks, servers }: PlannedRun): void {
  call.out.print(`${agent} (${program}) in ${project}, with a copy of ${files} files of your set-up.`);
  const rows = [
    ...hooks.map(({ event, owner, skipped }) => [
      event,
      `${ownerText(owner)}${skipped === undefined ? '' : `: not run, ${skipped}`}`,
    ]),
    ...servers.map(({ owner, command, notMeasured }) => ['MCP', `${ownerText(owner)}: ${notMeasured ?? command}`]),
  ];
  call.out.print(rows.length === 0 ? 'It has no hooks and no MCP servers.' : columns(['at', 'runs'], rows));
}

interface Changes {
  /** ISO time of the one before. */
  readonly at: string;
  readonly by: readonly XrayChange[];
}

function print(call: Call, { project, ms, kept }: Xrayed, result: XrayResult, changes: Changes | undefined): void {
  const since = changes === undefined ? undefined : sinceText(changes.by, localDate(Date.parse(changes.at)));
  const measured = `${result.agent} ${result.version} in ${project}, measured in ${(ms / 1000).toFixed(0)} s without network.`;
  const page = call.text('html');
  if (page !== undefined) {
    const facts = mapStrings({ result, since, measured }, redactorOfMachine());
    writePage(resolve(call.text('cwd') ?? '.', page), xrayPage(facts));
  }
  if (call.has('json'))
    call.out.json({
      ...result,
      project,
      ms,
      ...(changes === undefined ? {} : { since: changes }),
      ...(kept === undefined ? {} : { kept }),
    });
  else if (page === undefined) show(call, result, [measured, ...(since === undefined ? [] : [since])]);
  else call.out.print(`${page}: ${headline(result)}`);
  if (kept !== undefined && !call.has('json')) call.out.print(`\nThe scratch folders are in ${kept}.`);
}

function show(call: Call, result: XrayResult, about: readonly string[]): void {
  call.out.print(headline(result));
  for (const line of xrayLines(result).slice(1)) call.out.print(`- ${line}`);
  call.out.print(`\n${[sizeText(result), ...about].join('\n')}`);
  for (const { title, head, rows } of xrayTables(result)) call.out.print(`\n${title}\n${columns(head, rows)}`);
  call.out.print(`\n${xrayNotes(result).join('\n')}`);
}

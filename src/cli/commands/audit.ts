import { resolve } from 'node:path';
import type { Audited } from '../../app/audit.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import { environment } from '../../system/environment.ts';
import { auditPage } from '../../verify/audit/page.ts';
import { auditNotes, auditTables, findingLines, sizeText } from '../../verify/audit/text.ts';
import { timeIn } from '../caps.ts';
import type { Call, Command } from '../command.ts';
import { localDate } from '../local-time.ts';
import { openProgress } from '../progress.ts';
import { redactorOfMachine } from '../redactor.ts';
import { writePage } from '../write-page.ts';

export const audit: Command = {
  name: 'audit',
  summary: 'Read the transcripts on this disk: which hooks ran, what reached the model, what was lost',
  args: ['[AGENT...]'],
  flags: {
    since: { description: 'sessions written to since then: 24h, 30d (default 30d)', value: 'TIME' },
    html: { description: 'write it as one page to this file', value: 'FILE' },
  },
  examples: [
    {
      line: 'foreword audit',
      does: 'reads the sessions of the last 30 days; nothing is written, nothing leaves the machine',
    },
    {
      line: 'foreword audit claude --since 7d --json',
      does: 'prints the figures of one agent and one week, for a program',
    },
    { line: 'foreword audit --html audit.html', does: 'writes a page to look at' },
  ],
  run: async (call) => {
    const now = Date.now();
    const sinceMs = now - since(call);
    const { audit: read } = await import('../../app/audit.ts');
    const progress = openProgress({ isQuiet: call.has('json') });
    const found = await read({
      agents: call.args,
      sinceMs,
      env: environment(),
      progress: (share, agent) => progress.show(`${bar(share)} ${Math.floor(share * 100)} %  ${agent}`),
    }).finally(progress.close);
    const page = call.text('html');
    if (page !== undefined) write(resolve(call.text('cwd') ?? '.', page), found);
    if (call.has('json')) call.out.json(found);
    else if (page === undefined) print(call, found);
    else call.out.print(`${page}: ${readText(found)}`);
    return 0;
  },
};

const DAYS_30 = 30 * 86_400_000;

function since(call: Call): number {
  const text = call.text('since');
  if (text === undefined) return DAYS_30;
  const ms = timeIn(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new ForewordError(
    'bad-usage',
    `--since was given "${text}"; it takes a number with s, m, h or d, such as 24h or 30d.`,
  );
}

const BAR = 24;

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`;
}

function readText({ since: from, files, bytes, findings }: Audited): string {
  const found = findings.length === 0 ? 'nothing lost, cut or said twice' : `${findings.length} finding(s)`;
  return `${files} conversation(s) since ${localDate(Date.parse(from))}, ${sizeText(bytes)}: ${found}`;
}

function print(call: Call, found: Audited): void {
  call.out.print(readText(found));
  for (const line of findingLines(found)) call.out.print(`- ${line}`);
  for (const { title, head, rows } of auditTables(found)) {
    call.out.print('');
    call.out.title(title);
    call.out.table(head, rows);
  }
  if (found.files > 0) call.out.print(`\n${auditNotes(found.textsOnly).join('\n')}`);
}

/** A page leaves the terminal's own redactor behind, so it gets one. */
function write(path: string, found: Audited): void {
  writePage(path, auditPage(mapStrings({ ...found, read: readText(found) }, redactorOfMachine())));
}

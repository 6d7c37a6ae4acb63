import type { Verified, VerifyProgress } from '../../app/verify.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { type Arrival, arrivalWords, isFailure } from '../../verify/arrival.ts';
import { type Measurement, TRIED, TRIED_TITLES, type Tried } from '../../verify/measurement.ts';
import { columns } from '../columns.ts';
import type { Call, Command } from '../command.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'Test every channel of the installed agents, with the real agents and a local fake model',
  args: ['[AGENT...]'],
  flags: {
    keep: { description: 'keep the scratch folders, and print where they are' },
    'allow-network': { description: 'continue where the system cannot cut the agents off the network' },
  },
  examples: [
    {
      line: 'foreword verify',
      does: 'tests every installed agent; exits with 0 when nothing was dropped, cut or doubled',
    },
    { line: 'foreword verify claude codex --json', does: 'tests these two, for a program' },
  ],
  run: async (call) => {
    const { verify: run } = await import('../../app/verify.ts');
    const done = await run({
      agents: call.args,
      isKept: call.has('keep'),
      allowsNetwork: call.has('allow-network'),
      note: (text) => call.out.note(`foreword: ${text}`),
      progress: progressOf(call),
    });
    // A process of ours in its own network namespace did the work, and has printed everything.
    if (typeof done === 'number') return done;
    report(call, done);
    if (done.isInterrupted) return 130;
    return done.measurements.every(({ arrivals }) => !Object.values(arrivals).some(isFailure)) ? 0 : 1;
  },
};

/** Prints one line on standard error for each result as it comes; on a terminal also what runs now. */
function progressOf(call: Call): VerifyProgress {
  let who = '';
  let isDrawn = false;
  const draw = (text: string): void => {
    if (process.stderr.isTTY !== true) return;
    process.stderr.write(
      `${isDrawn ? '\r\u001b[2K' : ''}${oneLine(text, Math.max(20, (process.stderr.columns || 80) - 1))}`,
    );
    isDrawn = text !== '';
  };
  return {
    agent: (name, version) => {
      who = version === undefined ? name : `${name} ${version}`;
      draw(version === undefined ? `${who}: asking for its version` : '');
    },
    trying: (tried) => draw(`${who}: trying ${tried.map((one) => TRIED_TITLES[one]).join(', ')}`),
    arrived: (_name, tried, arrival) => {
      draw('');
      call.out.note(`${who}: ${TRIED_TITLES[tried]}: ${sentence(arrival)}`);
    },
  };
}

function sentence(arrival: Arrival): string {
  const time = 'ms' in arrival ? ` after ${(arrival.ms / 1000).toFixed(1)} s` : '';
  return `${arrivalWords(arrival)}${time}${'reason' in arrival ? `: ${arrival.reason}` : ''}`;
}

function report(call: Call, { measurements, isIsolated, kept }: Verified): void {
  if (call.has('json')) {
    call.out.json({ agents: measurements, isolated: isIsolated, ...(kept === undefined ? {} : { kept }) });
    return;
  }
  const head = ['agent', 'version', ...TRIED.map((tried) => TRIED_TITLES[tried])];
  call.out.print(columns(head, measurements.map(row)));
  if (kept !== undefined) call.out.print(`\nThe scratch folders are in ${kept}.`);
}

function row({ agent, version, arrivals }: Measurement): readonly string[] {
  return [agent, version, ...TRIED.map((tried: Tried) => cell(arrivals[tried]))];
}

function cell(arrival: Arrival | undefined): string {
  if (arrival === undefined) return '-';
  return arrival.kind === 'served' ? `served ${(arrival.ms / 1000).toFixed(1)} s` : arrivalWords(arrival);
}

import type { TriedBoxes, Verified, VerifyProgress } from '../../app/verify.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { type Arrival, arrivalWords, isFailure } from '../../verify/arrival.ts';
import { costWords, type Measurement, TRIED, TRIED_TITLES, type Tried } from '../../verify/measurement.ts';
import type { Call, Command } from '../command.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'Test every channel of the installed agents, with the real agents and a local fake model',
  args: ['[AGENT...]'],
  flags: {
    keep: { description: 'keep the scratch folders, and print where they are' },
    quick: { description: 'only the hooks of foreword init, for at most 30 s each agent; the result is not stored' },
    boxed: { description: 'try each agent in the box that a run gives it, instead of its channels' },
    'allow-network': { description: 'continue where the system cannot cut the agents off the network' },
  },
  examples: [
    {
      line: 'foreword verify',
      does: 'tests every installed agent; exits with 0 when nothing was dropped, cut or doubled',
    },
    { line: 'foreword verify claude codex --json', does: 'tests these two, for a program' },
    { line: 'foreword verify --boxed', does: 'lets every installed agent write a file in its box' },
  ],
  run: async (call) => {
    if (call.has('boxed')) return tryBoxes(call);
    const { verify: run } = await import('../../app/verify.ts');
    const done = await run({
      agents: call.args,
      isKept: call.has('keep'),
      isQuick: call.has('quick'),
      allowsNetwork: call.has('allow-network'),
      note: (text) => call.out.note(`foreword: ${text}`),
      progress: progressOf(call),
    });
    // A process of ours in its own network namespace did the work, and has printed everything.
    if (typeof done === 'number') return done;
    report(call, done);
    if (done.isInterrupted) return 130;
    const arrivals = done.measurements.flatMap((one) => Object.values(one.arrivals));
    // Nothing at all could be measured.
    if (!arrivals.some(({ kind }) => kind !== 'not offered' && kind !== 'not measured')) return 3;
    return done.measurements.every(({ arrivals }) => !Object.values(arrivals).some(isFailure)) ? 0 : 1;
  },
};

async function tryBoxes(call: Call): Promise<number> {
  const { verifyBoxes } = await import('../../app/verify.ts');
  const done = await verifyBoxes({
    agents: call.args,
    isKept: call.has('keep'),
    allowsNetwork: call.has('allow-network'),
    note: (text) => call.out.note(`foreword: ${text}`),
    trying: (agent, version) => call.out.note(`${agent} ${version}: trying it in its box`),
    tried: ({ agent, version, why }) => call.out.note(`${agent} ${version}: ${why ?? 'works in its box'}`),
  });
  if (typeof done === 'number') return done;
  reportBoxes(call, done);
  if (done.isInterrupted) return 130;
  if (done.missing !== undefined) return 3;
  return done.trials.every(({ why }) => why === undefined) ? 0 : 1;
}

function reportBoxes(call: Call, { trials, missing, kept }: TriedBoxes): void {
  if (call.has('json')) {
    call.out.json({
      agents: trials,
      ...(missing === undefined ? {} : { missing }),
      ...(kept === undefined ? {} : { kept }),
    });
    return;
  }
  if (missing !== undefined) call.out.note(`foreword: there is no box here: ${missing}`);
  const rows = trials.map(({ agent, version, ms, why }) => [
    agent,
    version,
    `${(ms / 1000).toFixed(1)} s`,
    why ?? 'works',
  ]);
  if (rows.length > 0) call.out.table(['agent', 'version', 'took', 'in its box'], rows);
  if (kept !== undefined) call.out.print(`\nThe scratch folders are in ${kept}.`);
}

/** Prints one line on standard error for each result as it comes; on a terminal also what runs now. */
function progressOf(call: Call): VerifyProgress {
  let who = '';
  let isDrawn = false;
  let ticking: NodeJS.Timeout | undefined;
  const draw = (text: string): void => {
    if (process.stderr.isTTY !== true) return;
    process.stderr.write(
      `${isDrawn ? '\r\u001b[2K' : ''}${oneLine(text, Math.max(20, (process.stderr.columns || 80) - 1))}`,
    );
    isDrawn = text !== '';
  };
  /** With the seconds: a person sees that something happens. */
  const tick = (text: string): void => {
    const startedAt = performance.now();
    clearInterval(ticking);
    draw(text);
    const show = () => draw(`${text}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    ticking = setInterval(show, 1000).unref();
  };
  const rest = (): void => {
    clearInterval(ticking);
    draw('');
  };
  return {
    agent: (name, version) => {
      who = version === undefined ? name : `${name} ${version}`;
      if (version === undefined) tick(`${who}: asking for its version`);
      else rest();
    },
    cannotStart: (name, why) => {
      rest();
      call.out.note(`${who}: cannot start: ${name} ${why}`);
    },
    givenUp: (why) => {
      rest();
      call.out.note(`${who}: not measured: ${why}`);
    },
    trying: (tried) => tick(`${who}: trying ${tried.map((one) => TRIED_TITLES[one]).join(', ')}`),
    arrived: (_name, tried, arrival) => {
      rest();
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
  call.out.table(head, measurements.map(row));
  const costs = measurements.flatMap(costRows);
  if (costs.length > 0) {
    call.out.print('');
    call.out.table(['agent', 'channel', 'cost'], costs);
  }
  if (kept !== undefined) call.out.print(`\nThe scratch folders are in ${kept}.`);
}

function row({ agent, version, arrivals }: Measurement): readonly string[] {
  return [agent, version, ...TRIED.map((tried: Tried) => cell(arrivals[tried]))];
}

function costRows(measurement: Measurement): readonly (readonly string[])[] {
  return TRIED.flatMap((tried) => {
    const words = costWords(measurement, tried);
    return words === undefined ? [] : [[measurement.agent, TRIED_TITLES[tried], words]];
  });
}

function cell(arrival: Arrival | undefined): string {
  if (arrival === undefined) return '-';
  return arrival.kind === 'served' ? `served ${(arrival.ms / 1000).toFixed(1)} s` : arrivalWords(arrival);
}

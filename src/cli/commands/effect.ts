import type { Project } from '../../app/project.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { compareOrientation, measureEffect } from '../../reports/effect.ts';
import { type OrientationEffect, renderEffect } from '../../reports/effect-text.ts';
import { environment } from '../../system/environment.ts';
import { timeIn } from '../caps.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

export const effect: Command = {
  name: 'effect',
  summary: 'Compare attempts with and without a hand-over: does it help on your tasks?',
  args: ['[TASK...]'],
  flags: {
    replay: {
      description: 'first play the retries and switches of these tasks again, each with and without its hand-over',
    },
    times: { description: 'with --replay: how often each is played both ways (default 1)', value: 'N' },
    'max-cost': { description: 'with --replay: US dollars that it may cost; then it ends', value: 'USD' },
    audit: {
      description: 'also compare actions before the first edit, by the transcripts of this time: 30d',
      value: 'TIME',
    },
    difference: { description: 'the difference you want to see, in points of success (default 15)', value: 'POINTS' },
  },
  examples: [
    { line: 'foreword effect', does: 'needs runs with run.holdout above 0; says how many more cases are needed' },
    {
      line: 'foreword effect --replay api_health --times 10 --max-cost 5',
      does: 'plays its stored retries and switches again in checkouts, 10 times both ways, for 5 US dollars at most',
    },
    { line: 'foreword effect --difference 30', does: 'says how many more cases show a difference of 30 points' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const points = pointsOf(call);
      const ended = await replayed(call, project);
      if (typeof ended === 'number') return ended;
      const { measured, orientation } = await working(call, 'reading what was stored', async () => {
        const stores = await project.readStores();
        const events = (await stores.journal.read()).map((entry) => entry.value);
        return { measured: measureEffect(events, points), orientation: await orientationOf(call) };
      });
      const shown = orientation === undefined ? measured : { ...measured, orientation };
      if (call.has('json')) call.out.json(shown);
      else call.out.print(renderEffect(shown));
      return ended === 'early' ? 1 : 0;
    }),
};

/** The exit status when a person stopped it. */
async function replayed(call: Call, project: Project): Promise<'whole' | 'early' | number> {
  if (call.has('replay')) return (await import('../replay.ts')).replay(call, project);
  const [given] = [...call.args, ...['times', 'max-cost'].flatMap((flag) => (call.has(flag) ? [`--${flag}`] : []))];
  if (given === undefined) return 'whole';
  throw new ForewordError('bad-usage', `${given} belongs to --replay.`, {
    hint: 'Usage: foreword effect --replay TASK… --times N   (foreword effect --help)',
  });
}

async function orientationOf(call: Call): Promise<readonly OrientationEffect[] | undefined> {
  const text = call.text('audit');
  if (text === undefined) return undefined;
  const ms = timeIn(text);
  if (ms === undefined || !(ms > 0))
    throw new ForewordError(
      'bad-usage',
      `--audit was given "${text}"; it takes a number with s, m, h or d, such as 30d.`,
    );
  const { audit } = await import('../../app/audit.ts');
  const { orientation } = await audit({ agents: [], sinceMs: Date.now() - ms, env: environment() });
  return compareOrientation(orientation);
}

function pointsOf(call: Call): number | undefined {
  const text = call.text('difference');
  if (text === undefined) return undefined;
  const points = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (points > 0 && points <= 100) return points;
  throw new ForewordError('bad-usage', `--difference was given "${text}"; it takes points of success from 1 to 100.`);
}

// `foreword effect --replay`: what will be played, what was, and why it ended early.

import type { Project } from '../app/project.ts';
import { ForewordError } from '../kernel/errors.ts';
import { watchedLine } from '../reports/event-lines.ts';
import { reachedText } from '../runs/budget/reached-text.ts';
import { capsOf } from './caps.ts';
import { refuseCheckout } from './checkout.ts';
import type { Call } from './command.ts';
import { localTime } from './local-time.ts';
import { stopSignal } from './stop-signal.ts';
import { wholeNumber } from './whole-number.ts';
import { type WorkingLine, working } from './working.ts';

const MOST_TIMES = 1000;
const VIEW = { stopping: () => undefined, close: () => undefined };

/** `early`: it ended before everything was played, and said why. A number is the exit status after a person stopped it. */
export async function replay(call: Call, project: Project): Promise<'whole' | 'early' | number> {
  refuseCheckout('effect --replay', call);
  const times = wholeNumber(call, 'times', { from: 1, to: MOST_TIMES }) ?? 1;
  if (call.args.length === 0)
    throw new ForewordError('bad-usage', 'foreword effect --replay needs TASK.', {
      hint: 'Usage: foreword effect --replay TASK… --times N   (foreword history lists tasks)',
    });
  let [played, line]: [number, WorkingLine | undefined] = [0, undefined];
  const print = (text: string): void => {
    line?.clear();
    call.out.note(text);
  };
  const stop = stopSignal(call, { ...VIEW, stopping: () => print('foreword: stopping …') });
  try {
    const { killRunning, prepareReplay } = await import('../app/run.ts');
    stop.killWith(killRunning);
    const prepared = await prepareReplay(project, {
      tasks: call.args,
      times,
      caps: capsOf(call),
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'attempt-replayed') played += 1;
        const text = watchedLine(event, (iso) => localTime(Date.parse(iso)));
        if (text !== undefined) print(text);
      },
    });
    const { cases, skipped } = prepared;
    for (const { attempt, task, why } of skipped)
      call.out.note(`foreword: attempt ${attempt} of ${task} is not replayed: ${why}.`);
    call.out.note(`foreword: ${planText(cases.length, times)}`);
    const all = cases.length * times * 2;
    const report = await working(
      call,
      () => `playing, ${played} of ${all} done`,
      (shown) => {
        line = shown;
        return prepared.run();
      },
    );
    if (stop.signal.aborted) return stop.end();
    if (report.reached === undefined && report.why === undefined) return 'whole';
    const why = report.reached === undefined ? report.why : reachedText(report.reached);
    call.out.note(`foreword: ended after ${report.pairs} of ${cases.length * times} pair(s): ${why}.`);
    return 'early';
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return stop.end(error);
  } finally {
    stop.close();
  }
}

function planText(attempts: number, times: number): string {
  const runs = attempts * times * 2;
  const often = times === 1 ? 'once' : `${times} times`;
  return `${attempts} attempt(s), ${often} with and ${often} without the hand-over: agents are started ${runs} times. Nothing of it is kept but the outcome.`;
}

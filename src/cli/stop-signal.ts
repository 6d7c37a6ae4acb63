// How a run is stopped: by Ctrl-C, TERM, a terminal that is closed, or a reader of the output that is gone (`| head -2`).
// The first signal stops cleanly, a second one exits at once; the next run continues from there either way.

import { leaveTerminalAtExit } from '../system/processes/leave-terminal.ts';
import type { Call } from './command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** 128 and SIGINT, as shells show it; for the other signals too, which end a run in the same way. */
const STOPPED = 130;
/** As a shell shows a program that a broken pipe ended: 128 and SIGPIPE. */
const UNREAD = 141;

const GOES_ON = 'The same command goes on with it.';

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Gives what kills every agent that runs, for a second signal. */
  killWith(kill: () => void): void;
  /** The run has stopped, maybe in the middle of something: the exit status. */
  end(error?: unknown): number;
  close(): void;
}

export function stopSignal(call: Call, view: { stopping(): void; close(): void }): StopSignal {
  const controller = new AbortController();
  let killAll: (() => void) | undefined;
  let [code, isOver, isAsked] = [STOPPED, false, false];
  /** A terminal that is closed may send its signal twice, and nobody asks for haste by that. */
  const stop = (name: NodeJS.Signals) => {
    if (name === 'SIGHUP') leaveTerminalAtExit();
    if (isAsked && name !== 'SIGHUP') exitNow();
    isAsked ||= name !== 'SIGHUP';
    code = STOPPED;
    if (controller.signal.aborted) return;
    view.stopping();
    controller.abort();
  };
  /** Agents that ignore TERM would live for seconds: the guard, which ends what they left, is patient. */
  const exitNow = (): never => {
    killAll?.();
    view.close();
    call.out.note(`foreword: stopped at once, agents were killed. ${GOES_ON}`);
    process.exit(code);
  };
  call.whenUnread(() => {
    if (isOver || controller.signal.aborted) return;
    code = process.stdout.isTTY === true ? STOPPED : UNREAD;
    leaveTerminalAtExit();
    controller.abort();
    call.out.note(`foreword: nobody reads the output any more: the run stops. ${GOES_ON}`);
  });
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    killWith: (kill) => {
      killAll = kill;
    },
    end: (error) => {
      view.close();
      if (error !== undefined) call.out.note(`foreword: what was under way when it stopped: ${messageOf(error)}`);
      if (code === STOPPED) call.out.note(`foreword: stopped. ${GOES_ON}`);
      return code;
    },
    close: () => {
      isOver = true;
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Keeps an agent from writing faster than its screen is read: nothing may be skipped, so the agent waits.

import type { Terminal } from '../kernel/terminal.ts';

/** Some milliseconds of parsing: enough to keep the emulator busy, too little to notice. */
const MOST_BEHIND = 512 * 1024;

/** Call it after the screen was added as a listener. */
export function paceTerminal(terminal: Terminal, screen: { readonly backlog: number; settled(): Promise<void> }): void {
  let isPaused = false;
  terminal.onOutput(() => {
    if (isPaused || screen.backlog < MOST_BEHIND) return;
    isPaused = true;
    terminal.pause();
    void screen.settled().then(() => {
      isPaused = false;
      terminal.resume();
    });
  });
}

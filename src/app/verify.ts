// Joins `foreword verify` to this process, to terminals and their screens, and to managed blocks.

import { homedir } from 'node:os';
import { existingInstructionFiles, writeBlock } from '../sessions/channels/file/managed-block-file.ts';
import { watchScreen } from '../sessions/watch.ts';
import { systemClock } from '../system/clock.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { openPty } from '../terminals/pty/pty.ts';
import { openScreen } from '../terminals/screen/screen.ts';
import { isolation } from '../verify/isolation.ts';
import { measureAgent } from '../verify/measure.ts';
import { type Verified, type VerifyRequest, verifyAgents } from '../verify/verify.ts';

export type { Verified, VerifyProgress } from '../verify/verify.ts';

export function verify(request: VerifyRequest): Promise<number | Verified> {
  return verifyAgents(request, {
    env: environment(),
    cwd: process.cwd(),
    stateFolder: stateFolder(environment(), homedir()),
    command: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
    args: process.argv.slice(2),
    isolation,
    ports: {
      clock: systemClock,
      openTerminal: openPty,
      openScreen,
      watchScreen,
      blocks: { existing: existingInstructionFiles, write: writeBlock },
    },
    measure: measureAgent,
  });
}

// Joins `foreword verify` to this process, to terminals and their screens, to managed blocks, and to the boxes of runs.

import { openTrialBox } from '../runs/box/trial-box.ts';
import { existingInstructionFiles, writeBlock } from '../sessions/channels/file/managed-block-file.ts';
import { watchScreen } from '../sessions/watch.ts';
import { systemClock } from '../system/clock.ts';
import { openPty } from '../terminals/pty/pty.ts';
import { openScreen } from '../terminals/screen/screen.ts';
import { measureAgent } from '../verify/measure.ts';
import { ownHost } from '../verify/own-host.ts';
import { type Verified, type VerifyRequest, verifyAgents } from '../verify/verify.ts';
import { type BoxesRequest, type TriedBoxes, verifyBoxes as tryBoxes } from '../verify/verify-boxes.ts';

export type { Verified, VerifyProgress } from '../verify/verify.ts';
export type { TriedBoxes } from '../verify/verify-boxes.ts';

export function verify(request: VerifyRequest): Promise<number | Verified> {
  const blocks = { existing: existingInstructionFiles, write: writeBlock };
  const ports = { clock: systemClock, openTerminal: openPty, openScreen, watchScreen, blocks };
  return verifyAgents(request, { ...ownHost(), ports, measure: measureAgent });
}

export function verifyBoxes(request: BoxesRequest): Promise<number | TriedBoxes> {
  return tryBoxes(request, { ...ownHost(), ports: { clock: systemClock }, boxes: { open: openTrialBox } });
}

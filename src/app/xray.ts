// Joins `foreword xray` to this process, to terminals and their screens, to the readers of settings, and to the person's state.

import { homedir } from 'node:os';
import { settingIn, settingsText } from '../install/person-setting.ts';
import { watchScreen } from '../sessions/watch.ts';
import { systemClock } from '../system/clock.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { inOwnSystem } from '../system/network-namespace.ts';
import { openPty } from '../terminals/pty/pty.ts';
import { openScreen } from '../terminals/screen/screen.ts';
import { ownHost } from '../verify/own-host.ts';
import { type KeptXray, keepXray } from '../verify/xray/last-xray.ts';
import { type Xrayed, type XrayRequested, xrayAgent } from '../verify/xray/xray.ts';

export type { PlannedRun, Xrayed } from '../verify/xray/xray.ts';

export function xray(request: XrayRequested, cwd: string): Promise<number | Xrayed | undefined> {
  const ports = { clock: systemClock, openTerminal: openPty, openScreen, watchScreen };
  const formats = { parse: (text: string, file: string) => settingIn(text, file, []), print: settingsText };
  const host = { ...ownHost(), cwd, home: homedir(), namespaces: () => inOwnSystem(), ports, formats };
  return xrayAgent(request, host);
}

/** Keeps the sizes of this one, and returns those of the one before. */
export function lastXray(fresh: KeptXray): KeptXray | undefined {
  return keepXray(ownStateFolder(), fresh);
}

// Ctrl-Z and `fg` with the real agents, in a real shell with job control: what happens without foreword happens with it, and
// the agent works on afterwards.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { IS_LONG } from '../scale.ts';
import { COMMAND, RealField, textsWith, timesGiven, until } from './field.ts';
import { eachAgent } from './offered.ts';
import { Shell } from './shell.ts';

const PROMPT = 'Good evening after a break.';
const PATIENCE_MS = 60_000;

let field: RealField | undefined;
let shell: Shell | undefined;
afterEach(async () => {
  await shell?.close();
  await field?.leave();
  [field, shell] = [undefined, undefined];
});

eachAgent(
  '%s: Ctrl-Z does what it does without foreword, and fg brings it back',
  async (name) => {
    field = await RealField.make(name);
    const { program, terminalArgs } = { program: field.program.program, terminalArgs: field.scratch.terminalArgs };
    const isStoppedBare = IS_LONG ? await suspendedBare(field, [program, ...terminalArgs]) : true;
    const ours = await Shell.open(field);
    shell = ours;
    const isStopped = await ours.suspend([process.execPath, COMMAND, 'start', name, '--', ...terminalArgs]);
    console.log(`${name}: ${isStopped ? 'suspends itself' : 'goes on'}`);
    expect(isStopped, ours.seen()).toBe(isStoppedBare);
    if (isStopped) {
      ours.type('fg\r');
      await sleep(1500);
    }
    ours.type(PROMPT);
    expect(await until(() => ours.seen().includes(PROMPT), 10_000), ours.seen()).toBe(true);
    await sleep(500);
    ours.type('\r');
    const turn = await field.model.waitFor((request) => request.isMain && textsWith(request, PROMPT) > 0, PATIENCE_MS);
    expect(timesGiven(turn, PROMPT), ours.seen()).toBe(1);
  },
  'suspend',
);

async function suspendedBare(of: RealField, command: readonly string[]): Promise<boolean> {
  const bare = await Shell.open(of);
  shell = bare;
  const isStopped = await bare.suspend(command);
  await bare.close();
  shell = undefined;
  return isStopped;
}

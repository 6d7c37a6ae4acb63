// Joins the host of a session: the few parts it begins with. The others are in session-hosting.ts and load while tmux starts.

import { makeOut } from '../cli/output.ts';
import { redactorOfMachine } from '../cli/redactor.ts';
import { runProgram } from '../sessions/host/program.ts';
import { readHostRequest } from '../sessions/host/request.ts';
import { connectStarter } from '../sessions/host/starter.ts';
import { environment } from '../system/environment.ts';
import { reserveTmux } from '../terminals/tmux/tmux.ts';
import { PLACES } from './session-places.ts';

const { stdout, stderr } = process;
const env = environment();
const starter = connectStarter(process);
const out = makeOut({ stdout, stderr, hasColor: false }, redactorOfMachine());
// A session goes on when its log cannot be written.
stderr.on('error', () => undefined);

void runProgram({
  request: readHostRequest(env),
  starter,
  places: PLACES,
  env,
  cwd: process.cwd(),
  reserve: reserveTmux,
  host: async (request, reservation) =>
    (await import('./session-hosting.ts')).host({ request, reservation, starter, out }),
  note: out.note,
}).then((status) => {
  process.exitCode = status;
});

// What the folder of a plug-in has besides its hooks, without the command: `foreword.cjs mcp` serves the agent, `foreword.cjs on` switches
// foreword on in the project of the current folder.

import { reportedError } from './kernel/errors.ts';

/** Put in by scripts/build-plugins.mjs. */
declare const FOREWORD_VERSION: string;

const [what] = process.argv.slice(2);

run().catch((error: unknown) => {
  const { message, hint = '' } = reportedError(error, { hasStack: false });
  process.stderr.write(`foreword: ${message} ${hint}\n`);
  process.exitCode = 1;
});

async function run(): Promise<void> {
  if (what === 'on') return switchOn();
  if (what !== 'mcp') throw new Error('use foreword.cjs mcp, or foreword.cjs on.');
  const { serveMcpHere } = await import('./app/mcp.ts');
  const serving = serveMcpHere(FOREWORD_VERSION, { note: (line) => void process.stderr.write(`foreword: ${line}\n`) });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, serving.stop);
  await serving.ended;
}

async function switchOn(): Promise<void> {
  const { openProject } = await import('./app/project.ts');
  const project = openProject({});
  project.state.toWrite();
  project.state.switchOn();
  process.stdout.write(`foreword is on in ${project.root}: the next session is told what is known of it.\n`);
  await project.close();
}

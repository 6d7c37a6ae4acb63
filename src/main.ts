// The command's entry: finds the command, runs it, and turns an error's code into an exit status. Nothing else.

import { wantsColor } from './cli/color.ts';
import type { Call, Command, Out } from './cli/command.ts';
import { COMMANDS, GROUPS } from './cli/commands/index.ts';
import { commandHelp, overview } from './cli/help.ts';
import { makeOut } from './cli/output.ts';
import { commandFirst, parseWords } from './cli/parse.ts';
import { type ErrorCode, ForewordError, renderFault, reportedError } from './kernel/errors.ts';
import { nearest } from './kernel/nearest.ts';
import { environment } from './system/environment.ts';

/** What other tools call it; the nearest spelling of `install` would be `uninstall`. */
const OTHER_NAMES: Readonly<Record<string, string | undefined>> = { install: 'init', setup: 'init' };

/** 1: the work did not succeed; 2: wrong usage or input; 3: the machine lacks something. */
const EXIT: Readonly<Record<ErrorCode, number>> = {
  'bad-usage': 2,
  'bad-input': 2,
  'bad-config': 2,
  'unknown-task': 2,
  'unknown-session': 2,
  'session-gone': 1,
  'missing-program': 3,
  'not-prepared': 1,
  'store-unreachable': 3,
  'store-damaged': 3,
  'disk-full': 3,
  'not-typed': 1,
  'stale-owner': 1,
  conflict: 1,
  internal: 1,
};

/** Put in by scripts/build.mjs. */
declare const FOREWORD_VERSION: string;

const argv = process.argv.slice(2);
const env = environment();
const hasColor = wantsColor(env, process.stdout.isTTY === true);
// Help and version are texts of ours; everything else is printed after a redactor is set.
const first = makeOut({ stdout: process.stdout, stderr: process.stderr, hasColor }, (text) => text);
let hasRedactor = false;
const out: Out = {
  ...first,
  redactWith: (redact) => {
    hasRedactor = true;
    first.redactWith(redact);
  },
};

/** What a command does that must not be cut off when nobody reads its output any more. */
let stopUnread: (() => void) | undefined;

// A reader that closes early (`foreword context | head -1`) and a closed terminal (EIO) are no errors of ours; a full disk behind
// the output is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const isUnread = error.code === 'EPIPE' || (error.code === 'EIO' && process.stdout.isTTY);
  if (isUnread && stopUnread !== undefined) return stopUnread();
  if (!isUnread) out.note(`foreword: the output could not be written: ${error.message}`);
  process.exit(isUnread ? (process.exitCode ?? 0) : EXIT['disk-full']);
});
// Nobody reads what is reported. A command that must not be cut off goes on without.
process.stderr.on('error', () => {
  if (stopUnread === undefined) process.exit(process.exitCode ?? 1);
});

runCommand(argv).then(
  (status) => {
    process.exitCode = status;
  },
  async (error: unknown) => {
    await setRedactor();
    const known = reportedError(error, { hasStack: env.FOREWORD_DEBUG !== undefined });
    process.exitCode = EXIT[known.code];
    report(known, out);
  },
);

async function runCommand(words: readonly string[]): Promise<number> {
  const [name, ...rest] = commandFirst(words);
  if (name === undefined && process.stdin.isTTY && process.stdout.isTTY) return start();
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return help(rest[0]);
  if (name === '--version' || name === '-v') {
    out.print(FOREWORD_VERSION);
    return 0;
  }
  const command = await find(name);
  const call = callOf(command, rest);
  if (call.has('help')) return help(command.name);
  if (command.bringsRedactor !== true) await setRedactor();
  // Loaded only where it can matter.
  const isInRun = environment().FOREWORD_STATE !== undefined;
  const mayBeCheckout = isInRun || /\/p[0-9a-f]{16}\//.test(`${process.cwd()}/ ${call.text('cwd') ?? ''}/`);
  if (mayBeCheckout && command.worksInCheckouts !== true)
    (await import('./cli/checkout.ts')).refuseCheckout(command.name, call);
  return command.run(call);
}

/** `foreword` alone on a terminal: the start for newcomers. */
async function start(): Promise<number> {
  const { welcome } = await import('./cli/welcome.ts');
  await setRedactor();
  return welcome(callOf(await find('init'), []));
}

/** Leaves a project's own in place, which knows more secrets. */
async function setRedactor(): Promise<void> {
  if (hasRedactor) return;
  const { redactorOfMachine } = await import('./cli/redactor.ts');
  out.redactWith(redactorOfMachine());
}

function callOf(command: Command, words: readonly string[]): Call {
  const whenUnread = (stop: () => void): void => {
    stopUnread = stop;
  };
  return {
    ...parseWords(command, words),
    version: FOREWORD_VERSION,
    out,
    input: readInput,
    whenUnread,
    commands: allCommands,
  };
}

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  const guess = OTHER_NAMES[name] ?? nearest(name, Object.keys(COMMANDS));
  throw new ForewordError('bad-usage', `There is no command "${name}".`, {
    hint: guess === undefined ? 'foreword --help lists the commands.' : `Did you mean foreword ${guess}?`,
  });
}

async function help(name: string | undefined): Promise<number> {
  if (name !== undefined) out.print(commandHelp(await find(name)));
  else out.print(overview(await loadGroups(), FOREWORD_VERSION));
  return 0;
}

function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}

function loadGroups(): Promise<readonly (readonly [string, readonly Command[]])[]> {
  const loaded = Object.entries(GROUPS).map(
    async ([title, commands]) => [title, await Promise.all(Object.values(commands).map((load) => load()))] as const,
  );
  return Promise.all(loaded);
}

async function readInput(): Promise<string | undefined> {
  if (process.stdin.isTTY) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function report(known: ForewordError, to: Out): void {
  const { code, message, hint, faults } = known;
  if (argv.includes('--json')) {
    to.json({
      error: { code, message, ...(hint === undefined ? {} : { hint }), ...(faults.length > 0 ? { faults } : {}) },
    });
    return;
  }
  to.note(`foreword: ${message}`);
  for (const fault of faults) to.note(`  ${renderFault(fault)}`);
  if (hint !== undefined) to.note(`  ${hint}`);
}

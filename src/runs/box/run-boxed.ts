// Runs one program in a box: makes its private folders, holds the settings that it must not create, starts it, and names what it
// wrote that is not kept.

import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { AgentBox } from '../../kernel/agent-box.ts';
import type { ProcessEnd, ProcessRequest, RunProcess } from '../../kernel/process.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { hiddenMounts } from '../sandboxes/mounts.ts';
import { outerLine } from '../sandboxes/outer-shell.ts';
import { filterFor } from '../sandboxes/seccomp.ts';
import type { BoxPlace, RoomEnd, RoomShown } from './box.ts';
import { type BoxLayout, layoutOf } from './layout.ts';
import { boxLine } from './line.ts';
import { holdPlaceholders, type Journal } from './placeholders.ts';
import { makePrivateFolders, removeLater, writtenInHome } from './private-folders.ts';
import { refusedSentences } from './refused.ts';
import { setAside } from './set-aside.ts';

/** What is the same for every box of a run. */
export interface BoxSetup {
  /** Absolute path of bwrap. */
  readonly program: string;
  readonly run: RunProcess;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Our state folder. */
  readonly state: string;
  readonly allow: readonly string[];
  readonly readable: readonly string[];
  /** Programs that every box needs: Node, and foreword for its hooks. */
  readonly programs: readonly string[];
  readonly journal: Journal;
}

export interface BoxedProgram {
  readonly box: AgentBox | undefined;
  readonly place: BoxPlace;
  readonly request: ProcessRequest;
  readonly shown: RoomShown & { readonly folder: string };
}

/** Files that variables of every child name: without them a service behind a proxy cannot be reached. */
const CERTIFICATES = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

export function layoutFor(setup: BoxSetup, { box, place, request, shown }: BoxedProgram): BoxLayout | string {
  const { home, variables, state, allow, readable, programs } = setup;
  return layoutOf({
    box,
    place,
    command: request.command,
    path: request.env.PATH ?? '',
    folder: shown.folder,
    home,
    variables,
    state,
    allow,
    readable: [...readable, ...CERTIFICATES.flatMap((name) => request.env[name] ?? [])],
    shown: {
      writable: shown.writable ?? [],
      readOnly: shown.readOnly ?? [],
      isTreeReadOnly: shown.isTreeReadOnly === true,
    },
    programs,
  });
}

export async function runBoxed(setup: BoxSetup, program: BoxedProgram, signal?: AbortSignal): Promise<RoomEnd> {
  const layout = layoutFor(setup, program);
  if (typeof layout === 'string')
    return { end: notStarted(`no box can be made: ${layout}`), box: { level: 'bubblewrap' } };
  const { folder } = program.shown;
  const links = layout.links.map((path) => ({ path, leadsTo: readlinkSync(path) }));
  let release: () => Promise<void> = async () => undefined;
  try {
    await makePrivateFolders(folder, layout);
    for (const path of layout.made) mkdirSync(path, { recursive: true, mode: 0o700 });
    release = await holdPlaceholders(setup.journal, layout.missing);
    const end = await setup.run(boxedRequest(setup, program, layout), signal);
    const output = [end.stdout.text, end.stderr.text];
    const seen = {
      home: setup.home,
      written: await writtenInHome(layout),
      output,
      restored: restoreLinks(links),
      aside: setAside(layout.notThere),
    };
    const refused = refusedSentences(seen);
    return {
      end: startFailure(endedBySignal(end), program),
      box: { level: 'bubblewrap', ...(refused.length === 0 ? {} : { refused }) },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { end: notStarted(`the box could not be made: ${reason}`), box: { level: 'bubblewrap' } };
  } finally {
    setAside(layout.notThere);
    await release();
    removeLater(folder);
  }
}

function boxedRequest(
  setup: BoxSetup,
  { box, place, request, shown }: BoxedProgram,
  layout: BoxLayout,
): ProcessRequest {
  const makesNamespaces = box?.makesNamespaces === true;
  const filter = filterFor(process.arch, makesNamespaces ? 'nesting-agent' : 'agent');
  const file = join(shown.folder, 'filter');
  if (filter !== undefined) replaceFile(file, filter, { mode: 0o600, isSynced: false });
  const { words, script } = boxLine({
    program: setup.program,
    filter: filter === undefined ? undefined : file,
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    mounts: layout.mounts,
    hidden: hiddenMounts().map(({ target }) => target),
    cwd: place.cwd,
    makesNamespaces,
    command: layout.command,
  });
  const line = outerLine(words, script);
  if (typeof line === 'string') throw new Error(line);
  // The session's folder of sockets is not there.
  const { XDG_RUNTIME_DIR: _, ...env } = request.env;
  return { ...request, command: line, cwd: '/', env: { ...env, TMPDIR: '/tmp' } };
}

/** bwrap ends as a shell does: with 128 and the number of the signal that ended its program. */
function endedBySignal(end: ProcessEnd): ProcessEnd {
  const number = (end.exitCode ?? 0) - 128;
  const name = Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
  return name === undefined ? end : { ...end, exitCode: null, signal: name };
}

/** bwrap ends with 1 when it cannot build the box; a program that imitates it has failed all the same. */
function startFailure(end: ProcessEnd, { request }: BoxedProgram): ProcessEnd {
  const text = end.stderr.text;
  if (end.exitCode !== 1 || end.stdout.bytes > 0 || !text.startsWith('bwrap: ')) return end;
  const reason = text.slice('bwrap: '.length, 500).trim().split('\n')[0] ?? '';
  const why = /^execvp .*: No such file/.test(reason) ? 'no such command' : reason;
  return { ...end, exitCode: null, startError: `Could not start ${request.command[0]} in the box: ${why}.` };
}

/** Nothing can be mounted over a link, so an agent can put another file in its place. */
function restoreLinks(links: readonly { readonly path: string; readonly leadsTo: string }[]): readonly string[] {
  return links.flatMap(({ path, leadsTo }) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true && readlinkSync(path) === leadsTo) return [];
    rmSync(path, { recursive: true, force: true });
    symlinkSync(leadsTo, path);
    return [path];
  });
}

function notStarted(startError: string): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, startError };
}

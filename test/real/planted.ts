// A planted set-up for `foreword xray` with a real agent: the texts, a server with 40 tools, and what must be found of them with every agent.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { labPrograms } from '../../scripts/lab/install.mjs';
import type { XrayFinding } from '../../src/verify/xray/findings.ts';
import type { XrayChange, XrayResult } from '../../src/verify/xray/result.ts';
import { COMMAND, figure } from './field.ts';

export const BIG = Array.from({ length: 400 }, (_, line) => `rule ${line}: the planted text goes on and on.`)
  .join('\n')
  .slice(0, 11_999)
  .concat('.');
/** More than an agent takes of an instruction file. */
export const LONG = Array.from(
  { length: 900 },
  (_, line) => `Rule ${line}: short sentences, and a test for each change.`,
)
  .join('\n')
  .slice(0, 39_999)
  .concat('.');
export const SAME = 'Never push to main, say both of the two hooks of this set-up.';
export const IMPORTED = 'An imported file with a sentence of its own, and nothing else in it.';
export const OF_HOME = 'Answer briefly, says the file of the home, and use plain words in every answer.';
export const OF_PROJECT = 'The project wants tabs and short sentences, and a test for every change of behaviour.';

export const SKILL = 'Plants things in a set-up, and is named to the model with this sentence.';

/** A server with 40 tools, on standard input and output. */
const SERVER = `
const tools = Array.from({ length: 40 }, (_, at) => ({ name: 'tool_' + at, description: 'Does the planted thing number ' + at + '.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const hello = () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1' } });
  const result = method === 'initialize' ? hello() : method === 'tools/list' ? { tools } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

/** What every planted set-up does, as lines of a shell. */
export const LINES = {
  big: (home: string) => `cat ${home}/hooks/big.txt`,
  time: 'echo "It is now $(date +%s%N) by the clock of a planted hook"',
  slow: 'sleep 1.2',
  failing: 'echo no such table >&2; exit 3',
  same: `echo '${SAME}'`,
  again: `printf '%s\\n' '${SAME}'`,
  dropped: 'echo "plain text at a tool, which the agent drops"',
} as const;
export const DROPPED = /"(.*)"/.exec(LINES.dropped)?.[1] ?? '';
/** What LINES.time prints, with any nanoseconds. */
export const TIME = 'It is now 1795035996101234567 by the clock of a planted hook';

export interface Field {
  readonly home: string;
  /** Below the folder, which has `home/` with `home/project/` in it. */
  write(path: string, text: string): void;
}

/** Hooks of one event, in the layout that most agents share. */
export function hooksOf(...commands: readonly string[]): readonly object[] {
  return commands.map((command) => ({ hooks: [{ type: 'command', command }] }));
}

export function serverCommand(home: string): readonly [string, string] {
  return [process.execPath, `${home}/hooks/server.cjs`];
}

export interface Planted {
  readonly result: XrayResult & { readonly ms: number; readonly since?: { readonly by: readonly XrayChange[] } };
  readonly page: string;
  /** After the change. */
  readonly second?: Planted;
  /** The finding of a kind whose owner has this in its name. */
  one(kind: XrayFinding['kind'], name: string): XrayFinding | undefined;
  /** Characters of an owner in the request, without what the agent wrote around them. */
  own(name: string, moment?: string): number;
}

export interface PlantedMore {
  /** Folders for the PATH. */
  readonly path?: readonly string[];
  /** What changes before a second xray of the same set-up. */
  readonly change?: (field: Field) => void;
}

/** Plants, runs `foreword xray AGENT`, and expects what holds for every agent: the home is as it was, the parts add up to each request, and
 *  less than one percent is unknown. */
export function xrayPlanted(agent: string, plant: (field: Field) => void, more: PlantedMore = {}): Planted {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-real-xray-'));
  try {
    const home = join(folder, 'home');
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('home/hooks/big.txt', BIG);
    write('home/hooks/server.cjs', SERVER);
    write('home/project/readme.txt', 'one two three\n');
    plant({ home, write });
    const { path, program } = labPrograms()[agent] ?? { path: [], program: '' };
    const env = {
      HOME: home,
      PATH: [dirname(program), ...path, ...(more.path ?? []), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      XDG_STATE_HOME: join(folder, 'state'),
    };
    const page = join(folder, 'xray.html');
    const run = (): Planted => {
      const before = snapshot(home);
      const ran = spawnSync(process.execPath, [COMMAND, 'xray', agent, '--yes', '--json', '--html', page], {
        cwd: join(home, 'project'),
        env,
        encoding: 'utf8',
        timeout: 280_000,
        maxBuffer: 64 * 1024 * 1024,
      });
      expect(ran.status, `${ran.stderr}${ran.stdout.slice(0, 2000)}`).toBe(0);
      expect(snapshot(home)).toEqual(before);
      const result = JSON.parse(ran.stdout) as Planted['result'];
      figure(agent, 'xray of a planted set-up', result.ms);
      expect(result.missed).toEqual([]);
      expectOwned(result);
      return { result, page: readFileSync(page, 'utf8'), ...lookups(result) };
    };
    const first = run();
    if (more.change === undefined) return first;
    more.change({ home, write });
    return { ...first, second: run() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function expectOwned({ requests }: XrayResult): void {
  for (const { moment, characters, parts } of requests) {
    expect(
      parts.reduce((sum, part) => sum + part.characters, 0),
      moment,
    ).toBe(characters);
    const unknown = parts.find(({ owner }) => owner.kind === 'unknown')?.characters ?? 0;
    expect(unknown / characters, moment).toBeLessThan(0.01);
  }
}

function lookups(result: XrayResult): Pick<Planted, 'one' | 'own'> {
  const ownersOf = (finding: XrayFinding) =>
    JSON.stringify('owners' in finding ? finding.owners : 'owner' in finding ? finding.owner : '');
  return {
    one: (kind, name) => result.findings.find((finding) => finding.kind === kind && ownersOf(finding).includes(name)),
    own: (name, moment = 'first prompt') => {
      const request = result.requests.find((one) => one.isMain && one.moment === moment);
      const part = request?.parts.find(({ owner }) => owner.name.includes(name));
      return (part?.characters ?? 0) - (part?.frame ?? 0);
    },
  };
}

/** Every file of the home, by content. */
function snapshot(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(path, name));
      const content = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(path, name)))
            .digest('hex')
        : '';
      return `${name} ${stat.mode} ${content}`;
    });
}

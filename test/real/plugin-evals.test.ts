// The eval cases that ship in the plug-in, run by the host's own command against the recording model: every request of the arm with
// the plug-in holds our text, and no request of the other arm does.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, calling, RealField } from './field.ts';
import { factsOf, runHost } from './plugin-field.ts';

const RUNS = IS_LONG ? 10 : 1;
/** What only who was told can say, by case. */
const KNOWN = { 'next-work': 'tax-rounding', 'pending-review': 'login-limit', 'rules-at-first-tool': '-kestrel' };
const ARMS = ['with', 'without'] as const;

/** What it writes about its runs, as far as this looks at it. */
interface EvalResult {
  readonly cases: readonly {
    readonly name: string;
    readonly arms: Readonly<Record<(typeof ARMS)[number], readonly { readonly tracePath: string }[]>>;
    readonly aggregates: object;
  }[];
}

let field: RealField | undefined;
let plugins: string | undefined;
afterEach(async () => {
  await field?.leave();
  if (plugins !== undefined) rmSync(plugins, { recursive: true, force: true });
  [field, plugins] = [undefined, undefined];
});

test.skipIf(!AGENTS.includes('claude'))(
  'claude plugin eval: all requests with the plug-in hold our text, none without it',
  async () => {
    plugins = mkdtempSync(join(tmpdir(), 'foreword-evals-'));
    cpSync(join(import.meta.dirname, '../../dist/plugins'), plugins, { recursive: true });
    const own = join(plugins, factsOf('claude').folder);
    expect(readdirSync(join(own, 'evals')).sort()).toEqual(Object.keys(KNOWN).sort());
    const of = await RealField.make('claude', [], { isBare: true });
    field = of;
    of.model.standing({
      kind: 'reply',
      reply: (request) => {
        const text = textOf(request);
        const readsFirst = text.includes('Read readme.txt') && !newestTurn(request.texts).hasToolResult;
        if (readsFirst) return calling({ tool: 'Read', input: { file_path: join(folderOf(request), 'readme.txt') } });
        const said = Object.values(KNOWN).find((word) => text.includes(word));
        return { kind: 'text', text: said === undefined ? 'unknown' : `${said}.ts` };
      },
    });
    const { project, env } = of.scratch;
    const host = { name: 'claude', program: of.program.program, env: { ...env }, cwd: project, plugins };
    const result = join(project, 'result.json');
    const words = ['--trust-plugin', '--scaffold', '--no-publish', '--runs', `${RUNS}`, '--json', result];
    await runHost(host, ['plugin', 'eval', own, ...words, '--output-dir', join(project, 'results')]);

    const { cases }: EvalResult = JSON.parse(readFileSync(result, 'utf8'));
    const whole = { score: 1, scoreWithout: 0, delta: 1 };
    expect(cases.map(({ name, aggregates }) => [name, aggregates])).toEqual(
      Object.keys(KNOWN).map((name) => [name, expect.objectContaining(whole)]),
    );
    const requests = of.model.requests().filter(({ isMain }) => isMain);
    const seen = ARMS.map((arm) => {
      // <the run's folder>/out/trace.jsonl, where the run works in <the run's folder>/home/cwd.
      const folders = cases.flatMap(({ arms }) => arms[arm].map(({ tracePath }) => dirname(dirname(tracePath))));
      const own = requests.filter((request) => folders.some((each) => folderOf(request).startsWith(`${each}/`)));
      return { arm, all: own.length, told: own.filter((one) => textOf(one).includes('[foreword startup fw_')).length };
    });
    // One request in each run, and another one in the case that reads a file.
    const all = RUNS * (Object.keys(KNOWN).length + 1);
    expect(seen).toEqual([
      { arm: 'with', all, told: all },
      { arm: 'without', all, told: 0 },
    ]);
    expect(requests.filter((one) => textOf(one).includes('[foreword gate fw_'))).toHaveLength(RUNS);
  },
  300_000,
);

function textOf({ texts }: RecordedRequest): string {
  return texts.map(({ text }) => text).join('\n');
}

/** Each run has a folder of its own. */
function folderOf(request: RecordedRequest): string {
  return /Primary working directory: (\S+)/.exec(textOf(request))?.[1] ?? '';
}

// What a shell command was for, as far as a later session needs to know it: tests, builds, or neither. By its words: no shell is
// understood here.

import type { CommandKind } from '../../kernel/session-work.ts';

/** Programs that run what the next words name. */
const RUNNERS = new Set(
  'npm pnpm yarn bun bunx deno npx cargo go make mvn mvnw gradle gradlew dotnet mix rake bundle poetry uv just zig swift flutter bazel composer sbt hatch pdm rails'.split(
    ' ',
  ),
);
const TESTERS = new Set(
  'pytest jest vitest mocha ava rspec phpunit ctest tox nox playwright cypress bats busted ginkgo nextest unittest'.split(
    ' ',
  ),
);
const BUILDERS = new Set(
  'tsc webpack rollup esbuild cmake ninja gcc g++ clang javac rustc msbuild eslint biome mypy ruff'.split(' '),
);
/** Words between a runner and what it runs. */
const BETWEEN = new Set(['run', 'run-script', 'exec', '-s', '--silent', '--', '-m']);
const TESTS = /^[\w:.-]*(?:test|check|spec|verify)[\w:.-]*$/;
const BUILDS = /^[\w:.-]*(?:build|compile|package|lint|typecheck|types|vet|assemble)[\w:.-]*$/;

export function commandKind(command: string): CommandKind | undefined {
  const kinds = command
    .slice(0, LONGEST)
    .split(/[;&|()\n]+/)
    .map(partKind);
  return kinds.find((kind) => kind === 'tests') ?? kinds.find((kind) => kind !== undefined);
}

const LONGEST = 2000;

/** Of one command of a line. */
export function partKind(part: string): CommandKind | undefined {
  const words = part.trim().split(/\s+/);
  const own = words.filter((word) => !/^\w+=/.test(word));
  const name = own[0]?.split('/').at(-1) ?? '';
  if (TESTERS.has(name)) return 'tests';
  if (BUILDERS.has(name)) return 'build';
  const isNode = name === 'node' && own.includes('--test');
  if (isNode || isTestScript(own)) return 'tests';
  const isPython = /^python\d*$/.test(name) && own[1] === '-m';
  if (!RUNNERS.has(name) && !isPython) return undefined;
  const next = own.slice(1).find((word) => !BETWEEN.has(word) && !word.startsWith('--')) ?? '';
  if (TESTERS.has(next) || TESTS.test(next)) return 'tests';
  if (BUILDERS.has(next) || BUILDS.test(next)) return 'build';
  // `make` alone, or with options, builds.
  return name === 'make' && (next === '' || next === 'all' || next.startsWith('-')) ? 'build' : undefined;
}

/** `node test.js`, `python3 tests/run.py`, `./scripts/check.sh`: a file that is run, with the word in its name or its folder. */
function isTestScript(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const script = INTERPRETERS.test(program) ? rest.find((word) => !word.startsWith('-')) : program;
  const parts = (script ?? '').split('/').slice(-2);
  const isRun = script !== program || program.includes('/');
  return isRun && parts.some((part) => TEST_NAME.test(part));
}

const TEST_NAME = /(?:^|[._-])(?:tests?|check|specs?|verify)(?:[._-]|$)/;
const INTERPRETERS = /^(?:\/usr\/bin\/)?(?:node|python\d*|ruby|perl|php|bash|sh|zsh|lua|Rscript|tsx|ts-node)$/;

const ERROR =
  /\b(?:\w*(?:Error|Exception)\b|error\b.*:|expected\b|assert\w*|panic\w*|cannot\b|not found\b|undefined\b)/i;
/** A test by its name. */
const NAMED = /^(?:✖|✗|×|not ok \d+|--- FAIL:|FAIL(?:ED)?|\d+\))\s*[-:]?\s*\S/;
const TELLING = /\b(?:error|fail(?:ed|ing|ures?|s)?)\b/i;
/** Counts and titles: that something failed is known without them. */
const EMPTY_WORDS =
  /\b(?:tests?|files?|suites?|specs?|snapshots?|fail(?:s|ed|ing|ures?)?|errors?|pass(?:ed|es|ing)?|total|skipped|todo|cancell?ed|pending|duration\w*|npm|err|code|elifecycle|lifecycle|script|command|see|above|for|more|details|of|and|in|ran|all|with|exit(?:ed)?|status|the|m?s|sec(?:onds)?)\b/gi;

function saysSomething(line: string): boolean {
  return /[a-z]{2}/i.test(line.replace(EMPTY_WORDS, ''));
}

/** The line of a failed command's output that says most: the first that names an error, else a test, else the last. One that
 *  only announces the next is joined to it. */
export function tellingLine(output: string): string | undefined {
  const lines = output
    .slice(-LOOKED_AT)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line) && !QUOTED_SOURCE.test(line));
  const saying = lines.filter(saysSomething);
  const best =
    saying.find((line) => ERROR.test(line)) ??
    saying.find((line) => NAMED.test(line)) ??
    saying.find((line) => TELLING.test(line)) ??
    saying.at(-1) ??
    lines.at(-1);
  const next = best?.endsWith(':') === true ? lines[lines.indexOf(best) + 1] : undefined;
  return next === undefined ? best : `${best} ${next}`;
}

/** Node shows the call that threw before it names the error. */
const QUOTED_SOURCE = /triggerUncaughtException\(|^throw \w|^\^+$/;
/** An error is named at the end of the output more often than at its beginning. */
const LOOKED_AT = 20_000;

// Rules that neither the linter nor the dependency rules can say. Prints every breach and exits 1 if there is one.
// Usage: node scripts/house-rules.mjs [FOLDER]   (default: the project). To add a rule: add a line to RULES.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentNames, writeCatalogs } from './agents-catalog.mjs';
import { isPure, isTestCode, productAndTestFiles } from './house-files.mjs';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
writeCatalogs(root);

/** Agents whose name is also a word that a program about terminals needs: only a text that is nothing but the name counts. */
const ORDINARY_WORDS = ['cursor'];

/** What an agent reads is fixed by the contract. */
const AGENT_TEXTS = /^src\/context\/texts\//;

/** Words of our own, which a reader from outside does not know or takes for something else. */
const PRIVATE_WORDS = [
  /(?<![-\w])(tell|tells|telling|hear|hears|heard|speak|speaks|spoke|spoken|mend|mends|mended|anew)(?![-\w])/i,
  /\b(this is none|is told nothing|unless told|by lot|(leave|leaves|left) word|sits? down|stands? against|for so long)\b/i,
  // Of a function, in a comment: `returns`.
  /^\s*Answers\b|\banswers (`|true\b|false\b|undefined\b)/,
];
/** Only of what an agent reads. */
const TOLD = /\btold\b/i;
const AGENT = /\b(agent|session|attempt|model)s?\b/i;

const RULES = [
  {
    name: 'app-only-joins',
    pattern: /\bset(Timeout|Interval|Immediate)\(|\bsleep\(/,
    except: /^src\/(?!app\/)/,
    why: 'a timer belongs to a feature; app/ only joins (its complexity is checked by oxlint)',
  },
  {
    name: 'pure-knows-no-clock',
    pattern:
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bset(Timeout|Interval|Immediate)\(|\bprocess\.(?!ts)\w|\bfetch\(|\bBuffer\.|\bMath\.random\(|\bcrypto\./,
    only: isPure,
    why: 'facts, times and ids are handed in to what decides',
  },
  {
    name: 'no-shell',
    pattern: /(?<![.\w])exec(Sync)?\(|shell:\s*true/,
    why: 'start programs by execFile or spawn with a list of arguments',
  },
  {
    name: 'no-pattern-from-text',
    pattern: /new RegExp\((?!\/)/,
    why: 'a pattern built from text can hang or be injected',
  },
  {
    name: 'no-chunk-to-string',
    pattern: /chunk\.toString\(/,
    why: 'a chunk may end inside a character; use a streaming decoder',
  },
  {
    name: 'no-plain-write',
    pattern: /\b(writeFile|writeFileSync|appendFileSync)\(/,
    // The recorder is text that runs inside of an agent, where there is no replaceFile; it writes aside and renames.
    except: /^src\/(system\/(files|git)\/|verify\/xray\/module-recorder\.ts$)/,
    why: 'replaceFile in system/files/atomic.ts is the one way to write a file',
  },
  {
    name: 'no-text-as-replacement',
    pattern: /\.replace(All)?\([^,()]+, (?!['"`]|\(|[a-z]\w*\)|[a-z]\w* =>)[a-z]/,
    why: 'a replacement text expands $&; give a function',
  },
  {
    name: 'one-clock',
    pattern: /\bwait: (async )?\(ms\b/,
    except: /^src\/system\/clock\.ts$/,
    why: 'systemClock in system/clock.ts is the one clock; another one may forget the abort signal',
  },
  {
    name: 'no-vague-name',
    pattern:
      /\b(class|interface|type|function) \w*(Manager|Service|Handler|Util)\b|\b(class|interface|type) \w+Helper\b/,
    except: /^src\/runs\/execution-context\.ts$/,
    why: 'a name that needs one of these has no clear job yet',
  },
  {
    // What people write (configuration, tasks, policy, notes) is named as a whole: '.foreword/config.yaml'.
    name: 'state-has-one-place',
    pattern:
      /^(?!\s*(\/\/|\/?\*)).*(\b(join|resolve)\(.*['"`/](\.foreword|runs|in-place|observer|turns|spool|gate|installed)['"`]|['"`/](foreword|search)\.db['"`])/,
    except: /^src\/(system\/files\/project-state|reports\/doctor-rows)\.ts$/,
    why: 'system/files/project-state.ts says where what we keep lies',
  },
  {
    name: 'no-agent-name-outside',
    pattern: namesAgent(agentNames(root)),
    except: /^src\/agents\//,
    why: 'what is known of one agent stands in its folder; a comment may name one with the version it was seen in, a text for people a command line (foreword …) with one',
  },
  {
    // Sandboxes and boxes are made of what Linux has and nobody else: namespaces, mounts, bubblewrap.
    name: 'platform-in-system',
    pattern: /\bprocess\.(platform|arch)\b|\/proc\//,
    except:
      /^src\/(system\/platform\.ts$|system\/processes\/linux\.ts$|system\/network-namespace\.ts$|runs\/sandboxes\/|runs\/box\/)/,
    why: 'system/ knows what differs between systems: take it from system/platform.ts or system/processes/',
  },
  {
    name: 'plain-words',
    pattern: { test: hasPrivateWord },
    only: (path) => !AGENT_TEXTS.test(path),
    why: 'use the usual word: fix, print, log, report, return, again, control group; "told" only for what an agent reads',
  },
];

const files = productAndTestFiles(root).filter((file) => !isTestCode(file));

const breaches = [];
/** Exported type name → the files that have it. */
const names = new Map();
for (const path of files) {
  for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    for (const rule of RULES) {
      if (!rule.pattern.test(line) || rule.except?.test(path) || rule.only?.(path) === false) continue;
      if (!line.includes(`house-rule: ${rule.name}`)) breaches.push(`${path}:${index + 1}: ${rule.name}: ${rule.why}`);
    }
    const name = /^export (?:interface|type|class|enum) (\w+)/.exec(line)?.[1];
    if (name === undefined) continue;
    names.set(name, [...(names.get(name) ?? []), path]);
  }
}
/** Joining that grows is deciding. */
const APP_FILE_LINES = 80;
const APP_LINES = 1200;
const joining = files
  .filter((path) => path.startsWith('src/app/'))
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }));
for (const { path, lines } of joining)
  if (lines > APP_FILE_LINES) breaches.push(`app-only-joins: ${path} has ${lines} lines, at most ${APP_FILE_LINES}`);
const together = joining.reduce((sum, { lines }) => sum + lines, 0);
if (together > APP_LINES) breaches.push(`app-only-joins: src/app/ has ${together} lines, at most ${APP_LINES}`);
for (const [name, having] of names)
  if (having.length > 1) breaches.push(`names-are-unique: ${name} is a type in ${having.join(' and in ')}`);
for (const breach of breaches) console.error(breach);
console.log(`${files.length} files, ${breaches.length} breaches`);
process.exitCode = breaches.length > 0 ? 1 : 0;

/** Looks at comments and string literals; names in code do not count. */
function hasPrivateWord(line) {
  const [code = '', comment = ''] = splitComment(line);
  const literals = code.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return [comment, ...literals.map((literal) => literal.slice(1, -1))].some(
    (text) => PRIVATE_WORDS.some((word) => word.test(text)) || (TOLD.test(text) && !AGENT.test(text)),
  );
}

/** The code of a line, and the text of its comment. */
function splitComment(line) {
  return line.split(/(?<=^|\s)(?:\/\/|\/?\*\*? )(.*)/s);
}

/** Matches a line that names an agent. */
function namesAgent(names) {
  const plain = names.filter((name) => !ORDINARY_WORDS.includes(name)).join('|');
  const word = new RegExp(`(?<![\\w-])(?:${plain})(?![a-z0-9])`);
  // CLAUDE.md is a file that several agents read.
  const title = new RegExp(`(?<![a-z0-9])(?:${plain})(?![a-z0-9])(?!\\.md)`, 'i');
  const literal = new RegExp(`(['"\`])(?:${ORDINARY_WORDS.join('|')})\\1(?!:)`);
  return {
    test: (line) => {
      const [code = '', comment = ''] = splitComment(line);
      const isCode = (word.test(code) || title.test(code) || literal.test(code)) && !/\bforeword [a-z]/.test(code);
      return isCode || (title.test(comment) && !/\d+\.\d+/.test(comment));
    },
  };
}

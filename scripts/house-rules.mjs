// Rules that neither the linter nor the dependency rules can say. Prints every breach and exits 1 if there is one.
// Usage: node scripts/house-rules.mjs [FOLDER]   (default: the project). To add a rule: add a line to RULES.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const RULES = [
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
    except: /^src\/(files|git)\//,
    why: 'replaceFile in files/atomic.ts is the one way to write a file',
  },
  {
    name: 'no-text-as-replacement',
    pattern: /\.replace(All)?\([^,()]+, (?!['"`]|\(|[a-z]\w*\)|[a-z]\w* =>)[a-z]/,
    why: 'a replacement text expands $&; give a function',
  },
  {
    name: 'no-vague-name',
    pattern:
      /\b(class|interface|type|function) \w*(Manager|Service|Handler|Util)\b|\b(class|interface|type) \w+Helper\b/,
    except: /design-001/,
    why: 'a name that needs one of these has no clear job yet',
  },
];

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

let breaches = 0;
for (const file of files) {
  const path = relative(root, file);
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const rule of RULES) {
      if (!rule.pattern.test(line) || rule.except?.test(path) || line.includes(`house-rule: ${rule.name}`)) continue;
      console.error(`${path}:${index + 1}: ${rule.name}: ${rule.why}`);
      breaches += 1;
    }
  }
}
console.log(`${files.length} files, ${breaches} breaches`);
process.exitCode = breaches > 0 ? 1 : 0;

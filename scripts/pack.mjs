// Packs this checkout, and prints the name of the file: what `npm pack` makes, without building again. Refuses where nothing was
// built: npm would make a package without a program.
//
//   tgz=$(npm run --silent pack) && npm install --global "$tgz"

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const NEEDED = ['dist/command/start.cjs', 'dist/hook/hook.cjs', 'dist/index.js'];

const missing = NEEDED.filter((file) => !existsSync(join(ROOT, file)));
if (missing.length > 0) {
  console.error(
    `Nothing was packed: ${missing.join(', ')} is missing, so this checkout is not built. Run npm ci first.`,
  );
  process.exit(1);
}
const [name] = execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
console.log(name);

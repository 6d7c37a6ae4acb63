// Loading the SQLite engine leaves Node's diagnostic report as it was.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const OPEN = join(import.meta.dirname, '../../dist/command/stores-sqlite-open.cjs');

test('the engine loads without a whole report, and the report works afterwards', () => {
  const text = `
    const { getReport } = process.report;
    let made = 0;
    process.report.getReport = (...args) => { made += 1; return getReport.apply(process.report, args); };
    const mine = process.report.getReport;
    require(${JSON.stringify(OPEN)});
    console.log(JSON.stringify({ made, isMine: process.report.getReport === mine, has: 'header' in process.report.getReport() }));
  `;
  const printed = JSON.parse(execFileSync(process.execPath, ['-e', text], { encoding: 'utf8' }));
  const isPlain = readFileSync('/proc/self/maps', 'utf8').includes('/ld-linux-');
  expect(printed).toEqual({ made: isPlain ? 0 : expect.any(Number), isMine: true, has: true });
});

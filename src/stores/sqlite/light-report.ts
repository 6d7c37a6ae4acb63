// The package libsql asks Node's diagnostic report for the C library, to choose its binary. Making the report takes 4 ms of
// the 60 of a short command, and of every hook that opens the store. While the package is loaded, a report with just that
// answer stands in, where the answer is plain (measured with --cpu-prof, Node 20.20).

import { cLibrary } from '../../system/c-library.ts';

const { report } = process;
const full = report?.getReport;

if (full !== undefined && cLibrary() === 'glibc') {
  report.getReport = () => ({ header: { glibcVersionRuntime: 'known' } });
}

/** To be called when the package is loaded. */
export function restoreReport(): void {
  if (full !== undefined) report.getReport = full;
}

// A reporter that names each test which passed at its second try only (test/scale.ts says when there is one): it is a fault of
// the test or of what it tests, and should not be passed over. Beside the JSON report it writes what that leaves out: files that
// did not come to their end, and errors that no test caught.

import { writeFileSync } from 'node:fs';
import { besides } from './what-failed.mjs';

const ENDED = ['passed', 'failed', 'skipped'];

// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter by its default export
export default class SecondTries {
  #report;
  #files = new Set();

  onInit({ config }) {
    if (typeof config.outputFile === 'string') this.#report = config.outputFile;
  }

  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) this.#files.add(moduleId);
  }

  onTestRunEnd(modules, unhandled = []) {
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky === true) console.log(`passed at the second try: ${test.fullName}`);
    const ended = new Set(modules.filter((one) => ENDED.includes(one.state())).map(({ moduleId }) => moduleId));
    const unended = [...this.#files].filter((file) => !ended.has(file));
    const errors = unhandled.map((error) => ({ file: error.VITEST_TEST_PATH ?? unended[0], message: error.message }));
    if (this.#report !== undefined) writeFileSync(besides(this.#report), JSON.stringify({ unended, errors }));
  }
}

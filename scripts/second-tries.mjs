// A reporter that names each test which passed at its second try only (test/scale.ts says when there is one): it is a fault of
// the test or of what it tests, and should not be passed over.

// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter by its default export
export default class SecondTries {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky === true) console.log(`passed at the second try: ${test.fullName}`);
  }
}

// For a child that a test starts and ends itself: it ends with the test also when an expectation before that fails. A child
// left over holds the output it inherited open; vitest then says "close timed out" and the process stays on the machine.

import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Only inside a test; not in concurrent ones, which vitest cannot tell apart here. */
export function endWithTest<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

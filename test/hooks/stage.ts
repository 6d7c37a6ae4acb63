// What every test of the built hook stands on: the hook, built once per file, and for each test a project of its own and
// the environment that an agent would hand on.

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Built, build } from './built.ts';
import { Field } from './field.ts';

export interface Stage {
  readonly built: Built;
  readonly field: Field;
  readonly env: Record<string, string>;
}

/** `take` is given the stage before each test; it is taken down after it, when what the file itself registered is done. */
export function onStage(name: string, take: (stage: Stage) => void): void {
  let built: Built;
  let field: Field;
  beforeAll(async () => {
    built = await build(name);
  });
  afterAll(() => built.remove());
  beforeEach(() => {
    field = new Field();
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: field.folder,
      XDG_STATE_HOME: field.stateHome,
      FOREWORD_NODE: process.execPath,
    };
    take({ built, field, env });
  });
  afterEach(() => field.remove());
}

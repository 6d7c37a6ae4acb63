// The redactor of output before a project is open. A file of its own: a command that opens its project before it prints does
// not load it.

import { makeRedactor, type Redactor } from '../kernel/redact.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';

export function redactorOfMachine(): Redactor {
  return makeRedactor(secretsFromEnv(environment()));
}

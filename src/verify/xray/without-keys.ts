// Replaces keys in the texts of a copied set-up: secrets of this process's environment, values that look like keys, and values whose name
// in the same file says that they are secret.

import { makeRedactor, type Redactor } from '../../kernel/redact.ts';
import { type Environment, secretsFromEnv } from '../../system/environment.ts';
import { type Named, namedInText, namedValues } from './named-values.ts';

/** For the texts in settings. */
export function settingsRedactor(settings: unknown, env: Environment): Redactor {
  return redactorOf(namedValues(settings), env);
}

/** A file whose lines name values, and settings that cannot be read as such. */
export function withoutKeys(text: string, file: string, env: Environment): string {
  return redactorOf(
    namedInText(text, file, (named) => secretsIn(named).length > 0),
    env,
  )(text);
}

function redactorOf(named: readonly Named[], env: Environment): Redactor {
  return makeRedactor([...new Set([...secretsFromEnv(env), ...named.flatMap(secretsIn)])]);
}

function secretsIn([name, value]: Named): readonly string[] {
  return secretsFromEnv({ [name]: value });
}

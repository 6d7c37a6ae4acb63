// The only reader of the process's environment. Small, because every start of the command loads it.

export type Environment = Readonly<Record<string, string | undefined>>;

/** For callers that read a setting from it, or pass PATH and the like to a child. */
export function environment(): Environment {
  return process.env;
}

/** PATH, where programs are searched for; empty when it is not set. */
export function searchPath(env: Environment): string {
  return env.PATH ?? '';
}

/** The variables that are set, as a child process gets them. */
export function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Values that must never be shown: of variables with a name that looks secret, and of `extraNames`. Values of fewer than
 *  8 characters are not included: replacing "true" or "1" everywhere would spoil every text. Longest first. */
export function secretsFromEnv(env: Environment, extraNames: readonly string[] = []): string[] {
  const named = new Set(extraNames);
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 8 && (named.has(name) || /KEY|TOKEN|SECRET|PASSW/i.test(name))
      ? [value]
      : [],
  );
  return [...new Set(values)].sort((one, other) => other.length - one.length);
}

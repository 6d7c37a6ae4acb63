// What common credentials look like, as gitleaks, detect-secrets and the services themselves describe them. To add one: a
// line in one of the three files and a sample in redact-formats.test.ts, which fails without it.
// Rules that keep redaction linear and idempotent: a pattern is sticky and starts at its needle; one part repeats
// without bound only where nothing can fail after it, or where `isWord` makes each run tried once; no negative
// lookahead at the end. A first group is kept (`Bearer `), the rest of the match is replaced.

import { SERVICE_TOKENS } from './redact-service-tokens.ts';
import { TOKENS } from './redact-tokens.ts';
import { WRITTEN_SECRETS } from './redact-written.ts';

export interface SecretFormat {
  readonly name: string;
  /** Literals of three characters or more, one of which every match begins with. */
  readonly needles: readonly string[];
  /** For a format with many needles: shorter literals, one of which is in each. Most texts have none of them. */
  readonly within?: readonly string[];
  readonly pattern: RegExp;
  /** The needle may not follow a letter, digit, `_` or `-`. */
  readonly isWord?: true;
  /** Text before the needle that belongs to the secret; anchored at its end, at most 80 characters. */
  readonly before?: RegExp;
  /** Too loose to be tried over a line break. */
  readonly isLoose?: true;
  /** Its pattern goes over lines by itself. */
  readonly isBlock?: true;
}

/** At one place the first that matches is taken. */
export const SECRET_FORMATS: readonly SecretFormat[] = [...TOKENS, ...SERVICE_TOKENS, ...WRITTEN_SECRETS];

// Regular expressions from files, on an engine whose time grows only with the text: no pattern can hang us. What such
// an engine cannot do (look-around, back references) is refused with the reason. The only file that imports re2js.

import { RE2JS } from 're2js';
import type { Matcher } from '../../kernel/matcher.ts';

export type Compiled =
  | { readonly test: (line: string) => boolean; readonly first: (line: string) => string | undefined }
  | { readonly fault: string };

/** A pattern that compiles to more is a mistake or an attack. */
const MAX_PATTERN_CHARS = 2000;

/** Case-insensitive; found anywhere in the line. */
export function compilePattern(text: string): Compiled {
  if (text.length > MAX_PATTERN_CHARS) return { fault: `longer than ${MAX_PATTERN_CHARS} characters` };
  try {
    const pattern = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
    const hasGroup = pattern.groupCount() > 0;
    return {
      test: (line) => pattern.test(line),
      first: (line) => {
        const found = pattern.matcher(line);
        if (!found.find()) return undefined;
        return (hasGroup ? found.group(1) : found.group(0)) ?? '';
      },
    };
  } catch (error) {
    return { fault: reason(error) };
  }
}

/** For `classify`: compiles each pattern once. A pattern that is wrong matches nothing; it was refused when the
 *  configuration was checked. */
export function makeMatcher(): (pattern: string, line: string) => boolean {
  const { test } = makeLineMatcher();
  return test;
}

/** The same with what the first group found, for screens. */
export function makeLineMatcher(): Matcher {
  const known = new Map<string, Compiled>();
  const compiled = (pattern: string): Compiled => {
    let found = known.get(pattern);
    if (found === undefined) {
      found = compilePattern(pattern);
      known.set(pattern, found);
    }
    return found;
  };
  return {
    test: (pattern, line) => {
      const found = compiled(pattern);
      return 'test' in found && found.test(line);
    },
    first: (pattern, line) => {
      const found = compiled(pattern);
      return 'first' in found ? found.first(line) : undefined;
    },
  };
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // The engine puts the flag for upper and lower case before the pattern it was given.
  return text.replace(/^error parsing regexp: /, '').replace('`(?i)', () => '`');
}

// Regular expressions from files, on an engine whose time grows with the text alone: no pattern can hang us. What such
// an engine cannot do (look-around, back references) is refused with the reason. The only home of re2js.

import { RE2JS } from 're2js';

export type Compiled = { readonly test: (line: string) => boolean } | { readonly fault: string };

/** A pattern that compiles to more is a mistake or an attack. */
const MAX_PATTERN_CHARS = 2000;

/** Case-insensitive; found anywhere in the line. */
export function compilePattern(text: string): Compiled {
  if (text.length > MAX_PATTERN_CHARS) return { fault: `longer than ${MAX_PATTERN_CHARS} characters` };
  try {
    const pattern = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
    return { test: (line) => pattern.test(line) };
  } catch (error) {
    return { fault: reason(error) };
  }
}

/** For `classify`: compiles each pattern once. A pattern that is wrong matches nothing; it was refused when the
 *  configuration was checked. */
export function makeMatcher(): (pattern: string, line: string) => boolean {
  const known = new Map<string, Compiled>();
  return (pattern, line) => {
    let compiled = known.get(pattern);
    if (compiled === undefined) {
      compiled = compilePattern(pattern);
      known.set(pattern, compiled);
    }
    return 'test' in compiled && compiled.test(line);
  };
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // The engine puts the flag for upper and lower case before the pattern it was given.
  return text.replace(/^error parsing regexp: /, '').replace('`(?i)', () => '`');
}

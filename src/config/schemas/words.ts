// The small vocabulary that the schemas are written in. Each builder takes or makes the phrase that faults and the
// configuration page use for what is allowed.

import * as v from 'valibot';

/** Some text, not only white space. */
export function text(allowed = 'text') {
  return v.pipe(v.string(allowed), v.regex(/\S/, allowed));
}

/** Text on one line. */
export function line(maxChars: number, allowed = `one line of text, at most ${maxChars} characters`) {
  return v.pipe(
    v.string(allowed),
    v.regex(/^[^\S\r\n\u2028\u2029]*\S[^\r\n\u2028\u2029]*$/, allowed),
    v.maxLength(maxChars, allowed),
  );
}

export function whole(min: number, max?: number) {
  const allowed = max === undefined ? `a whole number, at least ${min}` : `a whole number from ${min} to ${max}`;
  const least = v.pipe(v.number(allowed), v.integer(allowed), v.minValue(min, allowed));
  return v.pipe(least, v.maxValue(max ?? Number.MAX_SAFE_INTEGER, allowed));
}

export function flag() {
  return v.boolean('true or false');
}

export function listOf<S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(item: S, allowed: string) {
  return v.array(item, allowed);
}

export function oneOf<const T extends readonly string[]>(options: T) {
  return v.picklist(options, `one of ${options.join(', ')}`);
}

// A repository causes nothing outside of it, whatever takes the place of the folders that commands look into.

import { afterEach, expect, test } from 'vitest';
import { everydayRows } from '../long.ts';
import { someLines } from './commands.ts';
import { type Outside, openOutside } from './outside.ts';
import { openPerson } from './person.ts';
import { setVariant } from './repository.ts';
import { VARIANTS } from './variants.ts';

let outside: Outside;
afterEach(() => outside.close());

test.each(everydayRows(VARIANTS, 0, 3, 7, 13, 16))('$name: nothing outside changes', async (variant) => {
  outside = await openOutside();
  await setVariant(outside, variant);
  const person = openPerson(outside);
  for (const line of await someLines(outside)) await person.run(line);
  expect(await person.faults()).toEqual([]);
});

// The hostile repository: every trap in one folder, as somebody who unpacks an archive gets it. A clone brings all but what
// lies in .git; an agent that worked in it can have written the rest.

import { prepare } from '../../examples/quickstart/prepare.mjs';
import { IS_LONG } from '../scale.ts';
import { type Ground, openGround, type Trap } from './ground.ts';
import type { Outside } from './outside.ts';
import { CONFIGURATION_TRAPS } from './traps/configuration.ts';
import { FILE_TRAPS, LINKS } from './traps/files.ts';
import { GIT_TRAPS } from './traps/git.ts';
import { PROGRAM_TRAPS } from './traps/programs.ts';
import { STATE_TRAPS } from './traps/state.ts';

/** In the order in which they are set: what commits comes before what makes git unusable. */
export const TRAPS: readonly Trap[] = [
  ...FILE_TRAPS,
  ...CONFIGURATION_TRAPS,
  ...STATE_TRAPS,
  ...PROGRAM_TRAPS,
  ...GIT_TRAPS,
];

/** A small shop with every trap. */
export function setTraps(outside: Outside, root = outside.repository): Promise<Ground> {
  return setThese(TRAPS, openShop(outside, root));
}

/** A small shop with `variant` besides the traps that are set quickly; with every trap in the long run. */
export function setVariant(outside: Outside, variant: Trap): Promise<Ground> {
  const quick = TRAPS.filter((trap) => IS_LONG || !FILE_TRAPS.includes(trap));
  return setThese([LINKS, ...quick, variant], openShop(outside));
}

function openShop(outside: Outside, root = outside.repository): Ground {
  prepare(root);
  return openGround(root, outside);
}

async function setThese(traps: readonly Trap[], ground: Ground): Promise<Ground> {
  for (const trap of traps) {
    try {
      await trap.set(ground);
    } catch (cause) {
      throw new Error(`The trap "${trap.name}" could not be set`, { cause });
    }
  }
  return ground;
}

// What foreword-hook runs, by hook.cjs, when there may be something to print. Apart from the command and its parts, because
// an agent waits for it; the composer is a file of its own.

import { hookArguments, hookProcess } from '../hooks/process.ts';
import { HOOK_PARTS } from './hook-parts.ts';

void hookProcess({ ...hookArguments(process.argv), ...HOOK_PARTS });

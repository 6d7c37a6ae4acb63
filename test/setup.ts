// Property tests take the same cases in every everyday run, so that a landing does not depend on luck; the long run takes
// new ones each time, and a failure there prints its seed.

import fc from 'fast-check';
import { IS_LONG } from './scale.ts';

if (!IS_LONG) fc.configureGlobal({ seed: 20_261_115 });

// SHA-256 by node:crypto, which takes about 2 ms to load: it is loaded by the first use, since an agent waits for its hooks and
// most of them hash nothing.

import { createRequire } from 'node:module';
import type { Sha256 } from '../kernel/hash.ts';

type Crypto = typeof import('node:crypto');

let crypto: Crypto | undefined;

export const sha256: Sha256 = (data) => {
  crypto ??= createRequire('/')('node:crypto') as Crypto;
  return crypto.createHash('sha256').update(data).digest('hex');
};

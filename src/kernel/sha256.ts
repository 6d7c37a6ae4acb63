// SHA-256 in plain arithmetic (FIPS 180-4), for checksums that core writes and checks itself: core has no packages, and
// `crypto` would bring randomness along. A person can check the figure with `sha256sum`.

/** The digest as 64 hexadecimal digits. For some kilobytes; files are hashed at the edge. */
export function sha256(bytes: Uint8Array): string {
  constants ??= makeConstants();
  const state = Uint32Array.from(constants.start);
  const words = new Uint32Array(64);
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const early = at(words, index - 15);
      const late = at(words, index - 2);
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[index] = at(words, index - 16) + first + at(words, index - 7) + second;
    }
    compress(state, words, constants.rounds);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function compress(state: Uint32Array, words: Uint32Array, rounds: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + mixed + ((e & f) ^ (~e & g)) + at(rounds, index) + at(words, index)) >>> 0;
    const other = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (other + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [a, b, c, d, e, f, g, h] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
}

/** The message, a one bit, zeros, and its length in bits, up to a whole number of blocks. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length * 8);
  return padded;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** The first 32 bits of the fractional part of a root: of the square roots of the first 8 primes, and of the cube roots
 *  of the first 64. Made by the first use: most hooks hash nothing. */
function makeConstants(): { readonly start: readonly number[]; readonly rounds: Uint32Array } {
  const primes = firstPrimes(64);
  return {
    start: primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}

let constants: ReturnType<typeof makeConstants> | undefined;

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
}

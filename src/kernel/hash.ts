/** SHA-256 as 64 hexadecimal digits; a text counts as its UTF-8 bytes. Handed in to what decides (system/sha256.ts makes it). */
export type Sha256 = (data: string | Uint8Array) => string;

/** Every breach as one sentence with its line; none when the block can be pasted. */
export function blockFaults(text: string): string[];

/** Faults of every shell block of a page in Markdown. */
export function pageFaults(text: string): string[];

export function linesIn(svg: string): string[];
export function wordsOf(lines: readonly string[]): string;

export function withoutChance(text: string): string;

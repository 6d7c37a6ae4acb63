export function onceMoreAlone(report: string, run: (args: string[]) => number): string[];

export function hasSecondTry(): boolean;
export function onceMoreAlone(
  report: string,
  run: (args: string[]) => number | Promise<number>,
  where?: string,
): Promise<string[]>;

export function runSteps(steps: readonly unknown[]): number;
export function runStepsTwice(steps: readonly unknown[]): { status: number; failed?: string };

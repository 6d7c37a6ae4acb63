export function runSteps(steps: readonly unknown[]): number;
export function runStepsTwice(steps: readonly unknown[]): { status: number; failed?: string };
export function runTogether(steps: readonly unknown[]): Promise<{ status: number; failed?: string }>;

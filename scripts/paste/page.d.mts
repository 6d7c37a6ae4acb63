export interface Block {
  readonly where: 'project' | 'checkout' | 'claude';
  readonly text: string;
  readonly prints?: string;
}

export function blocksOf(page: string): readonly Block[];
export function withOutput(page: string, printed: readonly (string | undefined)[]): string;
export function scriptOf(blocks: readonly Pick<Block, 'text'>[], mark: string): string;
export function resultsOf(
  output: string,
  mark: string,
): { readonly results: readonly { readonly printed: string; readonly status: number }[]; readonly rest: string };
export function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[];

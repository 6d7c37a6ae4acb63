// What an agent's own transcript shows of the work in a session, as facts: what the person asked for, which files were edited,
// which commands ran and how they ended, what is open on its list. work.ts of an agent's folder turns its records into these.

/** What a tool call does when it succeeds. How a command ended is filled in by its result. */
export type WorkDeed =
  | { readonly kind: 'edited'; readonly path: string }
  | { readonly kind: 'ran'; readonly command: string; readonly isFailed?: boolean; readonly text?: string }
  /** The whole list of the agent. */
  | { readonly kind: 'listed'; readonly items: readonly ListedItem[] }
  /** One entry of it. An entry without an id gets the one that the result names: `#3`. */
  | { readonly kind: 'item'; readonly item: Partial<ListedItem> & { readonly id?: string } };

export interface ListedItem {
  readonly text: string;
  readonly isDone: boolean;
}

export type WorkFact =
  | WorkDeed
  /** What a person wrote; may still hold text that a hook put around it. */
  | { readonly kind: 'asked'; readonly text: string }
  /** A tool call, and what it does if it succeeds. */
  | { readonly kind: 'called'; readonly call: string; readonly deeds: readonly WorkDeed[] }
  /** A tool call that is none of these, and whether its tool is known to be none. */
  | { readonly kind: 'used'; readonly isKnown: boolean }
  /** `isRefused`: the person did not allow it, so nothing was done. */
  | {
      readonly kind: 'returned';
      readonly call: string;
      readonly isFailed: boolean;
      readonly isRefused?: boolean;
      readonly text: string;
    }
  /** No person is there: one prompt, and the agent ends. */
  | { readonly kind: 'unattended' };

export interface WorkSpec {
  /** The facts in one record; `undefined` for a record that is of no known kind. */
  facts(record: unknown): readonly WorkFact[] | undefined;
  /** How lines begin that need not be read: they repeat others, and are long. */
  readonly skips?: readonly string[];
  /** For an agent that keeps a database: returns `cursor`, `at` and `record` (JSON), oldest first. Its parameters are the
   *  session's id, the cursor to start after (empty at first), and the most rows. */
  readonly sql?: string;
}

/** A call of this tool by its deeds; without any it is one of the `others`, of a server of tools, or has a name that is not known. */
export function calledAs(
  { call, tool, deeds }: { readonly call: string; readonly tool: string; readonly deeds: readonly WorkDeed[] },
  others: ReadonlySet<string>,
): WorkFact {
  if (deeds.length > 0) return { kind: 'called', call, deeds };
  return { kind: 'used', isKnown: others.has(tool) || /^mcp|__/.test(tool) };
}

/** The value as a map; an empty one when it is none. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts of a message: the text itself, or those of its parts. */
export function textsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map((part) => textOf(mapOf(part).text));
  return texts.filter((text) => text !== '').join('\n');
}

/** A list of an agent, whatever it calls an entry's text. */
export function itemsOf(value: unknown): readonly ListedItem[] {
  return listOf(value).flatMap((entry) => {
    const { content, description, step, subject, status } = mapOf(entry);
    const text = [content, description, step, subject].map(textOf).find((one) => one !== '');
    return text === undefined ? [] : [{ text, isDone: status === 'completed' || status === 'cancelled' }];
  });
}

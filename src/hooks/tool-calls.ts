// Tool calls in what an agent wrote down. Formats differ and change, so little is asked of them: maps with a name and an input,
// under the names that agents have for them: `tool_use`, `function_call`, `functionCall`. Pure.

export interface AgentCall {
  readonly name: string;
  /** The texts of its input, but for those that only say what it is for. */
  readonly texts: readonly string[];
}

export function callsIn(record: object): readonly AgentCall[] {
  const calls: AgentCall[] = [];
  walk(record, (value) => {
    if (typeof value !== 'object' || value === null) return;
    const map = value as Readonly<Record<string, unknown>>;
    const name = map.toolName ?? map.name;
    const input = map.input ?? map.args ?? map.arguments ?? map.toolArgs;
    if (typeof name === 'string' && input !== undefined && input !== null) calls.push(toolCall(name, input));
  });
  return calls;
}

const ABOUT_IT = new Set(['description', 'justification', 'explanation', 'reason', 'title']);

export function toolCall(name: string, input: unknown): AgentCall {
  const texts: string[] = [];
  walk(typeof input === 'string' ? unpacked(input) : input, (value, key) => {
    if (typeof value === 'string' && !ABOUT_IT.has(key)) texts.push(value);
  });
  return { name, texts };
}

/** Some agents write the input down as JSON in a text. */
function unpacked(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Depth first, in order. Records are made by the agent, not by the model; still nothing endless is followed. */
export function walk(value: unknown, visit: (value: unknown, key: string) => void): void {
  const waiting: (readonly [unknown, string])[] = [[value, '']];
  for (let steps = 0; waiting.length > 0 && steps < 100_000; steps += 1) {
    const [next, key] = waiting.pop() ?? [undefined, ''];
    visit(next, key);
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next).reverse()) waiting.push([inner, Array.isArray(next) ? key : name]);
  }
}

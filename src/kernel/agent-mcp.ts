// How one agent uses MCP servers, as data (mcp.ts in its folder): how a person adds ours, and the name by which the agent introduces
// itself, which says whose transcript shows what became of an answer.

export interface McpFacts {
  /** `clientInfo.name` of its requests; some add the name of the server to it, after a dash. */
  readonly client: string;
  /** How its model calls a tool of the server `foreword`; `{tool}` is the tool. */
  readonly tool: string;
  /** Its own command that adds a server for all projects; the server's command line follows. */
  readonly add?: readonly string[];
  /** Without such a command: a JSON file below the home, and the entry in it; `{line}` is the list of words. */
  readonly settings?: {
    readonly file: string;
    readonly key: string;
    readonly entry: Readonly<Record<string, unknown>>;
  };
  /** Further arguments that let a model without a person call the tools, for an agent that asks. */
  readonly allow?: readonly string[];
}

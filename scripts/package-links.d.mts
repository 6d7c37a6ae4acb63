export interface PackageHome {
  /** Without `git+` and `.git`. */
  readonly url: string;
  readonly hasOwner: boolean;
  /** The name in the registry of MCP servers that follows from it. */
  readonly mcpName: string;
}

export function packageHome(own: { readonly repository?: { readonly url?: string } }): PackageHome;
export function withWholeLinks(page: string, home: PackageHome, version: string): string;
export function relativeLinks(page: string): readonly string[];

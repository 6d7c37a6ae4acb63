// What doctor says of our plug-in in each agent. Pure.

/** As install/installed-plug-ins.ts finds it. */
export interface PlugInFinding {
  readonly agent: string;
  readonly title: string;
  readonly version?: string;
  readonly isEnabled: boolean;
  readonly cure: string;
}

export interface PlugInFindings {
  readonly plugIns: readonly PlugInFinding[];
  /** The version of the Node that they run with. */
  readonly node?: string;
  /** Ours. */
  readonly own: string;
}

/** Node has SQLite of its own since then. */
const WITH_STORE = [22, 13] as const;

/** `withHooks`: agents whose files hold hooks of init too. */
export function plugInRows(
  { plugIns, own }: PlugInFindings,
  withHooks: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  return plugIns.map(({ agent, version, isEnabled }) => {
    const which =
      version === undefined
        ? 'version unknown'
        : version === own
          ? `${version}, as this one`
          : `${version}, this is ${own}`;
    const beside = withHooks.has(agent) ? '; hooks of foreword init are there too, everything is said once' : '';
    return [
      `plug-in of ${agent}`,
      `${isEnabled ? 'installed' : 'installed, switched off'}, ${which}${beside}`,
    ] as const;
  });
}

export function plugInProblems({ plugIns, node, own }: PlugInFindings): readonly string[] {
  const others = plugIns.filter(({ version }) => version !== undefined && version !== own);
  const isUsed = plugIns.some(({ isEnabled }) => isEnabled);
  return [
    ...others.map(
      ({ title, version, cure }) =>
        `The plug-in of ${title} is ${version}, this is ${own}. Install it again from dist/plugins of this version (PLUGINS): ${cure}.`,
    ),
    ...(isUsed && node !== undefined && !hasStore(node)
      ? [
          `The plug-in runs with Node ${node}, which has no SQLite: it keeps no notes and has no history or search. Put Node ${WITH_STORE.join('.')} or newer first on the PATH, or use foreword init, which brings a store of its own.`,
        ]
      : []),
  ];
}

function hasStore(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > WITH_STORE[0] || (major === WITH_STORE[0] && minor >= WITH_STORE[1]);
}

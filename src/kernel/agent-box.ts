// What an agent needs of the person's home when it runs in a box, as data: `box` in its folder's index.ts. Everything of the home
// that is not named here is not there for a boxed agent. runs/box/ mounts it; docs/box.md explains it.

/** Paths begin with `~/`, or with a variable of `homes`: `$AGENT_HOME/logs`. A path that ends in `/` is a folder. */
export interface AgentBox {
  /** Variables that move a folder of the agent, with the folder it uses without them: `{ AGENT_HOME: '~/.agent' }`. The agent gets
   *  such a variable, when the person has set it, only if its `env` names it. */
  readonly homes?: Readonly<Record<string, string>>;
  /** Folders with its credentials, transcripts and caches: mounted in place, and writable. Never single files: a rename over a
   *  mounted file fails. An absent one is created and kept, as the agent itself would. */
  readonly writable?: readonly string[];
  /** Its settings, hooks, plug-ins and instructions: files and folders that it may read and not change, over the writable folders
   *  or beside them. An absent one within a writable folder is created empty (`.json`: `{}`) while the agent runs, so that the agent
   *  cannot create it. */
  readonly readOnly?: readonly string[];
  /** Single files in the home that it reads and rewrites: it gets a copy, which is not written back. Of a folder it gets one of its
   *  own with copies of the files in it; the folders in it are read-only, and what it adds is gone afterwards. */
  readonly copied?: readonly string[];
  /** Files and folders that change how it works by being there, even empty: read-only where they are, and not created. One that
   *  appeared while it ran is moved aside after its end, and named. */
  readonly asideIfNew?: readonly string[];
  /** It makes namespaces of its own, for a sandbox around its commands: such calls are refused in the box without this. */
  readonly makesNamespaces?: boolean;
}

// What init or uninstall would do, in at most five lines: what a person reads before they agree. Pure.

export interface SummaryChange {
  /** Absent for project files that belong to no agent. */
  readonly agent?: string;
  readonly kind: 'create' | 'edit' | 'delete';
  readonly file: string;
  /** How many entries of ours the file gets or loses. */
  readonly entries?: number;
}

export interface SummaryFacts {
  readonly changes: readonly SummaryChange[];
  /** Agents that have everything already. */
  readonly inPlace: readonly string[];
  readonly scope: 'user' | 'project' | 'team';
  readonly lineup: readonly string[];
  titleOf(agent: string): string;
  /** As the person writes it. */
  shortened(path: string): string;
}

/** One line: its word, and the rest. */
export interface SummaryLine {
  readonly word: 'hooks' | 'files' | 'project' | 'lineup' | 'undo';
  readonly text: string;
}

const WHERE = {
  user: 'in projects with .foreword/ or .context/',
  project: 'for this project alone',
  team: 'for whoever has foreword, in every clone of this project',
} as const;

export function installSummary(facts: SummaryFacts): readonly SummaryLine[] {
  const { changes, inPlace, scope, lineup, titleOf, shortened } = facts;
  const own = changes.filter(({ agent }) => agent !== undefined);
  const rest = changes.filter(({ agent }) => agent === undefined);
  const already = unique(inPlace).map((agent) => `${titleOf(agent)} has them`);
  const counts = own.map(({ agent = '', entries = 1 }) => `${titleOf(agent)} ${entries}`);
  const total = own.reduce((sum, { entries = 1 }) => sum + entries, 0);
  const hasLineup = lineup.length > 0 && rest.some(({ file }) => file.endsWith('.foreword/config.yaml'));
  return [
    ...line('hooks', own.length > 0 && `${total}: ${listed([...counts, ...already])}; ${WHERE[scope]}`),
    ...line('files', own.length > 0 && listed(own.map((one) => fileText(one, shortened)))),
    ...line('project', rest.length > 0 && projectText(rest, shortened)),
    ...line('lineup', hasLineup && `${lineup.join(', ')}: who works in foreword run, in this order`),
    ...line('undo', `foreword uninstall${scope === 'team' ? ' --team' : ''} gives every file its old bytes back`),
  ];
}

export function uninstallSummary({ changes, titleOf, shortened }: SummaryFacts): readonly SummaryLine[] {
  const own = changes.filter(({ agent }) => agent !== undefined);
  const rest = changes.filter(({ agent }) => agent === undefined);
  const names = unique(own.map(({ agent = '' }) => agent)).map(titleOf);
  return [
    ...line('hooks', own.length > 0 && `removed from ${listed(names)}`),
    ...line('files', own.length > 0 && listed(own.map((one) => fileText(one, shortened)))),
    ...line('project', rest.length > 0 && `${projectText(rest, shortened)}, as init created them: deleted`),
  ];
}

function line(word: SummaryLine['word'], text: string | false): readonly SummaryLine[] {
  return text === false ? [] : [{ word, text }];
}

function fileText({ file, kind }: SummaryChange, shortened: SummaryFacts['shortened']): string {
  return `${shortened(file)}${kind === 'create' ? ' (new)' : kind === 'delete' ? ' (deleted)' : ''}`;
}

/** `~/shop/.foreword/: tasks.yaml, policy.yaml`; by folder, since the files of one are listed together. */
function projectText(changes: readonly SummaryChange[], shortened: SummaryFacts['shortened']): string {
  const folders = new Map<string, string[]>();
  for (const { file } of changes) {
    const [folder = '', name = ''] = partsOf(file);
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  return [...folders].map(([folder, names]) => `${shortened(folder)}/: ${names.map(shortName).join(', ')}`).join('; ');
}

/** The path up to the folder of ours or of the context, and the rest. */
function partsOf(file: string): readonly string[] {
  const found = /^(.*\/\.(?:foreword|context))\/(.*)$/.exec(file);
  return found === null ? ['', file] : found.slice(1);
}

/** Without the ending, and a folder by its own name: `tasks`, `notes`. */
function shortName(name: string): string {
  return name.replace(/\/.*$|(?<=.)\.[^.]*$/, '');
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function listed(parts: readonly string[]): string {
  return parts.join(', ');
}

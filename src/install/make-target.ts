// Builds a target of init from the facts in the agent's folder: which file is used, and what it should hold.

import { join } from 'node:path';
import { type HookEntry, type HookFacts, hookEntries, unseenEvents } from '../kernel/agent-hooks.ts';
import type { InstallContent, InstallFacts, InstallFile, SwitchedOff } from '../kernel/agent-install.ts';
import type { HookEvent } from '../kernel/hook-events.ts';
import { CONTEXT_FILES } from './context-files.ts';
import { folderFrom, ownFolder } from './folders.ts';
import { settingIn } from './person-setting.ts';
import { plugIn } from './plug-in.ts';
import { hookLine, teamLine } from './shell-command.ts';
import type { Places, Scope, Site, Target, TargetRequest, Want, Way } from './target.ts';

/** Whoever reads it may have been told already by a hook: in a project, other agents read AGENTS.md too. */
const INSTRUCTIONS = `This applies only in a project that has a .foreword/ or .context/ folder, and only if its context was not put before
you already. Before your first change:
1. Run \`foreword load\` and \`foreword context\`, and take what they print as the state of the work and its rules.
2. Read the files in .context/, CONSTITUTION.md first.
When you stop, leave word for the next session: \`foreword save --done "…" --next "…"\`.`;

export function makeTarget(agent: string, facts: InstallFacts, hooks: HookFacts | undefined): Target {
  const { title, programs, switchedOff, trust, announces, notes = {} } = facts;
  const sites = (scope: Scope, places: Places) => sitesOf(facts, scope, places);
  const inFolder = (places: Places, file: string) => join(ownFolder(places, facts.folder) ?? places.home, file);
  return {
    agent,
    title,
    programs,
    ...(announces === undefined ? {} : { announces }),
    ...(hooks === undefined ? {} : { unseen: unseenEvents(hooks) }),
    folders: (places) => [ownFolder(places, facts.folder) ?? []].flat(),
    sites,
    way: (request) => wayOf({ agent, facts, hooks }, request, sites(request.scope, request.places)),
    notes: (request) => {
      const count = entriesOf({ agent, facts, hooks }, request).length;
      return notesFor(request.scope, notes).map((note) =>
        note.replace('{count}', () => String(count)).replace('{program}', () => request.words('stop')[0] ?? ''),
      );
    },
    ...(switchedOff === undefined
      ? {}
      : {
          switchedOff: (request) => switchOf(switchedOff, inFolder(request.places, switchedOff.file), request),
        }),
    ...(trust === undefined ? {} : { trust: { ...trust, fileIn: (places) => inFolder(places, trust.file) } }),
  };
}

function notesFor(scope: Scope, notes: NonNullable<InstallFacts['notes']>): readonly string[] {
  if (scope === 'team') return notes.project ?? [];
  return [...(notes.always ?? []), ...(scope === 'project' ? (notes.project ?? []) : [])];
}

/** The first layer of settings that switches all hooks off, and where. */
function switchOf(off: SwitchedOff, own: string, { look, places }: TargetRequest): string | undefined {
  const { at, is, project = [], systemFolders = [], systemOnly } = off;
  const dropIns = systemFolders.flatMap((folder) => jsonIn(look, folder));
  const system = [...(off.system ?? []), ...dropIns];
  const files = [own, ...project.map((file) => join(places.root, file)), ...system];
  const found = [
    ...files.map((file) => ({ file, at, is })),
    ...(systemOnly === undefined ? [] : system.map((file) => ({ file, ...systemOnly }))),
  ].find((one) => settingIn(look.text(one.file), one.file, one.at) === one.is);
  return found === undefined ? undefined : `${found.at.join('.')} in ${found.file}`;
}

/** As they are read: by name, and none that is hidden. */
function jsonIn(look: TargetRequest['look'], folder: string): readonly string[] {
  const names = look.list(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return names.toSorted().map((name) => join(folder, name));
}

function sitesOf(facts: InstallFacts, scope: Scope, places: Places): readonly Site[] {
  const folder = scope === 'user' ? ownFolder(places, facts.folder) : places.root;
  return filesOf(facts, scope).map(({ path, format, key, variable }: InstallFile) => ({
    file: join(variable === undefined ? (folder ?? '') : folderFrom(places, variable, folder ?? ''), path),
    format,
    ...(key === undefined ? {} : { key }),
  }));
}

function filesOf(facts: InstallFacts, scope: Scope): readonly InstallFile[] {
  if (scope !== 'team') return facts[scope];
  return facts.content.kind === 'entries' ? (facts.team ?? facts.project) : [];
}

/** What is known of one agent. */
interface Known {
  readonly agent: string;
  readonly facts: InstallFacts;
  readonly hooks: HookFacts | undefined;
}

/** Why nothing of ours is committed for an agent without hook entries. */
function notForTeams({ kind }: InstallContent): string | undefined {
  if (kind === 'entries') return undefined;
  return kind === 'plug-in'
    ? 'its entry would be a program in the repository, which runs in every clone; each person runs foreword init'
    : 'it has no hooks, so nothing can be committed that stays silent without foreword';
}

function wayOf(known: Known, request: TargetRequest, sites: readonly Site[]): Way {
  const { facts } = known;
  const { content } = facts;
  const why = request.scope === 'team' ? notForTeams(content) : undefined;
  if (why !== undefined) return { kind: 'cannot', why };
  const site = siteFor(facts, request, sites);
  if (content.kind === 'context-files') return contextFiles(content, request, site);
  if (site === undefined) return { kind: 'cannot', why: 'it has no settings file for this scope' };
  if (content.kind === 'block') return block(content, request, site);
  return { kind: 'put', site, want: wantOf(known, request, site) };
}

function siteFor({ takes }: InstallFacts, { look }: TargetRequest, sites: readonly Site[]): Site | undefined {
  const [usual] = sites;
  if (takes === 'last-existing') return sites.findLast(({ file }) => look.exists(file)) ?? usual;
  if (takes !== 'where-hooks-are' || usual === undefined || look.exists(usual.file)) return usual;
  // Not the tables that the agent itself keeps below `hooks`: those begin with a small letter.
  const holdsHooks = (text: string) => /^[ \t]*\[\[?[ \t]*hooks[ \t]*\.[ \t]*[A-Z]/m.test(text);
  return sites.find(({ file, format }) => format === 'toml' && holdsHooks(look.text(file) ?? '')) ?? usual;
}

function wantOf(known: Known, request: TargetRequest, site: Site): Want {
  const { title, content } = known.facts;
  if (content.kind === 'plug-in') return { format: 'own', text: plugIn(title, content.code, request.words) };
  const entries = entriesOf(known, request);
  if (site.format === 'toml' || content.kind !== 'entries') return { format: 'toml', entries };
  return { format: 'json', entries, place: content.place ?? 'first', base: content.base ?? {} };
}

function entriesOf({ agent, facts: { content }, hooks }: Known, { scope, words }: TargetRequest): readonly HookEntry[] {
  if (content.kind !== 'entries' || hooks === undefined) return [];
  const { entry, unless } = content;
  return hookEntries(hooks, entry, (event: HookEvent) =>
    scope === 'team' ? teamLine(event, agent, unless) : hookLine(words(event), unless),
  );
}

function block(
  content: Extract<InstallContent, { kind: 'block' }>,
  { scope, places, look }: TargetRequest,
  site: Site,
): Way {
  const rival = content.unless?.find((name) => look.exists(join(places.root, name)));
  if (scope === 'project' && rival !== undefined && !look.exists(site.file)) {
    const name = site.file.slice(places.root.length + 1);
    return { kind: 'cannot', why: `it reads ${rival} unless there is a ${name}; use --scope user` };
  }
  return { kind: 'put', site, want: { format: 'block', body: INSTRUCTIONS } };
}

function contextFiles(
  { key, hidden }: Extract<InstallContent, { kind: 'context-files' }>,
  { places, look }: TargetRequest,
  site: Site | undefined,
): Way {
  if (site === undefined)
    return { kind: 'cannot', why: 'it has no hooks, only a list of files to read; use --scope project in a project' };
  const items = CONTEXT_FILES.map(({ file }) => file).filter((file) => look.exists(join(places.root, file)));
  if (items.length === 0)
    return { kind: 'cannot', why: 'there is no file in .context/; use --context-files to create them' };
  const hasKey = (file: string) => (look.text(file) ?? '').split('\n').some((line) => line.startsWith(`${key}:`));
  if (hasKey(join(places.home, hidden)) && !hasKey(site.file)) {
    return {
      kind: 'cannot',
      why: `a "${key}" in the project would override the one in ~/${hidden}; add the files of .context/ there by hand`,
    };
  }
  return { kind: 'put', site, want: { format: 'list', key, items } };
}

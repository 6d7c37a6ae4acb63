// Agents without hook files: two load a plug-in of ours, three get a few lines where they look for instructions.

import { join } from 'node:path';
import { CONTEXT_FILES } from './context-files.ts';
import { configHome, folderFrom } from './folders.ts';
import { openCodePlugIn, piExtension } from './plug-in-texts.ts';
import type { Site, Target, Want, Way } from './target.ts';

const own = (file: string): Site => ({ file, format: 'own' });
const block = (file: string): Site => ({ file, format: 'block' });

function put(site: Site | undefined, want: Want): Way {
  return site === undefined ? { kind: 'cannot', why: 'it keeps no such file' } : { kind: 'put', site, want };
}

export const opencode: Target = {
  agent: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folders: (places) => [join(configHome(places), 'opencode')],
  sites: (scope, places) => [
    own(
      join(
        scope === 'user' ? join(configHome(places), 'opencode') : join(places.root, '.opencode'),
        'plugins/foreword.js',
      ),
    ),
  ],
  way: (asked) =>
    put(opencode.sites(asked.scope, asked.places)[0], { format: 'own', text: openCodePlugIn(asked.words) }),
  notes: () => [
    'OpenCode installs a package of its own into the folder of its first plug-in; without a network its next start waits about a minute for that, once.',
  ],
};

export const pi: Target = {
  agent: 'pi',
  title: 'pi',
  programs: [],
  folders: (places) => [folderFrom(places, 'PI_CODING_AGENT_DIR', '.pi/agent')],
  sites: (scope, places) => {
    const folder = scope === 'user' ? folderFrom(places, 'PI_CODING_AGENT_DIR', '.pi/agent') : join(places.root, '.pi');
    return [own(join(folder, 'extensions/foreword.ts'))];
  },
  way: (asked) => put(pi.sites(asked.scope, asked.places)[0], { format: 'own', text: piExtension(asked.words) }),
  notes: ({ scope }) =>
    scope === 'user' ? [] : ['pi loads .pi/ of a project only after you said that you trust its folder.'],
};

/** Whoever reads it may have been told already by a hook: in a project, other agents read AGENTS.md too. */
const INSTRUCTIONS = `This applies only in a project that has a .foreword/ or .context/ folder, and only if its context was not put before
you already. Before your first change:
1. Run \`foreword load\` and \`foreword context\`, and take what they print as the state of the work and its rules.
2. Read the files in .context/, CONSTITUTION.md first.
When you stop, leave word for the next session: \`foreword save --done "…" --next "…"\`.`;

/** Only Goose reads .goosehints, so it is less in the way of others than AGENTS.md. */
export const goose: Target = {
  agent: 'goose',
  title: 'Goose',
  // A tool for databases has the same name.
  programs: [],
  folders: (places) => [join(configHome(places), 'goose')],
  sites: (scope, places) => [
    block(join(scope === 'user' ? join(configHome(places), 'goose') : places.root, '.goosehints')),
  ],
  way: ({ scope, places }) => put(goose.sites(scope, places)[0], { format: 'block', body: INSTRUCTIONS }),
  notes: () => ['Goose has no hook that reaches its model: it is asked to run foreword itself, and may not.'],
};

/** Files that Amp and others read where there is no AGENTS.md: making one would turn them off. */
const RIVALS = ['AGENT.md', 'CLAUDE.md', 'CONTEXT.md'];

export const amp: Target = {
  agent: 'amp',
  title: 'Amp',
  programs: ['amp'],
  folders: ({ home }) => [join(home, '.config/amp')],
  sites: (scope, { home, root }) => [
    block(scope === 'user' ? join(home, '.config/amp/AGENTS.md') : join(root, 'AGENTS.md')),
  ],
  way: ({ scope, places, look }) => {
    const [site] = amp.sites(scope, places);
    const rival = RIVALS.find((name) => look.exists(join(places.root, name)));
    if (scope === 'project' && rival !== undefined && site !== undefined && !look.exists(site.file)) {
      return { kind: 'cannot', why: `it reads ${rival} as long as there is no AGENTS.md; use --scope user` };
    }
    return put(site, { format: 'block', body: INSTRUCTIONS });
  },
  notes: () => ['Amp is asked to run foreword itself, and may not.'],
};

/** It is given the files themselves, which it sends along with every request. Paths count from where it is started, and a
 *  list in a project's file stands in for the one in the home, so there is no sensible user scope. */
export const aider: Target = {
  agent: 'aider',
  title: 'Aider',
  programs: ['aider'],
  folders: () => [],
  sites: (scope, { root }) =>
    scope === 'user' ? [] : [{ file: join(root, '.aider.conf.yml'), format: 'list', key: 'read' }],
  way: ({ scope, places, look }) => {
    if (scope === 'user')
      return { kind: 'cannot', why: 'it has no hooks and is given files by name; use --scope project in a project' };
    const items = CONTEXT_FILES.map(({ file }) => file).filter((file) => look.exists(join(places.root, file)));
    if (items.length === 0)
      return { kind: 'cannot', why: 'there is no file in .context/ to give it; --context-files makes them' };
    const isRead = /^read:/m;
    const isHidden = isRead.test(look.text(join(places.home, '.aider.conf.yml')) ?? '');
    if (isHidden && !isRead.test(look.text(join(places.root, '.aider.conf.yml')) ?? '')) {
      return {
        kind: 'cannot',
        why: 'a "read" of the project would turn off the one in ~/.aider.conf.yml; add the files of .context/ there by hand',
      };
    }
    return put(aider.sites(scope, places)[0], { format: 'list', key: 'read', items });
  },
  notes: () => ['Aider reads the files when it is started at the root of the project.'],
};

// The built-in templates, one per role; `templates:` in the configuration replaces them. They end where the task
// begins: what follows (id, description, criteria, rules) is added by prompt.ts and is the same for every role.

export const ROLES = ['engineer', 'reviewer', 'helper', 'cto'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_TEMPLATES: Readonly<Record<Role, string>> = {
  engineer: `{context_header}

{mode_hint}

You are the engineer for the task below. Read the files it concerns before you change them, and check your work
against every acceptance criterion before you say that it is done.
`,
  reviewer: `{context_header}

{mode_hint}

You review the work on the task below. Read the changed files themselves; a description of them is not enough. Name
each problem with its file and line, the most serious first.

Changed since the last commit:
{diffstat_md}
`,
  helper: `{context_header}

{mode_hint}

You verify the work on the task below. Verify, do not assume: what was reported may be wrong. Propose commands that
fail if a criterion is not met; they run in a sandbox, and their exit status decides.
`,
  cto: `{context_header}

{mode_hint}

You lead the work on this project and plan the task below; others carry it out. Read what it concerns, decide how it is to be
done and in which steps, and what must be settled first.

Waiting for review, and to do:
{queue_md}

Touched lately:
{recent_files_md}

Next:
{next_work_md}
`,
};

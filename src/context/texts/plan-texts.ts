// What the one who leads the work (role `cto`) reads beside the task: its rules, and how it answers.

export const PLAN_RULES = [
  'Change no code. The only files that you may write are notes, in the folder notes_FROM_CTO of the notes.',
  'Name files and lines, not areas. What you do not know, say as a question with who could answer it.',
  'Do not plan work that active_blockers lists; say what would unblock it.',
  'Small steps, each with a check that shows that it is done. The rules of the policy hold for each of them.',
];

export const PLAN_OUTPUT = `Write the decision and its reasons in your own words, then end with one JSON block and nothing after it:
\`\`\`json
{"decision":"","steps":[{"task_id":"","intent":"","targets":[],"acceptance_criteria":[]}],"questions":[]}
\`\`\`
The steps can be put into a task file as they are: paths are relative to the project, ids are new, in the order in which they are to be done.`;

// What the agent asks, and what it makes of each answer. The order of the options of the trust question differs between
// real agents and has been turned around between versions, so it is an option here.

const QUESTIONS = {
  trust: {
    title: 'Do you trust the files in this folder?',
    more: 'It can read, edit and run files here.',
    yes: 'Yes, I trust this folder',
    no: 'No, exit',
    isFatal: true,
  },
  onboarding: {
    title: 'Choose a theme for the interface',
    more: 'To change this later, run /theme',
    yes: 'Dark mode',
    no: 'Light mode',
  },
  update: {
    title: 'A new version is available. Update now?',
    more: '1.0.0 -> 1.1.0',
    yes: 'Update now (runs the installer)',
    no: 'Skip',
  },
  approval: {
    title: 'Do you want to run this command?',
    more: '$ rm -rf build',
    yes: 'Yes',
    no: 'No, and say what to do differently',
  },
  /** Nobody described this one to anybody: its words are in no rule. */
  unheard: {
    title: 'Pick a workspace profile to continue',
    more: 'Profiles are kept on this machine.',
    yes: 'Default profile',
    no: 'Something else',
  },
};

/** `{ name, preselected: 'yes' | 'no', first: 'yes' | 'no', closesAfterMs }`, or only a name. */
export function openDialog(given) {
  const asked = typeof given === 'string' ? { name: given } : given;
  const question = QUESTIONS[asked.name];
  if (question === undefined) throw new Error(`no dialog ${JSON.stringify(asked.name)}`);
  const { preselected = 'yes', first = 'yes', closesAfterMs = null } = asked;
  const order = first === 'yes' ? ['yes', 'no'] : ['no', 'yes'];
  return {
    name: asked.name,
    title: question.title,
    more: question.more,
    options: order.map((answer) => ({ answer, text: question[answer] })),
    selected: order.indexOf(preselected),
    closesAfterMs,
    /** A no, or Escape, ends the program. */
    isFatal: question.isFatal === true,
  };
}

/** What a token does in a dialog: `{ option }` chosen (-1 for cancelled), `{ selected }` moved, or nothing. The ESC that
 *  opens a paste frame cancels, as in real menus. */
export function answerOf(dialog, token) {
  if (token.type === 'open') return { option: -1 };
  if (token.type !== 'key') return {};
  if (token.name === 'enter') return { option: dialog.selected };
  if (token.name === 'escape' || token.name === 'ctrl-c') return { option: -1 };
  const last = dialog.options.length - 1;
  if (token.name === 'up') return { selected: Math.max(0, dialog.selected - 1) };
  if (token.name === 'down') return { selected: Math.min(last, dialog.selected + 1) };
  const number = /^[1-9]$/.test(token.text) ? Number(token.text) - 1 : last + 1;
  return number <= last ? { option: number } : {};
}

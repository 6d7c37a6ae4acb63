// What an agent reads in a prompt for its own earlier session.

/** Right after the hand-over. */
export const RESUMED_LINE =
  'Go on with the same task. Its description, acceptance criteria, rules and output format are unchanged; what changed since your last turn follows, if anything did.';

export const READ_ONLY_TITLE = 'READ-ONLY CONTEXT — DO NOT MODIFY';

export const RESUMED_HISTORY = 'New since your last turn:';

import type { LabPlace } from '../../kernel/agent-lab.ts';
import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /Type your message/,
  dialog: /Apply this change|Allow execution/,
  conversation: { marks: ['✦ ', '  ', ' > ', '   '], own: 4 },
  compact: '/compress',
  question: {
    call: {
      tool: 'ask_user',
      input: {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            multiSelect: false,
            options: [
              { label: 'Red', description: 'Warm' },
              { label: 'Blue', description: 'Cold' },
            ],
            type: 'choice',
          },
        ],
      },
    },
  },
  interrupt: ['\x1b'],
  acts: {
    plan: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: { calls: [{ tool: 'enter_plan_mode', input: { reason: 'to be careful' } }], to: /[Pp]lan [Mm]ode/ },
    },
    // The same fifty characters ten times in an answer.
    loop: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: { says: `Tools ${'─'.repeat(200)}`, to: /potential loop/ },
    },
    'command-no-title': { scene: 'command', asks: [], sizes: 1, files: withoutTitle },
    'waiting-no-title': { scene: 'waiting', asks: ['approval'], sizes: 2, files: withoutTitle },
    'compaction-no-title': { scene: 'compaction', asks: [], sizes: 1, isSlow: true, files: withoutTitle },
  },
  next: {
    login: [
      ['\x1b[B', 'login-second'],
      ['\r', 'login-key'],
    ],
  },
};

function withoutTitle(
  { home }: Pick<LabPlace, 'home'>,
  read: (path: string) => string,
): Readonly<Record<string, string>> {
  const file = `${home}/.gemini/settings.json`;
  const settings = JSON.parse(read(file)) as { readonly ui?: object };
  const ui = { ...settings.ui, hideWindowTitle: true, dynamicWindowTitle: false, showSpinner: false };
  return { [file]: JSON.stringify({ ...settings, ui }) };
}

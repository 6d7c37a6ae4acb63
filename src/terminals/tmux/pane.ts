// A pane as tmux describes it, and what its screen shows as output that would draw it again.

import type { TerminalExit, TerminalSize } from '../../kernel/terminal.ts';
import { runTmux, type TmuxPlace } from './program.ts';

export interface Pane {
  /** `%0`: never given again while the server lives. */
  readonly id: string;
  /** The agent's process. */
  readonly pid: number;
  /** The process that keeps the pane until the agent's output was read (tmux-keeper.ts). */
  readonly keeper: number;
  /** The device of the agent's side. */
  readonly tty: string;
  readonly size: TerminalSize;
  /** The keeper ended, too. */
  readonly isDead: boolean;
  /** A person scrolls in it; keys would go to tmux. */
  readonly isInMode: boolean;
  readonly exit: TerminalExit | undefined;
  readonly cursor: { readonly row: number; readonly col: number; readonly isVisible: boolean };
  readonly isAlternate: boolean;
  /** `undefined` when tmux does not report it. */
  readonly hasBracketedPaste: boolean | undefined;
}

const FIELDS = [
  ...['pane_id', 'pane_pid', 'pane_tty', 'pane_width', 'pane_height', 'pane_dead', 'pane_in_mode', 'pane_dead_status'],
  ...[
    'pane_dead_signal',
    'cursor_x',
    'cursor_y',
    'cursor_flag',
    'alternate_on',
    'bracket_paste_flag',
    '@agent',
    '@status',
  ],
] as const;

export const PANE_FORMAT = FIELDS.map((field) => `#{${field}}`).join('\t');

/** Throws when there is no such pane; `undefined` when no agent was started in it. */
export async function readPane(program: string, place: TmuxPlace, target: string): Promise<Pane | undefined> {
  return parsePane(await runTmux(program, place, { args: ['display-message', '-p', '-t', target, PANE_FORMAT] }));
}

export function parsePane(line: string): Pane | undefined {
  const values = line.replace(/\n$/, '').split('\t');
  const of = (field: (typeof FIELDS)[number]) => values[FIELDS.indexOf(field)] ?? '';
  const number = (field: (typeof FIELDS)[number]) => Number(of(field));
  const isDead = of('pane_dead') === '1';
  if (!/^%\d+$/.test(of('pane_id')) || !(number('pane_pid') > 1) || !(number('@agent') > 1)) return undefined;
  return {
    id: of('pane_id'),
    pid: number('@agent'),
    keeper: number('pane_pid'),
    tty: of('pane_tty'),
    size: { cols: number('pane_width'), rows: number('pane_height') },
    isDead,
    isInMode: of('pane_in_mode') !== '0' && of('pane_in_mode') !== '',
    exit: exitOf(of('@status') || of('pane_dead_status'), of('pane_dead_signal')),
    cursor: { row: number('cursor_y'), col: number('cursor_x'), isVisible: of('cursor_flag') === '1' },
    isAlternate: of('alternate_on') === '1',
    hasBracketedPaste: of('bracket_paste_flag') === '' ? undefined : of('bracket_paste_flag') === '1',
  };
}

/** As the keeper saw it, or the keeper's own when it was killed with the agent; its signal comes by number (3.3) or, before
 *  that, not at all. tmux calls a pane dead when its device closes, which is before it knows how the process ended. */
function exitOf(status: string, signal: string): TerminalExit | undefined {
  if (/^[1-9]\d*$/.test(signal)) return { status: 128 + Number(signal) };
  if (/^\d+$/.test(status)) return { status: Number(status) };
  return undefined;
}

/** `lines` is what `capture-pane -e` printed. */
export function redraw(pane: Pane, lines: readonly Uint8Array[], hasBracketedPaste: boolean): Uint8Array {
  const { cursor } = pane;
  const rows = lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\r\n'), line]));
  return Buffer.concat([
    Buffer.from(`\x1bc${pane.isAlternate ? '\x1b[?1049h\x1b[H' : ''}`),
    ...rows,
    Buffer.from(`\x1b[m\x1b[${cursor.row + 1};${cursor.col + 1}H${cursor.isVisible ? '' : '\x1b[?25l'}`),
    Buffer.from(hasBracketedPaste ? '\x1b[?2004h' : ''),
  ]);
}

// Joins sessions to terminals, each loaded when it is first used, and to the processes that host them.

import type { SessionOwners } from '../sessions/client/parts.ts';
import type { PlacedProject } from '../sessions/places.ts';
import type { Screens, TmuxTerminals } from '../sessions/terminals.ts';
import { ownerHost, ownerPlace, ownerState } from '../system/processes/owner.ts';
import { paceTerminal } from '../terminals/pace.ts';
import { PLACES } from './session-places.ts';

export function ownersOf(project: PlacedProject): SessionOwners {
  return {
    stateOf: ownerState,
    placeOf: ownerPlace,
    hostOf: ownerHost,
    socketsOf: (record) => PLACES.of(project, record),
  };
}

const loadTmux = () => import('../terminals/tmux/tmux.ts');
const loadScreen = () => import('../terminals/screen/screen.ts');

export const TMUX: TmuxTerminals = {
  reserve: async (start, tmux) => (await loadTmux()).reserveTmux(start, tmux),
  attach: async (tmux, known) => (await loadTmux()).attachTmux(tmux, known),
  end: async (tmux) => (await loadTmux()).endTmux(tmux),
  show: async (tmux, other) => (await loadTmux()).showInTmux(tmux, other),
  shows: async (tmux, other) => (await loadTmux()).isShownInTmux(tmux, other),
  announce: async (tmux, text) => (await loadTmux()).announceInTmux(tmux, text),
  say: async (tmux, text) => (await loadTmux()).sayInTmux(tmux, text),
  personAt: async (tmux) => (await loadTmux()).personActivity(tmux),
  attachCommand: async (tmux) => (await loadTmux()).attachCommand(tmux),
};

export const SCREENS: Screens = {
  load: loadScreen,
  open: async (size) => (await loadScreen()).openScreen(size),
  pace: paceTerminal,
};

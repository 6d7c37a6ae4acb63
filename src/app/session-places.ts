// Joins the places of sessions to this process's environment. Small: it is loaded before anything else of `foreword start`.

import { homedir, tmpdir } from 'node:os';
import { placesIn } from '../sessions/places.ts';
import { environment } from '../system/environment.ts';

export const SESSION_BASE = { ...environment(), home: homedir(), temporary: tmpdir() };
export const PLACES = placesIn(SESSION_BASE);

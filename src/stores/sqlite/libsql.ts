// The SQLite engine, loaded with the light report (light-report.ts), which must come first.

import './light-report.ts';
import Libsql from 'libsql';
import { restoreReport } from './light-report.ts';

restoreReport();

export { Libsql };

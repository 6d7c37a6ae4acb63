// Joins `foreword audit` to the databases of agents and to the readers of their settings.

import { settingIn } from '../install/person-setting.ts';
import { openForeignDatabase } from '../stores/sqlite/foreign.ts';
import { type Audited, type AuditRequest, auditTranscripts } from '../verify/audit/audit.ts';

export type { Audited } from '../verify/audit/audit.ts';

export function audit(request: AuditRequest): Promise<Audited> {
  const parse = (text: string, format: 'json' | 'toml') => settingIn(text, `settings.${format}`, []);
  return auditTranscripts(request, { openDatabase: openForeignDatabase, parse });
}

// An audit as one page. Pure.

import { dimmed, listed, standalonePage, tabled, titled } from '../page-parts.ts';
import type { AuditFigures } from './tally.ts';
import { auditNotes, auditTables, findingLines } from './text.ts';

export interface PageFacts extends AuditFigures {
  /** One line that says what was read. */
  readonly read: string;
  readonly textsOnly: readonly string[];
}

export function auditPage(facts: PageFacts): string {
  const lines = findingLines(facts);
  return standalonePage({
    title: 'foreword audit',
    heading: 'What stood before your agents',
    body: [
      dimmed(facts.read),
      titled('Found'),
      ...(lines.length === 0 ? ['<p>Nothing was lost, cut or said twice.</p>'] : listed(lines)),
      ...auditTables(facts).flatMap(tabled),
      ...auditNotes(facts.textsOnly).map(dimmed),
    ],
  });
}

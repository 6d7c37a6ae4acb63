// Opens the dashboard: the server with a new token, the built page, and the reader, which is closed with the server.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backingOf, type DashboardFacts, type DashboardProject } from './backing.ts';
import { openReader, type ReadSource } from './reader.ts';
import { type DashboardServer, startServer } from './server.ts';

/** The records are read this often while a page is open. */
const EVERY_MS = 1000;

export interface DashboardOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Where the built page is. */
  readonly pageFolder: string;
  readonly source: ReadSource;
  readonly facts: DashboardFacts;
}

/** Throws `bad-usage` when it cannot listen on the port. */
export async function openDashboard(project: DashboardProject, options: DashboardOptions): Promise<DashboardServer> {
  const page = (name: string): string => readFileSync(join(options.pageFolder, name), 'utf8');
  const files = { html: page('page.html'), script: page('page.js'), style: page('page.css') };
  const reader = openReader(options.source);
  try {
    const server = await startServer({
      port: options.port,
      token: randomBytes(32).toString('hex'),
      files,
      backing: backingOf(project, reader, options.facts),
      everyMs: EVERY_MS,
    });
    return {
      ...server,
      close: async () => {
        await server.close();
        await reader.close();
      },
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

import { metricsOf } from '../../reports/metrics.ts';
import { renderPrometheus } from '../../reports/prometheus.ts';
import { workerFamilies } from '../../reports/worker-metrics.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const metrics: Command = {
  name: 'metrics',
  summary: 'Print metrics in the Prometheus text format',
  args: [],
  flags: {},
  examples: [
    {
      line: 'foreword metrics > /var/lib/node_exporter/foreword.prom',
      does: 'writes a file for the textfile collector',
    },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const stores = await project.readStores();
      const events = (await stores.journal.read()).map((entry) => entry.value);
      const { agentsOf } = await import('../../app/agents.ts');
      const { fleet } = stores;
      const workers = fleet === undefined ? [] : workerFamilies(await fleet.signs(), await fleet.now());
      const names = agentsOf(project).map((agent) => agent.name);
      const families = [...metricsOf(events, names), ...workers];
      if (call.has('json')) call.out.json(families);
      else call.out.print(renderPrometheus(families).trimEnd());
      return 0;
    }),
};

// Metrics as Prometheus reads them: the text exposition format, version 0.0.4. Same metrics, same bytes.

import type { Family, Histogram, Sample } from './metrics.ts';

export function renderPrometheus(families: readonly Family[]): string {
  return families.map(renderFamily).join('');
}

function renderFamily({ name, help, type, samples }: Family): string {
  const lines = [
    `# HELP ${name} ${escaped(help)}`,
    `# TYPE ${name} ${type}`,
    ...samples.flatMap((sample) => renderSample(name, sample)),
  ];
  return `${lines.join('\n')}\n`;
}

function renderSample(name: string, { labels, value }: Sample): readonly string[] {
  if (typeof value === 'number') return [`${name}${renderLabels(labels)} ${renderNumber(value)}`];
  const upTo = cumulative(value);
  const buckets = [...value.bounds, Number.POSITIVE_INFINITY].map(
    (bound, index) => `${name}_bucket${renderLabels({ ...labels, le: renderNumber(bound) })} ${upTo[index] ?? 0}`,
  );
  return [
    ...buckets,
    `${name}_sum${renderLabels(labels)} ${renderNumber(value.sum)}`,
    `${name}_count${renderLabels(labels)} ${upTo.at(-1) ?? 0}`,
  ];
}

function cumulative({ counts }: Histogram): readonly number[] {
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Backslash and line feed; a label's quotation mark besides. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

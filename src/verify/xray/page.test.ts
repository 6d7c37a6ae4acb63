import { expect, test } from 'vitest';
import { columns } from '../../cli/columns.ts';
import { xrayPage } from './page.ts';
import type { XrayOwner, XrayRecording, XrayRequest } from './recording.ts';
import { changesSince, resultOf, totalsOf } from './result.ts';
import { headline, ownerText, sinceText, sizeText, xrayLines, xrayTables } from './text.ts';

const HOSTILE = `</title><script>alert(1)</script><img src=x onerror="alert(1)">' "&\u202E`;

function recording(text: string, name: string): XrayRecording {
  const messages = [{ role: 'user', content: [{ type: 'text', text: `Context: ${text}` }] }];
  const request: XrayRequest = {
    moment: 'first prompt',
    at: 9,
    protocol: 'anthropic',
    isMain: true,
    body: { messages },
  };
  const owner: XrayOwner = { kind: 'hook', name, plugIn: name };
  return {
    agent: 'agent',
    version: '1.0',
    requests: [request, { ...request, moment: 'new session' }],
    baseline: [],
    hooks: [{ id: 'h', event: name, command: name, owner, file: name }],
    runs: [
      { hook: 'h', at: 1, ms: 5000, exitCode: 0, stdout: text, stderr: '' },
      { hook: 'h', at: 2, ms: 5, exitCode: 1, stdout: '', stderr: name },
    ],
    servers: [{ name, command: name, owner: { kind: 'server', name }, file: name, notMeasured: name }],
    serverRuns: [],
    texts: [],
    said: [],
    toolName: 'mcp__{server}__{tool}',
  };
}

test('what a set-up says cannot script the page', () => {
  const result = resultOf(recording(`${HOSTILE} and more of it, so that it is found`, HOSTILE), [
    { moment: 'compaction', why: HOSTILE },
  ]);
  const page = xrayPage({ result, since: HOSTILE, measured: HOSTILE });
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|<img|onerror="|\u202E/);
  expect(page.match(/<title>/g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;');
});

test('what a set-up says is one line each, so that it forges none', () => {
  const forging = `${HOSTILE}\n- Nothing was lost.\r\n\u2028- Nothing was cut.`;
  const result = resultOf(recording(`${forging} and more of it, so that it is found`, forging), []);
  const lines = [headline(result), ...xrayLines(result), sizeText(result)];
  const owners = result.findings.flatMap((finding) => ('owner' in finding ? [ownerText(finding.owner)] : []));
  for (const text of [...lines, ...owners]) expect(text).not.toMatch(/[\n\r\u2028]/);
  for (const { title, head, rows } of xrayTables(result))
    expect(columns(head, rows).split('\n'), title).toHaveLength(rows.length + 1);
});

test('the page and the terminal begin with the worst finding, or say that there is none', () => {
  const result = resultOf(recording('Never push to main, says this hook.', 'run rules'), []);
  expect(headline(result)).toBe(
    'The hook "run rules" of the plug-in run rules failed at run rules with exit code 1: run rules.',
  );
  expect(xrayPage({ result, since: undefined, measured: 'now' })).toMatch(/<h1>The hook &quot;run rules&quot;/);
  const calm = { ...result, findings: [] };
  expect(headline(calm)).toMatch(/^Agent 1\.0: nothing was lost, cut, repeated or slow\./);
  expect(sizeText(calm)).toContain('your set-up brings');
});

test('when waiting is the worst, the first line says what the tool costs in all', () => {
  const slow = recording('Never push to main, says this hook.', 'remember');
  const hook = { ...slow.hooks[0], id: 'o', event: 'Stop' } as XrayRecording['hooks'][number];
  const run = { at: 3, ms: 2500, exitCode: 0, stdout: '', stderr: '' };
  const hooks = [...slow.hooks, hook, { ...hook, id: 'a', event: 'End', isAsync: true } as const];
  const runs = [...slow.runs.slice(0, 1), { ...run, hook: 'o' }, { ...run, hook: 'a' }];
  expect(headline(resultOf({ ...slow, hooks, runs }, []))).toBe(
    'The plug-in remember keeps you waiting: up to 5.0 s at remember and 2.5 s at Stop, and takes 11 tokens, 100 % of what stands before the model at your first word.',
  );
  const silent = recording('', 'remember');
  const alone = {
    ...silent,
    runs: silent.runs.slice(0, 1),
    hooks: silent.hooks.map((one) => ({ ...one, owner: { kind: 'hook' as const, name: 'x.sh' } })),
  };
  expect(headline(resultOf(alone, []))).toBe(
    'The hook "x.sh" keeps you waiting: up to 5.0 s at remember, and puts nothing before the model.',
  );
});

test('of a long command the end is shown', () => {
  const command = `export PATH=${'/some/folder:'.repeat(20)}; node runner.js hook context`;
  expect(ownerText({ kind: 'hook', name: command })).toMatch(
    /^the hook "export PATH=.*….*node runner\.js hook context"$/,
  );
});

test('a table of parts adds up to the request', () => {
  const result = resultOf(recording('Never push to main, says this hook.', 'run rules'), []);
  const [parts] = xrayTables(result);
  const sum = parts?.rows.reduce((total, row) => total + Number(row[1]), 0);
  expect(sum).toBe(result.requests[0]?.characters);
});

test('every request of the page opens to the table of its parts, without a script', () => {
  const result = resultOf(recording(`${HOSTILE} and more of it, so that it is found`, HOSTILE), []);
  const page = xrayPage({ result, since: undefined, measured: 'now' });
  const opened = page.match(/<details><summary>[\s\S]*?<\/details>/g) ?? [];
  expect(opened).toHaveLength(result.requests.length);
  result.requests.forEach(({ parts, characters }, at) => {
    const sizes = [...(opened[at] ?? '').matchAll(/<tr><td class="number">\d+<\/td><td class="number">(\d+)<\/td>/g)];
    expect(sizes).toHaveLength(parts.length);
    expect(sizes.reduce((sum, [, size]) => sum + Number(size), 0)).toBe(characters);
  });
  expect(page).not.toMatch(/<script|<img|onerror="|\u202E/);
});

test('the beginning of each unknown stretch is kept, safe and without secrets, and stands on no page', () => {
  const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const stranger = `A stranger\u202E says\nthis, with ${'x'.repeat(40)} and ${key}, and goes on. ${'More of it. '.repeat(60)}`;
  const base = recording('', 'silent');
  const [first] = base.requests as [XrayRequest];
  const requests = [{ ...first, body: { messages: [{ role: 'user', content: stranger }] } }];
  const result = resultOf({ ...base, requests, runs: [] }, []);
  const [one] = result.requests;
  expect(one?.unknown).toEqual([
    { characters: stranger.length, begins: `A stranger\uFFFD says this, with ${'x'.repeat(40)} and [redact` },
  ]);
  expect(xrayPage({ result, since: undefined, measured: 'now' })).not.toContain('A stranger');
});

test('the next xray says who brought more and who is gone', () => {
  const of = (owners: readonly [string, number][]) => ({
    tokens: 0,
    owners: owners.map(([name, tokens]) => ({ owner: { kind: 'plug-in' as const, name }, tokens })),
  });
  const before = of([
    ['memory', 100],
    ['gone', 50],
    ['same', 30],
  ]);
  const now = of([
    ['memory', 2000],
    ['same', 33],
    ['new', 20],
  ]);
  const changes = changesSince(before, now);
  expect(changes.map(({ owner, tokens }) => [owner.name, tokens])).toEqual([
    ['memory', 1900],
    ['gone', -50],
    ['new', 20],
  ]);
  expect(sinceText(changes, 'today')).toBe(
    'Since your last xray (today): +1,900 tokens by the plug-in memory, -50 tokens by the plug-in gone, +20 tokens by the plug-in new.',
  );
  expect(sinceText([], 'today')).toContain('no change');
  const plugIn = 'memory';
  const parts: readonly XrayOwner[] = [
    { kind: 'hook', name: 'remember.sh', plugIn },
    { kind: 'plug-in', name: plugIn },
    { kind: 'server', name: 'recall', plugIn },
    { kind: 'hook', name: 'forget.sh', plugIn },
  ];
  const brought = { tokens: 0, owners: parts.map((owner, at) => ({ owner, tokens: 400 + at * 50 })) };
  expect(sinceText(changesSince(of([['other', 30]]), brought), 'today')).toBe(
    'Since your last xray (today): +1,900 tokens by the plug-in memory, -30 tokens by the plug-in other.',
  );
  const result = resultOf(recording('Never push to main, says this hook.', 'run rules'), []);
  expect(changesSince(totalsOf(result), totalsOf(result))).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../bundle.ts';
import { foreword, shop } from '../foreword.ts';

let project = '';

beforeEach(() => {
  project = shop();
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

test('the header shows the quickstart as it is', async () => {
  const { status, stdout, stderr } = await foreword(['context', '--task', 'api_health'], { cwd: project });
  expect([status, stderr]).toEqual([0, '']);
  const head = execFileSync('git', ['-C', project, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  expect(parse(stdout)).toEqual({
    repo: { branch: 'main', head, recent_window: '180s' },
    pending: [{ id: 'cart_total', age: '2d ago', files: ['src/cart.js', 'test/cart.test.js'] }],
    backlog: [
      { id: 'api_health', summary: 'Add a health endpoint' },
      { id: 'api_discount', summary: 'Offer the discount over HTTP' },
      { id: 'cart_discount', summary: 'Take a percentage off the total' },
    ],
    hotspots: [{ path: 'scratch/load-test.md', age: 'just now' }],
    targets: ['src/**', 'test/**', 'README.md'],
    policy: [
      'patch-only',
      'minimal diff',
      'allow:src/**,test/**,README.md',
      'deny:secrets/**,.env',
      '+<=200 -<=100 lines, files<=10',
    ],
    next_work: ['review cart_total (2d ago)', 'pick api_health: Add a health endpoint', 'look at scratch/load-test.md'],
    mode: 'propose',
  });
});

test('JSON and YAML hold the same value, Markdown reads as a page', async () => {
  const [yaml, json, flag, md] = await Promise.all(
    [
      ['context'],
      ['context', '--format', 'json'],
      ['context', '--json'],
      ['context', '--format', 'md', '--mode', 'review'],
    ].map((args) => foreword(args, { cwd: project })),
  );
  expect(JSON.parse(json?.stdout ?? '')).toEqual(parse(yaml?.stdout ?? ''));
  expect(flag?.stdout).toBe(json?.stdout);
  expect(md?.stdout).toContain('## Next work\n\n- review cart_total (2d ago)\n');
  expect(md?.stdout).toContain('mode review');
});

test('reading writes nothing: no folder, no store', async () => {
  const empty = temporaryFolder('empty');
  const { status, stdout } = await foreword(['context'], { cwd: empty });
  expect(status).toBe(0);
  expect(parse(stdout)).toMatchObject({ repo: { branch: null, head: null }, next_work: ['noop'] });
  expect(readdirSync(empty)).toEqual([]);
  rmSync(empty, { recursive: true });
});

test('explain says where each part came from and what was cut', async () => {
  write('.foreword/tasks.yaml', Array.from({ length: 9 }, (_, index) => `- id: t${index}\n`).join(''));
  const { stdout } = await foreword(['context', '--explain'], { cwd: project });
  expect(stdout).toMatch(/^backlog +7 +2 {2}\.foreword\/tasks\.yaml +at most 7, by priority and id$/m);
  expect(stdout).toMatch(/^repo +1 +0 {2}\.git$/m);
});

test('every fault of every file is told at once, with its line, and nothing is written', async () => {
  write('.foreword/tasks.yaml', 'tasks:\n  - task_id: a\n    priority: soon\n  - task_id: a\n  - summary: no id\n');
  write('.foreword/policy.yaml', 'rules: minimal\nlimit: { max_files: 3 }\n');
  write('.foreword/notes/ready_for_review/cart-total.md', '---\ntargets: 5\n---\n');
  const { status, stdout, stderr } = await foreword(['context'], { cwd: project });
  expect([status, stdout]).toEqual([2, '']);
  for (const place of [
    '.foreword/tasks.yaml:3: tasks[0].priority',
    '.foreword/tasks.yaml:4: tasks[1].task_id',
    '.foreword/tasks.yaml:5: tasks[2]',
    '.foreword/policy.yaml:1: rules',
    '.foreword/policy.yaml:2: limit',
    '.foreword/notes/ready_for_review/cart-total.md:2: targets',
  ]) {
    expect(stderr).toContain(place);
  }
  const json = await foreword(['context', '--json'], { cwd: project });
  expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'bad-input', faults: { length: 6 } });
});

test('a broken configuration is refused with every fault', async () => {
  write('.foreword/config.yaml', 'history: { size: 9 }\nstore: redis://elsewhere\ncontxt: {}\n');
  const { status, stderr } = await foreword(['context'], { cwd: project, env: { PRE_CONTEXT_MAX_LINES: '3' } });
  expect(status).toBe(2);
  for (const part of [
    'config.yaml:1: history.size',
    'config.yaml:2: store',
    'config.yaml:3: contxt',
    'PRE_CONTEXT_MAX_LINES',
  ]) {
    expect(stderr).toContain(part);
  }
});

test('tasks in JSON and EDN make the same header', async () => {
  const tasks = [
    { id: 'b', summary: 'Second', priority: 'P2' },
    { id: 'a', summary: 'First', priority: '1' },
  ];
  rmSync(join(project, '.foreword/tasks.yaml'));
  write('config/tasks.json', JSON.stringify(tasks));
  const json = await foreword(['context', '--json'], { cwd: project });
  rmSync(join(project, 'config/tasks.json'));
  write(
    'config/tasks.edn',
    '[{:id "b" :summary "Second" :priority "P2"}\n {:id "a", :summary "First" :priority 1}] ; done',
  );
  const edn = await foreword(['context', '--json'], { cwd: project });
  expect(JSON.parse(edn.stdout)).toEqual(JSON.parse(json.stdout));
  expect(JSON.parse(edn.stdout).backlog).toEqual([
    { id: 'a', summary: 'First' },
    { id: 'b', summary: 'Second' },
  ]);
});

test('hostile names reach no terminal raw and parse back whole', async () => {
  const name = 'a b\u001b[31m\u202e\nc: #d.md';
  write(`.foreword/notes/scratch/${name}`, 'x');
  writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/feat: x #y\n');
  const { status, stdout } = await foreword(['context'], { cwd: project });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
  const header = parse(stdout);
  expect(header.repo.branch).toBe('feat: x #y');
  expect(header.hotspots[0].path).toBe(`scratch/${name}`);
});

test('a secret in a note name or a summary is not shown', async () => {
  const secret = 'hunter2-hunter2';
  write('.foreword/tasks.yaml', `- id: a\n  summary: use ${secret} and ghp_${'a1B2'.repeat(9)}\n`);
  const { stdout } = await foreword(['context'], { cwd: project, env: { SHOP_PASSWORD: secret } });
  expect(stdout).toContain('[redacted]');
  expect(stdout).not.toContain(secret);
  expect(stdout).not.toContain('a1B2a1B2');
});

test('wrong words are explained, with what was meant', async () => {
  const cases: readonly [readonly string[], RegExp][] = [
    [['contxt'], /no command "contxt".*\n.*foreword context\?/],
    [['install'], /no command "install".*\n.*foreword init\?/],
    [['context', '--taks', 'x'], /no flag --taks.*\n.*--task\?/],
    [['context', '--format', 'xml'], /--format was given "xml"; it takes yaml, json, md/],
    [['context', '--task'], /--task needs a value/],
    [['context', 'extra'], /does not take the argument "extra"/],
    [['context', '--task', 'nope'], /no task "nope".*\n.*api_health/],
    [['context', '--cwd', '/does/not/exist'], /no folder/],
    [['prompt'], /needs TASK/],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await foreword(args, { cwd: project });
    expect([args, status]).toEqual([args, 2]);
    expect(stderr).toMatch(message);
  }
});

test('help has an example for every command', async () => {
  const { stdout } = await foreword(['--help'], { cwd: project });
  const names = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? '');
  expect(names.length).toBeGreaterThanOrEqual(7);
  for (const name of names) {
    const help = await foreword([name, '--help'], { cwd: project });
    expect(help.stdout).toMatch(/Examples?:\n {2}.*foreword /);
  }
});

import { expect, test } from 'vitest';
import { settingsRedactor, withoutKeys } from './without-keys.ts';

const inSettings = (settings: unknown, text = JSON.stringify(settings)) => settingsRedactor(settings, {})(text);

test.each([
  ['as the next word', { mcpServers: { shop: { command: 'serve', args: ['--api-key', 'correcthorse1'] } } }],
  ['in the same word', { mcpServers: { shop: { command: 'serve', args: ['--token=correcthorse1', '--all'] } } }],
  [
    'as a variable in a word',
    { mcpServers: { shop: { command: 'docker', args: ['-e', 'SHOP_SECRET=correcthorse1'] } } },
  ],
  ['as a header in a word', { mcpServers: { shop: { args: ['--header', 'X-Api-Key: correcthorse1'] } } }],
  ['after Bearer', { mcpServers: { shop: { args: ['--header', 'Authorization: Bearer correcthorse1'] } } }],
  ['in a list of words alone', { mcp: { shop: { command: ['serve', '--password', 'correcthorse1'] } } }],
  [
    'in the line of a hook',
    { hooks: { Stop: [{ hooks: [{ command: 'notify --verbose --api-key correcthorse1' }] }] } },
  ],
  ['in quotes in a line', { hooks: { Stop: [{ command: "notify --token='correcthorse1'; date" }] } }],
  ['as a variable of a line', { hooks: { Stop: [{ bash: 'NOTES_TOKEN=correcthorse1 notify' }] } }],
  ['in an address', { hooks: { Stop: [{ command: 'curl "https://shop.invalid/?a=1&api_key=correcthorse1"' }] } }],
  ['after the name of a user', { hooks: { Stop: [{ command: 'curl -u me:correcthorse1 https://shop.invalid' }] } }],
  ['in quotes with a quote in it', { hooks: { Stop: [{ command: 'notify --token "co\\"correcthorse1"' }] } }],
  ['under an address of a registry', { '//registry.invalid/:_authToken': 'correcthorse1' }],
  ['in a list under a name', { tokens: ['correcthorse1'] }],
])('a key in settings is replaced where it stands %s', (_place, settings) => {
  expect(inSettings(settings)).not.toContain('correcthorse1');
});

test('what a line names otherwise stays, and so does a key that the shell fills in', () => {
  const command =
    'review --limit 10000000 --token-file /etc/review.token --key $REVIEW_KEY --token "$REVIEW_TOKEN" main-branch';
  expect(inSettings({ hooks: { Stop: [{ command }] } }, command)).toBe(command);
});

test('a server or a project whose name sounds secret keeps its command', () => {
  const server = { command: '/usr/bin/token-counter', args: ['serve-everything'], env: { EDITOR: '/usr/bin/vim' } };
  const settings = {
    mcpServers: { 'auth-tokens': { ...server, env: {} } },
    projects: { '/work/secret': { mcpServers: { a: server } } },
  };
  expect(inSettings(settings)).toBe(JSON.stringify(settings));
});

test.each([
  ['.env', 'MY_TOKEN=plainword1\nEDITOR=/usr/bin/vim\n'],
  ['.env', 'MY_TOKEN="plainword1 and more" # for the shop\n'],
  ['.env.local', "MY_SECRET='first plainword1\nsecond'\n"],
  ['.env', 'MY_TOKEN="a\\"plainword1"\n'],
  ['.envrc', 'export MY_TOKEN=plainword1\n'],
  ['.npmrc', '//registry.invalid:8080/:_authToken=plainword1\nregistry=https://registry.invalid/\n'],
  ['.netrc', 'machine shop.invalid login me password plainword1\n'],
  ['tool.yaml', 'shop:\n  api_key: plainword1\n  name: shop\n'],
  ['tool.yaml', 'shop: { name: shop, token: plainword1 }\n'],
  ['broken.json', '{ "token": "plainword1", '],
])('a key in %s is replaced by its name', (file, text) => {
  expect(withoutKeys(text, file, {})).not.toContain('plainword1');
});

test('values without a secret name stay as they are', () => {
  const text = 'EDITOR=/usr/bin/vim\nregistry=https://registry.invalid/\nname: everything else\nPWD=/home/somebody\n';
  for (const file of ['.env', '.npmrc', 'tool.yaml']) expect(withoutKeys(text, file, {})).toBe(text);
});

test.each(['a: ', '-', 'token: ', 'a="', '--a '])('a long line of %j is looked through without delay', (part) => {
  const text = part.repeat(5000);
  const from = performance.now();
  withoutKeys(text, '.netrc', {});
  inSettings({ command: text });
  expect(performance.now() - from).toBeLessThan(20_000);
});

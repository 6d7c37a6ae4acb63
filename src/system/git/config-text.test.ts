import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configValue, harmlessSettings, readConfig } from './config-text.ts';

test('sections, subsections, quotes, escapes, comments and continued lines are read as git reads them', () => {
  const text = [
    '# a comment',
    '[Core]',
    '\tAutoCRLF = input ; why not',
    '\tbare',
    '[remote "Ori\\"gin"] url = "a # b"  # c',
    '\tempty =',
    '\tlong = one \\',
    '  two',
    '\tinner  =  a "  b  " c\\tend  ',
    '[x]',
    '\tbroken = "open',
    '\twrong = a\\q',
    'not a line',
  ].join('\n');
  expect([...readConfig(text)]).toEqual([
    ['core.autocrlf', 'input'],
    ['core.bare', 'true'],
    ['remote.Ori"gin.url', 'a # b'],
    ['remote.Ori"gin.empty', ''],
    ['remote.Ori"gin.long', 'one   two'],
    ['remote.Ori"gin.inner', 'a   b   c\tend'],
  ]);
});

test('only harmless values come through, and the last one counts', () => {
  const first = '[core]\nfilemode = false\nfsmonitor = /bin/evil\neol = lf\nautocrlf = !sh\nabbrev = 12\nabbrev = ;x\n';
  const second = '[core]\neol = crlf\nsshCommand = x\n[filter "a"]\nclean = x\n[include]\npath = /x\n';
  expect([...harmlessSettings([first, second])]).toEqual([
    ['core.filemode', 'false'],
    ['core.eol', 'crlf'],
    ['core.abbrev', '12'],
  ]);
});

test('one value is found whatever its case', () => {
  expect(configValue('[extensions]\n\tobjectFormat = sha256\n', 'extensions.objectformat')).toBe('sha256');
  expect(configValue('', 'extensions.objectformat')).toBeUndefined();
});

test('whatever the text, no value that comes through could end its line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('eol', 'autocrlf', 'abbrev', 'symlinks'),
      (text, key) => {
        for (const value of harmlessSettings([`[core]\n${key} = ${text}`, text]).values()) {
          expect(value).toMatch(/^[a-z0-9]{0,6}$/i);
        }
      },
    ),
  );
});

// Help pages, built from the commands' data.

import { COMMON_FLAGS, type Command, type Flag } from './command.ts';

export function commandHelp(command: Command): string {
  const usage = ['foreword', command.name, ...command.args, Object.keys(command.flags).length > 0 ? '[flags]' : ''];
  return [
    `${command.summary}`,
    '',
    `Usage: ${usage.join(' ').trim()}`,
    ...section('Flags', flagRows(command.flags)),
    ...section('Flags of every command', flagRows(COMMON_FLAGS)),
    '',
    command.examples.length === 1 ? 'Example:' : 'Examples:',
    ...command.examples.flatMap((example) => [`  ${example.line}`, `      ${example.does}`]),
  ].join('\n');
}

/** The groups in their order, each with its commands. */
export function overview(groups: readonly (readonly [string, readonly Command[]])[], version: string): string {
  const rows = groups.map(([, commands]) =>
    commands.map((command) => [[command.name, ...command.args].join(' '), command.summary] as const),
  );
  const width = Math.max(...rows.flat().map(([line]) => line.length));
  return [
    `foreword ${version}: the context a coding agent needs, and the proof that it arrived.`,
    '',
    'Usage: foreword COMMAND [flags]',
    ...groups.flatMap(([title], index) => section(title, rows[index] ?? [], width)),
    ...section('Flags of every command', flagRows(COMMON_FLAGS)),
    '',
    'foreword COMMAND --help explains one command, with an example. foreword --version prints the version.',
  ].join('\n');
}

function section(
  title: string,
  rows: readonly (readonly [string, string])[],
  width = Math.max(0, ...rows.map(([word]) => word.length)),
): readonly string[] {
  if (rows.length === 0) return [];
  return ['', `${title}:`, ...rows.map(([word, text]) => `  ${word.padEnd(width)}  ${text}`)];
}

function flagRows(flags: Readonly<Record<string, Flag>>): readonly (readonly [string, string])[] {
  return Object.entries(flags).map(([name, flag]) => {
    const short = flag.short === undefined ? '' : `-${flag.short}, `;
    const value = flag.value === undefined ? '' : ` ${flag.value}`;
    const choices = flag.choices === undefined ? '' : ` (${flag.choices.join(', ')})`;
    return [
      `${short}--${name}${value}`,
      `${flag.description}${choices}${flag.many === undefined ? '' : '; may be repeated'}`,
    ];
  });
}

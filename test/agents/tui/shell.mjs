// The shell that a terminal falls back to when its agent has ended. It runs nothing; what it would have run is logged.

const PROMPT = 'user@host:~$ ';

/** `style` is 'readline' (key by key, with paste frames, echoing itself) or 'cooked' (line mode). */
export function makeShell({ style, write, log }) {
  let line = '';
  const isEchoing = style === 'readline';
  const put = (text) => {
    line += text;
    if (isEchoing) write(text.replaceAll('\n', '\r\n'));
  };
  const run = (by) => {
    log('command', { text: line, by });
    write(
      `${isEchoing ? '\r\n' : ''}${line.trim() === '' ? '' : `bash: ${line.split(/\s/)[0]}: command not found\r\n`}`,
    );
    line = '';
    write(PROMPT);
  };
  return {
    open: () => write(PROMPT),
    take: (token) => {
      if (token.type === 'paste') put(token.body.toString('utf8').replaceAll('\r', '\n'));
      else if (token.name === 'enter' || token.name === 'newline') run(token.by);
      else if (token.name === 'character') put(token.text);
    },
  };
}

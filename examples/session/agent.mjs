// The smallest agent with a terminal: a prompt, framed pastes, an answer after a while. Stands in for a real one in the
// examples, so that they run without a key.

process.stdin.setRawMode?.(true);
process.stdout.write('\x1b[?2004hmini agent 1.0\r\n> ');

let draft = '';
let isPaste = false;

process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const part of text.split('\x1b')) {
    if (part.startsWith('[200~') || part.startsWith('[201~')) isPaste = part.startsWith('[200~');
    for (const key of part.replace(/^\[20[01]~/, '')) {
      if (key === '\x03' || key === '\x04') process.exit(0);
      else if (key === '\r' && !isPaste) submit();
      else {
        draft += key;
        process.stdout.write(key === '\n' ? '\r\n  ' : key);
      }
    }
  }
});

function submit() {
  const prompt = draft;
  draft = '';
  process.stdout.write('\r\n\r\nworking (esc to interrupt)');
  setTimeout(() => process.stdout.write(`\r\x1b[K${answerTo(prompt)}\r\n\r\n> `), 300);
}

/** A model that is asked for the reply code gives it. */
function answerTo(prompt) {
  const [, one, other] = /code made by joining (\w+) and (\w+)/.exec(prompt) ?? [];
  return one === undefined ? 'Understood.' : `ACK: context received ${one}${other}`;
}

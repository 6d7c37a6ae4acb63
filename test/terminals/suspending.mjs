// An agent that suspends itself on Ctrl-Z in one of the ways that agents do, and says what it is given.
// Usage: node suspending.mjs stop|signal|never
//   stop    gives its terminal back and stops with a signal that nobody can ignore
//   signal  gives its terminal back and sends its group what the terminal would; goes on when it is back from that
//   never   takes Ctrl-Z for a key like any other

const [how] = process.argv.slice(2);
let keys = '';

function enter() {
  process.stdin.setRawMode(true);
  process.stdout.write('\x1b[?1049h\x1b[?2004h');
}

function leave() {
  process.stdout.write('\x1b[?2004l\x1b[?1049l');
  process.stdin.setRawMode(false);
}

function draw(what) {
  process.stdout.write(`\x1b[2J\x1b[H<${what} ${keys}>`);
}

function suspend() {
  leave();
  process.stdout.write('last words\r\n');
  if (how === 'stop') process.kill(process.pid, 'SIGSTOP');
  else process.kill(0, 'SIGTSTP');
  enter();
  draw('resumed');
}

process.stdout.on('resize', () => draw('drawn'));
process.stdin.on('data', (bytes) => {
  for (const key of bytes.toString('latin1')) {
    if (key === 'q') {
      leave();
      process.exit(7);
    }
    if (key === '\x1a' && how !== 'never') suspend();
    else keys += key === '\x1a' ? '^Z' : key;
  }
  draw('keys');
});
enter();
draw('ready');

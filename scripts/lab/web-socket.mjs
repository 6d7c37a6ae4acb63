// The server's end of a web socket, for services of the lab: texts both ways, no fragments, nothing compressed.

import { createHash } from 'node:crypto';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Answers the upgrade and hands each text to `onText`; { send }. */
export function acceptSocket(request, raw, onText) {
  const accepted = createHash('sha1')
    .update(request.headers['sec-websocket-key'] + GUID)
    .digest('base64');
  const [protocol] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  if (protocol !== '') head.push(`Sec-WebSocket-Protocol: ${protocol}`);
  raw.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accepted}\r\n\r\n`);
  raw.on('error', () => raw.destroy());
  let bytes = Buffer.alloc(0);
  raw.on('data', (more) => {
    bytes = Buffer.concat([bytes, more]);
    for (let frame = readFrame(bytes); frame !== undefined; frame = readFrame(bytes)) {
      bytes = bytes.subarray(frame.length);
      if (frame.kind === TEXT) onText(frame.body.toString());
      else if (frame.kind === PING) raw.write(makeFrame(PONG, frame.body));
      else if (frame.kind === CLOSE) raw.end();
    }
  });
  return { send: (text) => raw.write(makeFrame(TEXT, Buffer.from(text))) };
}

/** The first frame, or undefined when it is not whole. A client's frames are masked. */
function readFrame(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 127;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const length = start + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const body = Buffer.from(bytes.subarray(start + 4, length)).map((byte, at) => byte ^ mask[at & 3]);
  return { kind: bytes[0] & 15, body: Buffer.from(body), length };
}

function makeFrame(kind, body) {
  const isShort = body.length < 126;
  const head = Buffer.alloc(isShort ? 2 : 10);
  head[0] = 128 | kind;
  head[1] = isShort ? body.length : 127;
  if (!isShort) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

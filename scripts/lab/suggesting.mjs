// Stands between an agent and the model and answers the agent's own question what the person may want to say next, which
// the model gives no words to. Everything else is passed on as it is.

import { request as ask, createServer } from 'node:http';

const MARK = /SUGGESTION MODE/;

/** Answers { url, close }. */
export async function startSuggesting(modelUrl, suggestion) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      if (MARK.test(body.toString('utf8'))) return suggest(response, request.url, suggestion);
      const onward = ask(
        `${modelUrl}${request.url}`,
        { method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      onward.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function suggest(response, path, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frames = path.startsWith('/v1/messages') ? anthropic(text) : chat(text);
  response.end(
    frames.map((frame) => `${frame.event ? `event: ${frame.event}\n` : ''}data: ${frame.data}\n\n`).join(''),
  );
}

function anthropic(text) {
  const usage = { input_tokens: 9, output_tokens: 9 };
  const message = { id: 'msg_0', type: 'message', role: 'assistant', model: 'stub', content: [], usage };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ].map((data) => ({ event: data.type, data: JSON.stringify(data) }));
}

function chat(text) {
  const chunk = (delta, reason) =>
    JSON.stringify({
      id: 'chat-0',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'stub-model',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  return [{ data: chunk({ role: 'assistant', content: text }, null) }, { data: chunk({}, 'stop') }, { data: '[DONE]' }];
}

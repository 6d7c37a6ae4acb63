// Receives events from the server. With fetch and not EventSource, which could not send the token in a header.

export type Link = 'live' | 'lost' | 'refused';

const LONGEST_PAUSE_MS = 10_000;

/** Runs as long as the page is open; ends when the token is no longer valid. */
export async function follow(
  token: string,
  on: { link(link: Link): void; news(event: string, data: string): void },
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await ask('/events', token);
      if (response.status === 401) return on.link('refused');
      if (response.ok && response.body !== null) {
        on.link('live');
        tries = 0;
        await read(response.body, on.news);
      }
    } catch {
      // The server is gone, or the machine slept: retried below.
    }
    on.link('lost');
    await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE_MS, 500 * 2 ** tries)));
  }
}

export function ask(path: string, token: string): Promise<Response> {
  return fetch(path, { headers: { authorization: `Bearer ${token}` }, cache: 'no-store', credentials: 'omit' });
}

async function read(body: ReadableStream<Uint8Array>, news: (event: string, data: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting += decoder.decode(value, { stream: true });
    for (let end = waiting.indexOf('\n\n'); end !== -1; end = waiting.indexOf('\n\n')) {
      const [event, data] = ['event: ', 'data: '].map((name) => fieldOf(waiting.slice(0, end), name));
      waiting = waiting.slice(end + 2);
      if (event !== undefined && data !== undefined) news(event, data);
    }
  }
}

function fieldOf(message: string, name: string): string | undefined {
  return message
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.slice(name.length);
}

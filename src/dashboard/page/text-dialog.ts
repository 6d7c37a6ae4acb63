// A dialog with the exact text that an agent got, part by part.

import type { ShownText } from '../shown.ts';
import { el, quiet } from './dom.ts';
import { ask } from './stream.ts';

/** Returns the function that shows the text at a path. */
export function textDialog(token: string): (path: string) => void {
  const title = el('h2', { id: 'text-title' });
  const close = el('button', { type: 'button', class: 'close' }, 'Close');
  const body = el('div', { class: 'parts' });
  const dialog = el('dialog', { 'aria-labelledby': 'text-title' }, el('header', {}, title, close), body);
  close.addEventListener('click', () => dialog.close());
  document.body.append(dialog);

  const fill = async (path: string): Promise<void> => {
    const response = await ask(path, token);
    const answer = (await response.json()) as ShownText | { readonly error: { readonly message: string } };
    if ('error' in answer) return body.replaceChildren(quiet(answer.error.message));
    title.textContent = answer.title;
    body.replaceChildren(
      ...answer.parts.map(({ name, source, tokens, text }) =>
        el(
          'section',
          { class: 'part' },
          el('h3', {}, name),
          el('p', { class: 'fine' }, `from ${source}; about ${tokens} tokens`),
          el('pre', { tabindex: '0' }, text),
        ),
      ),
    );
  };
  return (path) => {
    title.textContent = 'Text';
    body.replaceChildren(quiet('Loading.'));
    dialog.showModal();
    fill(path).catch(() => body.replaceChildren(quiet('The text could not be loaded.')));
  };
}

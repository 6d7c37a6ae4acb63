// Changes what is on the page into what should be there, and leaves alone what is the same: a person may be reading, have
// selected something, or be on a button with the keyboard.

/** Identifies a row or a button among its siblings, also when it moves. */
function keyOf(node: Node): string | undefined {
  return node instanceof HTMLElement ? (node.dataset.row ?? node.dataset.key) : undefined;
}

/** The children of `place` are like `wanted` afterwards; nodes that fit are kept, others are put in or taken away. */
export function patchChildren(place: Element, wanted: readonly Node[]): void {
  const keyed = new Map<string, Node>();
  for (const child of place.childNodes) {
    const key = keyOf(child);
    if (key !== undefined) keyed.set(key, child);
  }
  const used = new Set<Node>();
  let cursor = place.firstChild;
  for (const fresh of wanted) {
    while (cursor !== null && used.has(cursor)) cursor = cursor.nextSibling;
    const key = keyOf(fresh);
    const old = key === undefined ? cursor : (keyed.get(key) ?? null);
    const kept = old !== null && !used.has(old) && isSameKind(old, fresh) ? old : fresh;
    if (kept !== cursor) place.insertBefore(kept, cursor);
    if (kept !== fresh) patch(kept, fresh);
    used.add(kept);
  }
  for (const child of [...place.childNodes]) if (!used.has(child)) child.remove();
}

function isSameKind(old: Node, fresh: Node): boolean {
  return old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);
}

function patch(old: Node, fresh: Node): void {
  if (old instanceof Text) {
    if (old.data !== fresh.textContent) old.data = fresh.textContent ?? '';
    return;
  }
  if (!(old instanceof Element && fresh instanceof Element)) return;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  patchChildren(old, [...fresh.childNodes]);
}

/** Carries `change` out, and puts focus, selection and the rows in sight back where they were, as far as they are still there. */
export function keepingPlace(change: () => void): void {
  const focused = document.activeElement;
  const selection = document.getSelection();
  const selected = selection === null || selection.isCollapsed ? undefined : boundsOf(selection);
  const isReading = window.scrollY > 0 || selected !== undefined || (focused !== null && focused !== document.body);
  const row = isReading ? rowInSight() : undefined;
  const before = row?.getBoundingClientRect().top;
  change();
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused)
    focused.focus({ preventScroll: true });
  if (selected !== undefined && selection !== null) select(selection, selected);
  if (row?.isConnected && before !== undefined)
    window.scrollBy({ top: row.getBoundingClientRect().top - before, behavior: 'instant' });
}

interface Bounds {
  readonly from: Node;
  readonly at: number;
  readonly to: Node;
  readonly end: number;
}

function boundsOf({ anchorNode, anchorOffset, focusNode, focusOffset }: Selection): Bounds | undefined {
  if (anchorNode === null || focusNode === null) return undefined;
  return { from: anchorNode, at: anchorOffset, to: focusNode, end: focusOffset };
}

function select(selection: Selection, { from, at, to, end }: Bounds): void {
  const isSame = selection.anchorNode === from && selection.focusNode === to && selection.anchorOffset === at;
  if (isSame && selection.focusOffset === end) return;
  if (!from.isConnected || !to.isConnected || at > lengthOf(from) || end > lengthOf(to)) return;
  selection.setBaseAndExtent(from, at, to, end);
}

function lengthOf(node: Node): number {
  return node instanceof Text ? node.length : node.childNodes.length;
}

/** The first row of which something is to be seen below the head of the page. */
function rowInSight(): Element | undefined {
  const top = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0;
  return [...document.querySelectorAll('[data-row]')].find(
    (one) => one.getBoundingClientRect().bottom > Math.max(0, top),
  );
}

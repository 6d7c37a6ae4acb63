// Cycles among things that wait for one another. Tarjan's algorithm with its own stack, so that a chain of any length
// is safe, and each group gives one cycle instead of one for each way around it.

/** One shortest cycle for each group that waits in a circle, beginning with the group's first key. Edges to unknown
 *  keys and to oneself are left out. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = [...edges.keys()];
  const targets = (key: string): readonly string[] =>
    (edges.get(key) ?? []).filter((other) => other !== key && edges.has(other));
  return knots(order, targets)
    .map((knot) => shortestCycle(order.find((key) => knot.has(key)) ?? '', knot, targets))
    .sort((one, other) => order.indexOf(one[0] ?? '') - order.indexOf(other[0] ?? ''));
}

interface Visit {
  readonly key: string;
  readonly rest: string[];
}

/** Groups of two or more in which each reaches each. */
function knots(order: readonly string[], targets: (key: string) => readonly string[]): ReadonlySet<string>[] {
  const found: ReadonlySet<string>[] = [];
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const held = new Set<string>();
  const path: Visit[] = [];
  const lower = (key: string, to: number | undefined): void => {
    low.set(key, Math.min(low.get(key) ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY));
  };
  const enter = (key: string): void => {
    number.set(key, number.size);
    lower(key, number.get(key));
    held.add(key);
    stack.push(key);
    path.push({ key, rest: [...targets(key)] });
  };
  const leave = ({ key }: Visit): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lower(parent.key, low.get(key));
    if (low.get(key) !== number.get(key)) return;
    const group = new Set<string>();
    for (let member = stack.pop(); member !== undefined; member = member === key ? undefined : stack.pop()) {
      held.delete(member);
      group.add(member);
    }
    if (group.size > 1) found.push(group);
  };
  for (const start of order) {
    if (!number.has(start)) enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.rest.pop();
      if (next === undefined) leave(visit);
      else if (!number.has(next)) enter(next);
      else if (held.has(next)) lower(visit.key, number.get(next));
    }
  }
  return found;
}

function shortestCycle(
  start: string,
  knot: ReadonlySet<string>,
  targets: (key: string) => readonly string[],
): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const key of queue)
    for (const next of targets(key)) {
      if (!knot.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, key);
      queue.push(next);
    }
  const cycle: string[] = [];
  for (let key = cameFrom.get(start); key !== undefined && key !== start; key = cameFrom.get(key)) cycle.unshift(key);
  return [start, ...cycle];
}

export function lockFaults(
  lock: { readonly packages?: Readonly<Record<string, unknown>> },
  own: Readonly<Record<string, unknown>>,
): readonly string[];

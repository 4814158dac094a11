/** Assertions of what a structure in memory relies on, where nothing else would notice that it does not hold. */

/** @throws Error where something does not hold: a bug. */
export function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

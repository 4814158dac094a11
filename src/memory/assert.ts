/** Assertions of invariants of structures in memory, for those that no other code would find broken. */

export function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

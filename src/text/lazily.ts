/** A value that is made when it is first asked for, and kept: tables that take long to read and never change. */

export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

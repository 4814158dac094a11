/** Distinguishes a file from an earlier or later one at the same path, without reading it. */
import { statSync } from 'node:fs'

/** Path, size, time and number of a file; the path with `missing` where it cannot be looked at. */
export function fileIdentityOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path)
    return `${path} ${size} ${mtimeMs} ${ino}`
  } catch {
    // The reason does not matter here: reading the file reports it.
    return `${path} missing`
  }
}

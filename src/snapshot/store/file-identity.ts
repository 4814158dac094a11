/** Distinguishes a file from an earlier or later one of the same name, without reading it. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'

/** Name, size, times and number of a file in one line; the name with `missing` where it cannot be looked at. */
export function fileIdentityOf(path: string): string {
  try {
    const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true })
    return [basename(path), size, mtimeNs, ctimeNs, ino].join(' ')
  } catch {
    // The reason does not matter here: reading the file reports it.
    return `${basename(path)} missing`
  }
}

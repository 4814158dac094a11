/** Texts of `/readyz` about times and refusals. They never reveal the paths of files. */

/** A text with file names only: full paths are for the log. */
export function withoutPaths(text: string): string {
  return text.replace(/(?:file:\/)?(?:[\w.~@%+-]*\/)+(?=[\w.])/g, '')
}

/** A time as ISO 8601; null where there is none. @param milliseconds since the epoch. */
export function timeText(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString()
}

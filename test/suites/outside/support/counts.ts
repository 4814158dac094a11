/** How much a suite does: little by default, what a finding needs to be seen with `OUTSIDE=full`. */
export const isFull = process.env.OUTSIDE === 'full'

/** The one or the other of two counts. */
export function counted(small: number, full: number): number {
  return isFull ? full : small
}

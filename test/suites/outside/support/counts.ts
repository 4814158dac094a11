/** How much a suite does: little by default, what a finding needs to be seen with `OUTSIDE=full`. */
export const isFull = process.env.OUTSIDE === 'full'

export function counted(small: number, full: number): number {
  return isFull ? full : small
}

/** The way to report a mistake to the operator. */

/** Where a mistake in the entry of a person is reported: a letter names the entry. */
export function reportAddress(target: string, sdu: string): string {
  return target.startsWith('mailto:')
    ? `${target}?subject=${encodeURIComponent(`A mistake in the entry ${sdu}`)}`
    : target
}

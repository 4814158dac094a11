/** The way to report a mistake to the operator. */

/** The address for reports of a mistake in a person's entry; the subject of a letter names the entry. */
export function reportAddress(target: string, sdu: string): string {
  return target.startsWith('mailto:')
    ? `${target}?subject=${encodeURIComponent(`A mistake in the entry ${sdu}`)}`
    : target
}

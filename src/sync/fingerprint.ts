/**
 * The fingerprint of a snapshot's content, known before the snapshot is made: the source, what is corrected here, what
 * the source is trusted for, and who is left out.
 */
import type { Values } from '../settings.ts'
import { fingerprintWithout, type Removals } from '../snapshot/store/removals.ts'
import { correctionsMark } from './removals/recorded-corrections.ts'

/** The settings that decide on the content. */
type MadeBy = Values<'snapshots' | 'trust' | 'vetted' | 'sourceShareMax'>

/** The fingerprint of what a snapshot is made of: the source, its corrections here, and who is left out. */
export function fingerprintOf(
  { snapshots, ...trusted }: MadeBy,
  source: string,
  removals: Removals,
): string {
  const corrected = `${source}${correctionsMark(snapshots)}`
  return fingerprintWithout(corrected, removals, beliefsOf(trusted))
}

/** Returns the settings of trust in a source's claims, as words of the fingerprint. */
function beliefsOf({ trust, vetted, sourceShareMax }: Omit<MadeBy, 'snapshots'>): string[] {
  const ways = vetted.map((way) => `people vetted by ${JSON.stringify(way)}`)
  return [...trust, ...ways, ...(sourceShareMax < 1 ? [`sources up to ${sourceShareMax}`] : [])]
}

/**
 * The fingerprint of a snapshot's content, known before the snapshot is made: the source, what is corrected here, what
 * the source is trusted for, and who is left out.
 */
import { anyText, objectOf } from '../reading/readers.ts'
import type { Values } from '../settings.ts'
import { fingerprintWithout, type Removals } from '../snapshot/store/removals.ts'
import { asJson, stateFile } from '../snapshot/store/state-file.ts'
import type { SourceMark } from '../source/source.ts'
import { correctionsMark } from './removals/recorded-corrections.ts'

/**
 * The mark of the last reading of a source that has one, so that the next sync need not read what has not changed;
 * without it everything is read. It says what was read, not what was published: its fingerprint is compared with that of
 * the current snapshot.
 */
export const sourceMark = stateFile<SourceMark>(
  'WATERMARK',
  asJson(objectOf({ source: anyText, watermark: anyText, fingerprint: anyText })),
)

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

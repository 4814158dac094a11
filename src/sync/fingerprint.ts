/** The fingerprint of a snapshot's content, known before the snapshot is made. */
import { anyText, objectOf } from '../reading/readers.ts'
import type { Values } from '../settings.ts'
import { fingerprintWithout, type Removals } from '../snapshot/store/removals.ts'
import { asJson, stateFile } from '../snapshot/store/state-file.ts'
import type { SourceMark } from '../source/source.ts'
import { correctionsMark } from './removals/recorded-corrections.ts'

/**
 * The mark of the last reading of a source that has one. It says what was read, not what was
 * published: its fingerprint is compared with that of the current snapshot.
 */
export const sourceMark = stateFile<SourceMark>(
  'WATERMARK',
  asJson(objectOf({ source: anyText, watermark: anyText, fingerprint: anyText })),
)

type MadeBy = Values<'snapshots' | 'trust' | 'vetted' | 'sourceShareMax'>

export function fingerprintOf(
  { snapshots, ...trusted }: MadeBy,
  source: string,
  removals: Removals,
): string {
  const corrected = `${source}${correctionsMark(snapshots)}`
  return fingerprintWithout(corrected, removals, beliefsOf(trusted))
}

function beliefsOf({ trust, vetted, sourceShareMax }: Omit<MadeBy, 'snapshots'>): string[] {
  const ways = vetted.map((way) => `people vetted by ${JSON.stringify(way)}`)
  return [...trust, ...ways, ...(sourceShareMax < 1 ? [`sources up to ${sourceShareMax}`] : [])]
}

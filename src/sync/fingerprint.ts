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

/** Of the source, its corrections here, who is left out, and what the source is trusted for. */
export function fingerprintOf(
  made: Values<'snapshots' | 'trust' | 'vetted' | 'sourceShareMax'>,
  source: string,
  removals: Removals,
): string {
  const { snapshots, trust, vetted, sourceShareMax } = made
  const ways = vetted.map((way) => `people vetted by ${JSON.stringify(way)}`)
  const bound = sourceShareMax < 1 ? [`sources up to ${sourceShareMax}`] : []
  const corrected = `${source}${correctionsMark(snapshots)}`
  return fingerprintWithout(corrected, removals, [...trust, ...ways, ...bound])
}

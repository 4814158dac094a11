/**
 * The mark of the last reading of a source that has one: a small file beside the snapshots, so that
 * the next sync of the same source need not read what has not changed. It says what was read, not
 * what was published: the fingerprint in it is compared with that of the current snapshot.
 */
import { readSmallFile, writeDurably } from '../snapshot/store/durable.ts'
import type { SourceMark } from '../source/source.ts'

/** The name of the file. */
const markName = 'WATERMARK'

/** The mark of the last reading; undefined where there is none that can be read. */
export function readMark(directory: string): SourceMark | undefined {
  try {
    const { source, watermark, fingerprint } = JSON.parse(readSmallFile(directory, markName))
    const mark = { source, watermark, fingerprint }
    return Object.values(mark).every((value) => typeof value === 'string') ? mark : undefined
  } catch {
    // Without it everything is read again, which is right in any case.
    return undefined
  }
}

/** Keeps the mark of a reading. */
export function writeMark(directory: string, mark: SourceMark): void {
  writeDurably(directory, markName, `${JSON.stringify(mark)}\n`)
}

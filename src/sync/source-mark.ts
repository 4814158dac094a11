/**
 * The mark of the last reading of a source that has one: a small file beside the snapshots, so that
 * the next sync of the same source need not read what has not changed. It says what was read, not
 * what was published: the fingerprint in it is compared with that of the current snapshot.
 */
import { anyText, objectOf } from '../reading/readers.ts'
import { asJson, stateFile } from '../snapshot/store/state-file.ts'
import type { SourceMark } from '../source/source.ts'

/** The mark of the last reading. Without one that can be read, everything is read again. */
export const sourceMark = stateFile<SourceMark>(
  'WATERMARK',
  asJson(objectOf({ source: anyText, watermark: anyText, fingerprint: anyText })),
)

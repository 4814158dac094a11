/**
 * Corrections that an operator records: every sync of the directory honours them behind those of
 * the source, until they are undone or the person is removed.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'
import { privateFileMode } from '../../process/private-directory.ts'
import {
  anyText,
  dictionary,
  faultWords,
  nullable,
  objectOf,
  readList,
  readWith,
} from '../../reading/readers.ts'
import { type Removals, readRemovals } from '../../snapshot/store/removals.ts'
import { asJson, required, stateFile } from '../../snapshot/store/state-file.ts'
import { type CorrectionRecord, readCorrection } from '../../source/corrections.ts'
import { tracesOf } from './traces.ts'

interface RecordedCorrection {
  readonly id: string
  readonly sdu: string
  readonly set: Readonly<Record<string, unknown>>
  readonly source: string
  /** ISO 8601. */
  readonly date: string
  /** Times of record and undoing; ISO 8601. */
  readonly at: string
  readonly undone: string | null
}

type CorrectionOrder = Pick<RecordedCorrection, 'sdu' | 'set' | 'source' | 'date'> & {
  /** Also an SDU that no snapshot has. */
  readonly force: boolean
}

const recorded = stateFile('CORRECTIONS', {
  ...asJson(
    objectOf({
      corrections: readList(
        objectOf<RecordedCorrection>({
          id: anyText,
          sdu: anyText,
          set: dictionary((value: unknown) => value),
          source: anyText,
          date: anyText,
          at: anyText,
          undone: nullable(anyText),
        }),
      ),
    }),
    1,
  ),
  fault: 'is no list of corrections',
  mode: privateFileMode,
})

export function recordedCorrections(directory: string): readonly RecordedCorrection[] {
  return required(recorded.read(directory))?.corrections ?? []
}

export function correctionsInForce(directory: string): readonly CorrectionRecord[] {
  const holding = recordedCorrections(directory).filter(({ undone }) => undone === null)
  return holding.map((each) => {
    const { value, faults } = readWith(readCorrection, each)
    if (faults === undefined) return value
    const what = `correction ${each.id}: ${faultWords(faults[0]!)}; undo it`
    throw new Refusal('snapshot-refused', `${join(directory, recorded.name)}: ${what}`)
  })
}

/** A word of the fingerprint; '' for none. */
export function correctionsMark(directory: string): string {
  const holding = recordedCorrections(directory).filter(({ undone }) => undone === null)
  if (holding.length === 0) return ''
  const content = JSON.stringify(holding.map(({ sdu, set }) => [sdu, set]))
  return ` corrected by ${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
}

/**
 * The same one again is the one that holds. Alone in the directory only.
 * @throws Refusal `wrong-usage` naming the field that is wrong, `snapshot-missing` for an SDU that
 * no snapshot has, `held-back` for a removed person.
 */
export async function recordCorrection(
  directory: string,
  { force, ...order }: CorrectionOrder,
  clock: () => number,
): Promise<{ readonly id: string; readonly recorded: boolean }> {
  refuseWrong(order)
  const all = recordedCorrections(directory)
  const same = all.find((each) => each.undone === null && contentOf(each) === contentOf(order))
  if (same !== undefined) return { id: same.id, recorded: false }
  refuseNobody(directory, order.sdu, force)
  if (all.length >= limits.correctionsRecordedMax) {
    const most = `${limits.correctionsRecordedMax} corrections are recorded`
    throw new Refusal('held-back', `${most}: write further ones into the source`)
  }
  const at = new Date(clock()).toISOString()
  const content = `${all.length} ${at} ${contentOf(order)}`
  const id = createHash('sha256').update(content).digest('hex').slice(0, 16)
  recorded.write(directory, { corrections: [...all, { id, ...order, at, undone: null }] })
  return { id, recorded: true }
}

/**
 * The next sync takes what the source says.
 * @returns false where it had been undone. @throws Refusal `snapshot-missing`.
 */
export function undoCorrection(directory: string, id: string, clock: () => number): boolean {
  const all = recordedCorrections(directory)
  const found = all.find((each) => each.id === id)
  if (found === undefined) {
    throw new Refusal('snapshot-missing', 'there is no correction of this id', 'not-there')
  }
  if (found.undone !== null) return false
  const undone = new Date(clock()).toISOString()
  const corrections = all.map((each) => (each === found ? { ...each, undone } : each))
  recorded.write(directory, { corrections })
  return true
}

export function eraseCorrections(directory: string, removals: Removals): void {
  if (removals.length === 0) return
  const all = recordedCorrections(directory)
  const left = all.filter(({ sdu }) => !removals.has(sdu))
  if (left.length < all.length) recorded.write(directory, { corrections: left })
}

function refuseWrong(order: Omit<CorrectionOrder, 'force'>): void {
  const { faults } = readWith(readCorrection, order)
  if (faults !== undefined) throw new Refusal('wrong-usage', faultWords(faults[0]!))
}

function refuseNobody(directory: string, sdu: string, force: boolean): void {
  const removals = readRemovals(directory)
  if (removals.length > 0 && removals.has(sdu)) {
    throw new Refusal('held-back', 'the person of this SDU was removed: undo that first')
  }
  if (force || tracesOf(directory, sdu).people.length > 0) return
  const hint = '--force (force: true) records the correction all the same'
  throw new Refusal('snapshot-missing', `no snapshot has this SDU; ${hint}`)
}

function contentOf({ sdu, set, source, date }: Omit<CorrectionOrder, 'force'>): string {
  return JSON.stringify([sdu, set, source, date])
}

/**
 * Offsets as a file holds them: most starts rise by few bytes, so that the file has the step of each from the
 * one before it, in one or two bytes. In memory they are numbers of 32 bits. Invariant: in a file a section
 * of offsets holds steps if its type there is not `uint32`, and else the offsets.
 */
import {
  bucketTables,
  type Counts,
  type ElementType,
  elementBytes,
  lists,
  type References,
  type SectionName,
} from './sections.ts'

const names: ReadonlySet<SectionName> = new Set<SectionName>([
  ...lists.map(({ starts }) => starts),
  'profile.starts',
  'topic.item-starts',
  'topic.json-starts',
  'word.starts',
  'evidence.starts',
  ...bucketTables.map(({ name }) => `${name}.starts` as const),
])

type PageCounts = Pick<Counts, 'authoritiesPerPage'>

interface StoredEntry {
  readonly name: SectionName
  readonly type: ElementType
  readonly length: number
}

/** Offsets between two rests. */
const stepLength = 1 << 16
const maxima = { uint8: 0xff, uint16: 0xffff } as const

/** Number of entries after which the offsets of a section begin at 0 again. */
function everyOf(name: SectionName, { authoritiesPerPage }: PageCounts) {
  return name === 'profile.starts' ? authoritiesPerPage + 1 : Infinity
}

export function inFile(name: SectionName, section: References, counts: PageCounts) {
  return names.has(name) ? stepsOf(name, section as Uint32Array, counts) : section
}

export function typeInMemory({ name, type }: Omit<StoredEntry, 'length'>): ElementType {
  return names.has(name) ? 'uint32' : type
}

/**
 * The offsets as a file holds them: steps, or the same offsets if a step takes more than two bytes, or if some
 * offset is below the one before it, as none is in a section that is to be served. O(offsets).
 */
function stepsOf(name: SectionName, offsets: Uint32Array, counts: PageCounts): References {
  const every = everyOf(name, counts)
  const steps = new Uint16Array(offsets.length)
  let most = 0
  for (let index = 0, first = 0, before = 0; index < offsets.length; index += 1) {
    if (index === first) [first, before] = [first + every, 0]
    const offset = offsets[index]!
    const step = (offset - before) >>> 0
    if (step > maxima.uint16) return offsets
    if (step > most) most = step
    steps[index] = step
    before = offset
  }
  return most > maxima.uint8 ? steps : new Uint8Array(steps)
}

/**
 * Makes offsets of the steps at the end of the memory that the offsets fill; does nothing where a section has none.
 * O(offsets), without other memory: an offset is written over those steps only that were added before.
 * @param memory begins with the memory of the offsets.
 * @param rest called now and then.
 */
export function addSteps(
  { name, type, length }: StoredEntry,
  { buffer, byteOffset }: Uint8Array,
  counts: PageCounts,
  rest: () => void,
): void {
  if (!names.has(name) || type === 'uint32') return
  const every = everyOf(name, counts)
  const offsets = new Uint32Array(buffer, byteOffset, length)
  const begin = byteOffset + length * (elementBytes.uint32 - elementBytes[type])
  const steps: References =
    type === 'uint8'
      ? new Uint8Array(buffer, begin, length)
      : new Uint16Array(buffer, begin, length)
  for (let start = 0, first = 0, offset = 0; start < length; ) {
    rest()
    if (start === first) [first, offset] = [first + every, 0]
    const end = Math.min(start + stepLength, first, length)
    offset = sumUp(steps, offsets, start, end, offset)
    start = end
  }
}

/** Adds steps to an offset, one after the other; returns the last. A loop of its own takes half the time: it looks for no page. */
function sumUp(
  steps: References,
  offsets: Uint32Array,
  start: number,
  end: number,
  before: number,
): number {
  let offset = before
  for (let index = start; index < end; index += 1) {
    offset += steps[index]!
    offsets[index] = offset
  }
  return offset
}

/** References: numbers below a count, as wide as it takes. All else is in `sections.ts`. */
import {
  type Counts,
  type Declared,
  declarations,
  type ElementType,
  type PlainName,
  type SectionName,
  type SectionOf,
  type Sections,
  sectionNames,
} from './sections.ts'

const bytesMax = 0x100
/** References below so many take two bytes; four of them together are then never NaN as a double (`copyText`). */
const halvesMax = 0x7ff0

export function typeOf(name: SectionName, counts: Counts): ElementType {
  const { type, below }: Declared = declarations[name.split('/')[0] as PlainName]
  return type === 'reference' ? referenceType(counts[below!]) : type
}

function referenceType(count: number): ElementType {
  if (count <= bytesMax) return 'uint8'
  return count <= halvesMax ? 'uint16' : 'uint32'
}

const arrays = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array }

export function withReferences<S extends Pick<Sections, SectionOf<'reference'>>>(
  sections: S,
  counts: Counts,
): S {
  const isReference = (name: PlainName): name is SectionOf<'reference'> =>
    declarations[name].type === 'reference'
  const names = sectionNames.filter(isReference)
  const narrow = names.map((name) => [name, new arrays[typeOf(name, counts)](sections[name])])
  return { ...sections, ...Object.fromEntries(narrow) }
}

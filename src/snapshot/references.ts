/** References: numbers below a count, as wide as it takes. All else is in `sections.ts`. */
import {
  type CountName,
  type Counts,
  type ElementType,
  type PlainName,
  type SectionName,
  type SectionOf,
  type Sections,
  sectionTypes,
} from './sections.ts'

const referents: Readonly<Record<SectionOf<'reference'>, CountName>> = {
  'authority.core-topics': 'topics',
  'authority.countries': 'countries',
  'authority.topics': 'topics',
  'authority.platform-sets': 'platformSets',
  'authority.attribute-sets': 'attributeSets',
  'handle.platforms': 'platforms',
}

const bytesMax = 0x100
/** References below so many take two bytes; four of them together are then never NaN as a double (`copyText`). */
const halvesMax = 0x7ff0

export function typeOf(name: SectionName, counts: Counts): ElementType {
  const type = sectionTypes[name.split('/')[0] as PlainName]
  return type === 'reference'
    ? referenceType(counts[referents[name as SectionOf<'reference'>]])
    : type
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
  const names = Object.keys(referents) as SectionOf<'reference'>[]
  const narrow = names.map((name) => [name, new arrays[typeOf(name, counts)](sections[name])])
  return { ...sections, ...Object.fromEntries(narrow) }
}

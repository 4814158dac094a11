/**
 * Fields of records that are known better than the record; a later correction wins, field by field.
 */
import { limits } from '../limits.ts'
import { checked, type Faults, type JsonObject, jsonObject, readWith } from '../reading/readers.ts'
import { dayIn } from './fields.ts'
import { trimmed } from './readers.ts'
import { readAuthority, sduText } from './record-readers.ts'
import type { AuthorityRecord } from './schema.ts'
import { fieldNamesOf } from './table-fields.ts'

export interface CorrectionRecord {
  readonly sdu: string
  readonly fields: Partial<Omit<AuthorityRecord, 'sdu'>>
  readonly source: string
  readonly date: string
}

const members = checked(jsonObject, (set) => Object.keys(set).length > 0, 'must set something')

const origin = checked(trimmed, (written) => written !== '', 'must say where it is from')
const source = checked(
  origin,
  ({ length }) => length <= limits.websiteCharactersMax,
  `must be at most ${limits.websiteCharactersMax} characters long`,
)

function date(value: unknown, faults: Faults): string {
  const read = typeof value === 'string' ? dayIn(value.trim()) : undefined
  if (read !== undefined) return read.slice(0, 10)
  faults.add('must be a day such as 2026-11-01')
  return ''
}

/** Reads a line of `corrections.ndjson`; its fields like those of a record that has no others. */
export function readCorrection(value: unknown, faults: Faults): CorrectionRecord {
  const json = jsonObject(value, faults)
  const whose = faults.field(json, 'sdu', sduText)
  const set = faults.field(json, 'set', members)
  return {
    sdu: whose,
    source: faults.field(json, 'source', source),
    date: faults.field(json, 'date', date),
    fields: faults.inside('set', set, correctedFields),
  }
}

function correctedFields(set: JsonObject, faults: Faults): CorrectionRecord['fields'] {
  const names = Object.keys(set)
  const unknown = names.find((name) => name === 'sdu' || !recordFields.includes(name))
  if (unknown !== undefined) faults.add('is no field of a record', [unknown])
  const read = readWith(readAuthority, { name: 'x', topics: ['x'], ...set, sdu: '0' })
  for (const { path, reason } of read.faults ?? []) faults.add(reason, path)
  return Object.fromEntries(names.map(memberOf).map((member) => [member, read.value?.[member]]))
}

const recordFields = fieldNamesOf('authorities.ndjson')

/** The member of a record as read: `country_name` is `countryName`. */
function memberOf(field: string): keyof CorrectionRecord['fields'] {
  const camel = field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return (/^verified_/.test(field) ? 'proof' : camel) as keyof CorrectionRecord['fields']
}

export class Corrections {
  readonly #bySdu = new Map<string, CorrectionRecord['fields']>()
  readonly #found = new Set<string>()

  add({ sdu, fields }: CorrectionRecord): void {
    this.#bySdu.set(sdu, { ...this.#bySdu.get(sdu), ...fields })
  }

  corrected(record: AuthorityRecord): AuthorityRecord {
    const fields = this.#bySdu.get(record.sdu)
    if (fields === undefined) return record
    this.#found.add(record.sdu)
    return { ...record, ...fields }
  }

  sets(sdu: string, field: keyof CorrectionRecord['fields']): boolean {
    return this.#bySdu.get(sdu)?.[field] !== undefined
  }

  unused(): string[] {
    return [...this.#bySdu.keys()].filter((sdu) => !this.#found.has(sdu))
  }
}

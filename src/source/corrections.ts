/**
 * Corrections: fields of records that are known better, with where that is from and since when. One
 * takes the place of what the record says, field by field; a later one wins over an earlier one.
 */
import * as z from 'zod'
import { limits } from '../limits.ts'
import { sduShape } from './fields.ts'
import { type AuthorityRecord, authoritySchema } from './schema.ts'

/** A correction: whose record, and what takes the place of its fields. */
export interface CorrectionRecord {
  readonly sdu: string
  readonly fields: Partial<Omit<AuthorityRecord, 'sdu'>>
  /** Where it is from. */
  readonly source: string
  /** The day it was made, ISO 8601. */
  readonly date: string
}

/** The fields that can be corrected, as records write them and as they are read. */
const fieldNames = {
  name: 'name',
  also_known_as: 'alsoKnownAs',
  bio: 'bio',
  country_name: 'countryName',
  topics: 'topics',
  socials: 'socials',
  website: 'website',
  verified: 'verified',
  verified_by: 'proof',
  verified_at: 'proof',
  authority_score: 'authorityScore',
  identifiers: 'identifiers',
  attributes: 'attributes',
  source: 'source',
  licence: 'licence',
  updated_at: 'updatedAt',
} as const satisfies Record<string, keyof AuthorityRecord>

type WrittenName = keyof typeof fieldNames

/** One line of `corrections.ndjson`. What is set is read as it is in a record of nothing else. */
export const correctionSchema: z.ZodType<CorrectionRecord> = z
  .object({
    sdu: z.string().regex(sduShape, `must be 1 to ${limits.sduDigitsMax} digits`),
    set: z
      .record(z.string(), z.unknown())
      .refine((set) => Object.keys(set).length > 0, 'must set something'),
    source: z.string().trim().min(1, 'must say where it is from').max(limits.websiteCharactersMax),
    date: z.iso.date('must be a day such as 2026-11-01'),
  })
  .transform(({ sdu, set, source, date }, context) => {
    const names = Object.keys(set)
    const unknown = names.find((name) => !Object.hasOwn(fieldNames, name))
    if (unknown !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['set', unknown],
        message: 'is no field of a record',
      })
      return z.NEVER
    }
    const read = authoritySchema.safeParse({ name: '-', topics: ['-'], ...set, sdu })
    if (!read.success) {
      const { path, message } = read.error.issues[0]!
      context.addIssue({ code: 'custom', path: ['set', ...path], message })
      return z.NEVER
    }
    const record = read.data
    const fields = names.map((name) => {
      const field = fieldNames[name as WrittenName]
      return [field, record[field]]
    })
    return { sdu, fields: Object.fromEntries(fields), source, date }
  })

/** Corrections by the SDU of the record, and which of them found one. */
export class Corrections {
  readonly #bySdu = new Map<string, CorrectionRecord['fields']>()
  readonly #found = new Set<string>()

  add({ sdu, fields }: CorrectionRecord): void {
    this.#bySdu.set(sdu, { ...this.#bySdu.get(sdu), ...fields })
  }

  /** A record as it is right. */
  corrected(record: AuthorityRecord): AuthorityRecord {
    const fields = this.#bySdu.get(record.sdu)
    if (fields === undefined) return record
    this.#found.add(record.sdu)
    return { ...record, ...fields }
  }

  /** Whether a field of a record is corrected. */
  sets(sdu: string, field: keyof CorrectionRecord['fields']): boolean {
    return this.#bySdu.get(sdu)?.[field] !== undefined
  }

  /** The SDUs of which no record was corrected. */
  unused(): string[] {
    return [...this.#bySdu.keys()].filter((sdu) => !this.#found.has(sdu))
  }
}

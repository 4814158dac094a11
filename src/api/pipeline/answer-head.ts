/**
 * The header lines of an answer as one value. Writing a header costs a call out of JavaScript each,
 * so they all travel as the value of the first, `X-Request-Id`: its line, then the other lines as
 * they are to stand on the wire. Nothing in them comes from a request but hexadecimal digits.
 */

import { writeAscii } from '../../memory/ascii.ts'
import { dataViewOf } from '../../memory/text-table.ts'
import {
  type AnswerFacts,
  type AnswerLine,
  answerLineNames,
  answerLines,
  type PageFacts,
} from './response-headers.ts'

type WrittenLine = Extract<AnswerLine, { bytesMax: number }>
type Rewrite = NonNullable<Exclude<AnswerLine, WrittenLine>['rewrite']>

/** A line whose value differs in every answer. */
interface VaryingLine {
  /** The end of the line before, the name, and the beginning of every value. */
  readonly before: string
  readonly write: WrittenLine['write']
  /** Offset of its value in the last answer. */
  valueAt: number
}

/** The lines of answers of one route from one snapshot. */
export class AnswerHead {
  readonly #page: PageFacts
  readonly #bytes: Buffer
  readonly #data: DataView
  readonly #rewrites: { readonly at: number; readonly rewrite: Rewrite }[] = []
  /** Lines of varying length, behind those of constant length; each begins with its name. */
  readonly #varying: VaryingLine[] = []
  readonly #varyingAt: number
  readonly #views: Uint8Array[] = []

  constructor(page: PageFacts) {
    this.#page = page
    let prefix = ''
    let bytesMax = 0
    for (const name of answerLineNames) {
      const line: AnswerLine = answerLines[name]
      if (!isPresent(line, page)) continue
      const before = name === 'X-Request-Id' ? '' : `\r\n${name}: `
      if ('write' in line) {
        const begun = before + (line.begins?.(page) ?? '')
        this.#varying.push({ before: begun, write: line.write, valueAt: -1 })
        bytesMax += begun.length + line.bytesMax
        continue
      }
      if (line.rewrite) {
        this.#rewrites.push({ at: prefix.length + before.length, rewrite: line.rewrite })
      }
      prefix += `${before}${line.value(page)}`
    }
    this.#bytes = Buffer.alloc(prefix.length + bytesMax)
    this.#data = dataViewOf(this.#bytes)
    this.#varyingAt = this.#bytes.write(prefix, 'latin1')
  }

  /** The lines of one answer; valid until the next. */
  write(facts: AnswerFacts): Uint8Array {
    const rewrites = this.#rewrites
    for (let index = 0; index < rewrites.length; index += 1) {
      const { at, rewrite } = rewrites[index]!
      rewrite(this.#data, at, this.#page, facts)
    }
    const end = this.#writeVarying(facts)
    // A typed array ignores writes beyond its end without an error.
    if (end > this.#bytes.length) {
      throw new Error(`header lines of ${end} bytes in ${this.#bytes.length}`)
    }
    let view = this.#views[end]
    if (view === undefined) {
      view = this.#bytes.subarray(0, end)
      this.#views[end] = view
    }
    return view
  }

  /** Writes the varying lines. Most values are as long as the last ones, and then the names are in place already. */
  #writeVarying(facts: AnswerFacts): number {
    const varying = this.#varying
    let end = this.#varyingAt
    for (let index = 0; index < varying.length; index += 1) {
      const line = varying[index]!
      const valueAt = end + line.before.length
      if (valueAt !== line.valueAt) {
        writeAscii(this.#bytes, end, line.before)
        line.valueAt = valueAt
      }
      end = line.write(this.#bytes, valueAt, this.#page, facts)
    }
    return end
  }
}

function isPresent({ presence }: AnswerLine, page: PageFacts): boolean {
  if (presence === 'paid') return page.isPaid
  if (presence === 'balance') return page.isPaid && page.saysBalance
  if (presence === 'capped') return page.isCapped
  if (presence === 'found') return page.saysWay
  return presence === 'always' || page.rateLimit !== undefined
}

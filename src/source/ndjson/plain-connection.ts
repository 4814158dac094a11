/**
 * A connection in its usual spelling, told by the bytes of its line: to read all of them as JSON
 * took most of the time of a sync.
 */
import { type ConnectionKind, connectionKinds } from '../../connection-kinds.ts'
import { limits } from '../../limits.ts'

interface PlainConnection {
  readonly fromStart: number
  readonly fromEnd: number
  readonly toStart: number
  readonly toEnd: number
  readonly weight: number
  readonly kind: ConnectionKind
}

const sdu = `\\d{1,${limits.sduDigitsMax}}`
const number = '(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,20})?'
const kinds = connectionKinds.join('|')
const usualLine = new RegExp(
  `^(\\{"from": ?")(${sdu})(", ?"to": ?")(${sdu})"` +
    `(?:, ?"weight": ?(?:null|(${number})))?(?:, ?"kind": ?(?:null|"(${kinds})"))?\\}\\r?$`,
)

/**
 * The connection on `bytes[start, end)`; undefined if it is spelled in any other way than two SDUs,
 * then weight and kind if given, in this order, or null, without escapes, with at most one space
 * behind `:` and `,`: a subset of JSON.
 */
export function readPlainConnection(
  bytes: Buffer,
  start: number,
  end: number,
): PlainConnection | undefined {
  const found = usualLine.exec(bytes.toString('latin1', start, end))
  if (found === null) return undefined
  const [, opening = '', from = '', between = '', to = '', written = '1', kind = 'follows'] = found
  const weight = Number(written)
  if (weight < limits.weightMin || weight > limits.weightMax) return undefined
  const fromStart = start + opening.length
  const fromEnd = fromStart + from.length
  const toStart = fromEnd + between.length
  const toEnd = toStart + to.length
  return { fromStart, fromEnd, toStart, toEnd, weight, kind: kind as ConnectionKind }
}

/** The JSON body of a POST, checked strictly by the schema of its operation in `src/api/schemas/inputs.ts`. */
import { limits } from '../../limits.ts'
import { type ApiRequest, invalid, type Parsed } from '../exchange.ts'
import { boundsText, isWithin } from '../json-bytes.ts'
import type { Inputs } from '../schemas/inputs.ts'
import { unknownName } from '../schemas/unknown-names.ts'

/** The body of a request, or the members that one has. */
export type SentBody =
  | Pick<ApiRequest, 'query' | 'body' | 'contentType'>
  | { readonly members: Given }

export function readBody(sent: SentBody, { post, lenient = post }: Inputs): Parsed<Given> {
  const { value: given, problem } = 'members' in sent ? { value: sent.members } : readObject(sent)
  if (problem !== undefined) return { problem }
  const schema = (given.lenient === true ? lenient : post)!
  const names = Object.keys(schema.shape)
  const stranger = Object.keys(given).find((name) => !names.includes(name))
  if (stranger !== undefined) return invalid(unknownName('member', stranger, names))
  const { data, error } = schema.safeParse(given)
  if (error !== undefined) return invalid(error.issues[0]!.message)
  const [list] = names as [string]
  const values = data[list] as readonly unknown[]
  if (data.explain === true && values.length > limits.explainedMax) {
    return invalid(`${list} holds more than ${limits.explainedMax} values to explain`)
  }
  return { value: data }
}

const jsonType = /^application\/json *(?:;|$)/i

/** An object as it was sent; its members may be anything. */
type Given = Readonly<Record<string, unknown>>

function readObject({
  query,
  body = new Uint8Array(0),
  contentType = '',
}: Pick<ApiRequest, 'query' | 'body' | 'contentType'>): Parsed<Given> {
  if (query !== '') return invalid('a POST says everything in its body, nothing behind ?')
  if (!jsonType.test(contentType)) {
    const detail = 'send the body as JSON, with Content-Type: application/json'
    return { problem: { code: 'unsupported-media-type', detail } }
  }
  const bounds = limits.batchBody
  if (!isWithin(body, bounds)) return invalid(`the body ${boundsText(bounds)}`)
  const given = jsonOf(body)
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return { value: given as Given }
  }
  const detail =
    given === undefined ? 'the body is not JSON in UTF-8' : 'the body is not a JSON object'
  return { problem: { code: 'malformed-request', detail } }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    // Its only failures: bytes that are not UTF-8, and text that is not JSON.
    return undefined
  }
}

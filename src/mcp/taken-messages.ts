/**
 * The items in what a connection took of a response: one message in JSON, or one behind the other as events or in a
 * list; no message holds an end of line. A message says its items in words first, and then once more as data.
 */
import { itemsIn } from '../api/taken-items.ts'

const eventsApart = '\n\n'

/** Number of whole items that were taken of each message by its id, infinite for all of them. */
export function itemsOfMessages(body: Uint8Array, bytes: number): Map<unknown, number> {
  const items = new Map<unknown, number>()
  const all = Buffer.from(body.buffer, body.byteOffset, body.length)
  for (let start = 0; start < bytes; ) {
    const gap = all.indexOf(eventsApart, start)
    const end = gap < 0 ? all.length : gap
    const { id, count } = readMessage(all.subarray(start, end), bytes - start)
    // Of messages with one id the first was taken most.
    if (!items.has(id)) items.set(id, count)
    start = end + eventsApart.length
  }
  return items
}

interface Message {
  readonly id?: unknown
  readonly result?: {
    readonly structuredContent?: { readonly results?: readonly { readonly sdu?: unknown }[] }
  }
}

function readMessage(message: Buffer, bytes: number): { id: unknown; count: number } {
  const begins = message.indexOf('{')
  if (begins < 0) return { id: undefined, count: 0 }
  // Behind a message of a list stands what parts it from the next.
  const ends = message.lastIndexOf('}') + 1
  const { id, result }: Message = JSON.parse(message.toString('utf8', begins, ends))
  const part = message.subarray(0, bytes)
  const blocks = itemsIn(part, '"content":[') ?? itemsIn(part, '"contents":[') ?? 0
  // With its first block a message has said all.
  if (bytes >= message.length || blocks > 0) return { id, count: Number.POSITIVE_INFINITY }
  const sdus = result?.structuredContent?.results?.map(({ sdu }) => String(sdu)) ?? []
  return { id, count: itemsInWords(message.toString('latin1').toLowerCase(), bytes, sdus) }
}

/** Each item has its SDU in a line, a profile in detail in the first line of a paragraph. */
function itemsInWords(message: string, bytes: number, sdus: readonly string[]): number {
  const apart = message.includes('\\ntopics: ') ? '\\n\\n' : '\\n'
  let end = 0
  const cut = sdus.findIndex((sdu) => {
    const begins = message.indexOf(`sdu ${sdu}`, end)
    const ends = begins < 0 ? -1 : message.indexOf(apart, begins)
    end = ends + apart.length
    return ends < 0 || end > bytes
  })
  return cut < 0 ? sdus.length : cut
}

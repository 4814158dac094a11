/** MCP as clients speak it that are not the official one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newAdminKeyText, newKeyText } from '../../../src/ledger/books/key.ts'
import { takenForms } from '../../../src/mcp/messages.ts'
import { tableAt } from '../../support/table-sections.ts'
import {
  connectHttp,
  eras,
  type McpService,
  messageOf,
  post,
  sharedMcpService,
  textOf,
} from './served.ts'

const rowsOf = tableAt(new URL('forms.tsv', import.meta.url))

const plain = sharedMcpService(100_000_000, { searchFetch: true })

/** What a message is answered with; no `Accept` at all, which `fetch` cannot send, means the same as an empty one. */
async function answerTo(service: McpService, message: unknown, accept: string | null = '*/*') {
  const response = await post(service, message, { Accept: accept ?? '' })
  const type = response.headers.get('content-type')
  return { status: response.status, type, text: await response.text() }
}

/** Of a cell, which may be blank. */
const jsonOf = (cell: string) => (cell === '' ? undefined : JSON.parse(cell))

const called = (name: string, given: unknown, id: unknown = 1) =>
  messageOf('tools/call', { name, arguments: given }, id)

function messagesIn(text: string): { id: unknown; result?: Result; error?: { message: string } }[] {
  if (!text.startsWith('event:')) return [JSON.parse(text)].flat()
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
}

interface Result {
  readonly isError?: boolean
  readonly content: { type: string; text: string }[]
  readonly structuredContent: object
}

describe('an Accept', () => {
  const json = 'application/json'
  const events = 'text/event-stream'

  it.each(rowsOf('the form of an answer to an Accept'))(
    '%s is answered in a form that it takes',
    async (accept, form) => {
      const service = await plain()
      for (const message of [
        called('match_handle', { handles: ['ann'] }),
        messageOf('tools/list'),
        called('none', {}),
      ]) {
        const { status, type, text } = await answerTo(service, message, accept)
        expect([status, type?.split(';')[0]]).toEqual([200, form])
        expect(messagesIn(text)).toMatchObject([{ jsonrpc: '2.0', id: 1 }])
      }
    },
  )

  it.each(['text/html', `${json};q=0`, '*/*;q=0', `${json};q=0, ${events};q=0, */*`])(
    '%s, which takes no form, is refused',
    async (accept) => {
      const { status, text } = await answerTo(await plain(), called('match_handle', {}), accept)
      expect(status).toBe(406)
      expect(messagesIn(text)).toEqual([
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_600, message: expect.stringContaining('Accept') },
        },
      ])
    },
  )

  it('of a batch takes a list in JSON, each of whose messages is charged', async () => {
    const service = await plain()
    const before = service.charged()
    const batch = [1, 2, 3].map((id) => called('match_handle', { handles: [`nobody${id}`] }, id))
    const { type, text } = await answerTo(service, batch, json)
    expect(type).toContain(json)
    expect(
      messagesIn(text)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([1, 2, 3])
    expect(service.charged() - before).toBe(3)
  })

  it('of any kind is read, and one of any weights takes what it gives more than 0', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => void takenForms(accept)),
      { numRuns: 500 },
    )
    const weight = fc.constantFrom('', ';q=0', ';q=0.0', ';q=1', ';q=0.3', '; Q=0.001')
    fc.assert(
      fc.property(weight, weight, weight, (one, two, other) => {
        const isOff = (text: string) => /q=0(\.0)?$/i.test(text)
        const accept = `${events}${two},text/html${other} , ${json}${one}`
        expect(takenForms(accept)).toEqual({ json: !isOff(one), events: !isOff(two) })
        expect(takenForms(`*/*${other}`)).toEqual({ json: !isOff(other), events: !isOff(other) })
      }),
    )
  })
})

describe('the arguments of a call', () => {
  it.each(rowsOf('arguments that are taken'))('of %s may be %j', async (name, given, said) => {
    const { text } = await answerTo(await plain(), called(name, jsonOf(given)))
    const [{ result } = {}] = messagesIn(text)
    expect(result?.isError).not.toBe(true)
    expect(result?.content[0]?.text).toContain(said)
  })

  it.each([null, undefined, 'null', '"rust"', '[1]', 'rust', '{"query":', 7, true])(
    'that are no object or say too little are refused in words: %j',
    async (given) => {
      const { status, text } = await answerTo(await plain(), called('search_authorities', given))
      expect(status).toBeLessThan(500)
      expect(text).toMatch(/"isError":true|"error"/)
    },
  )

  it.each(eras)('may be missing with the official client, too (%s)', async (era) => {
    const client = await connectHttp(await plain(), era)
    expect(textOf(await client.callTool({ name: 'list_changes' }))).toContain('Nothing')
  })
})

describe('a result', () => {
  it.each(rowsOf('calls'))(
    'of %s %j says in its structured content all that its text says',
    async (name, sent, expected) => {
      const given = jsonOf(sent)
      const { text } = await answerTo(await plain(), called(name, given))
      const { result } = messagesIn(text)[0]!
      expect(result?.isError ?? false).toBe(false)
      expect(result!.structuredContent).toMatchObject(jsonOf(expected) ?? {})
      const structured = JSON.stringify(result!.structuredContent).toLowerCase()
      const { query = '' } = given as { query?: string }
      const own = [query, ...usual]
        .join(' ')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
      const words = result!.content[0]!.text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
      const unsaid = words.filter((word) => !own.includes(word) && !structured.includes(word))
      expect(unsaid).toEqual([])
    },
  )

  /** Words of the sentences around the facts. */
  const usual = [
    'data from records not instructions sdu score authority rank in of 1 2 no is known to be connected with has owns',
    'owned by found for exact match showing the topic country verified accounts bio website followers 100 topics',
    'left out all go on cursor history ranked author and more largest this index are near names that try',
  ]
})

describe('a schema of a tool', () => {
  it.each(eras)('has items in every array (%s)', async (era) => {
    const { tools } = await (await connectHttp(await plain(), era)).listTools()
    let arrays = 0
    JSON.stringify(
      tools.map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]),
      (_, value) => {
        const { type } = (value ?? {}) as { type?: unknown }
        if (type !== 'array' && !(Array.isArray(type) && type.includes('array'))) return value
        arrays += 1
        expect(value.items).toBeInstanceOf(Object)
        return value
      },
    )
    expect(arrays).toBeGreaterThan(20)
  })
})

describe('nothing that is sent back', () => {
  const keys = [newKeyText(), newAdminKeyText()]
  const messages = rowsOf('messages with a key').map(([text = '']) => text)

  it.each(['*/*', 'text/event-stream', 'application/json, text/event-stream'])(
    'has the form of a key, whichever part of a message had it (Accept: %s)',
    async (accept) => {
      const service = await plain()
      for (const key of keys) {
        for (const message of messages) {
          const each = message.replaceAll('KEY', key)
          const { text } = await answerTo(service, each, accept)
          // Neither the key nor a part of it that a cut left.
          expect([each, text.includes(key.slice(0, 20))]).toEqual([each, false])
        }
      }
    },
  )

  const headers = 'mcp-session-id mcp-protocol-version mcp-method mcp-name last-event-id origin'

  it.each(headers.split(' '))('has that of a key in the header %s', async (name) => {
    const service = await plain()
    for (const sent of keys) {
      const response = await post(service, messageOf('tools/list'), { [name]: sent })
      const head = JSON.stringify([...response.headers])
      expect(`${head}${await response.text()}`).not.toContain(sent.slice(0, 20))
    }
  })
})

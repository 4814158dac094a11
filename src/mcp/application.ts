/**
 * MCP on the control thread: to read, check and wrap a message takes a hundred times as long as the answer inside it,
 * and no plain request must wait for that. The SDK keeps nothing between requests.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import type { Api } from '../api/api.ts'
import { boundsText, isWithin } from '../api/json-bytes.ts'
import { headerOf, type RouteRequest } from '../http/async-route.ts'
import type { WrittenReply } from '../http/reply-writer.ts'
import { withoutWholeKeys } from '../ledger/books/key.ts'
import { limits } from '../limits.ts'
import { jsonIn } from '../reading/readers.ts'
import { type AnswerSource, largestTopicsOf, type McpOffer } from './answer-source.ts'
import { chargedAnswer, type RequestCharges } from './charges.ts'
import { asMeant, eventOfJson, jsonOfEvents, namesEvents, takenForms } from './messages.ts'

interface McpContext {
  /** It answers the questions of the tools and charges them. */
  readonly api: Api
  readonly served: () => ActiveSnapshot | undefined
  readonly offer: McpOffer
  readonly onError: (error: unknown) => void
}

/** The SDK and its schemas take a quarter of a second to load: the first request that needs them imports them. */
export function mcpApplication({ api, served, offer, onError }: McpContext) {
  let loading: Promise<McpHttpHandler['fetch']> | undefined
  const load = () => {
    loading ??= loadSdk(onError)
    return loading
  }
  return chargedAnswer(api, async (request, charges) => {
    const bounds = limits.mcpBody
    if (!isWithin(request.body, bounds)) return invalidRequest(`the body ${boundsText(bounds)}`)
    // The handler answers a body that is not JSON as it does an empty one.
    const { buffer, byteOffset, length } = request.body
    const message = asMeant(jsonIn(Buffer.from(buffer, byteOffset, length).toString()))
    const ask = charges.ask.bind(charges)
    const source = { ...offer, largestTopics: largestTopicsOf(served()), ask }
    return (await refuseBatch(message, charges)) ?? answer(await load(), request, message, source)
  })
}

function invalidRequest(message: string): WrittenReply {
  return {
    status: 400,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }),
    ),
  }
}

async function loadSdk(onError: (error: unknown) => void): Promise<McpHttpHandler['fetch']> {
  const [{ createMcpHandler }, { newServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
  ])
  // The handler itself reports messages that break the protocol, and answers their sender.
  const { fetch } = createMcpHandler(({ authInfo }) => {
    const { source } = authInfo!.extra as { source: AnswerSource }
    return newServer(source, onError)
  })
  return fetch
}

/** Only older revisions know a batch. Each of its messages is counted. */
async function refuseBatch(
  message: unknown,
  charges: RequestCharges,
): Promise<WrittenReply | undefined> {
  if (!Array.isArray(message) || message.length < 2) return undefined
  if (message.length <= limits.mcpMessagesMax) return charges.count(message.length - 1)
  return invalidRequest(`a batch holds at most ${limits.mcpMessagesMax} messages`)
}

/**
 * The SDK takes clients of both forms only. It gets the address of this host whatever name the client uses: nothing may
 * depend on it.
 */
async function answer(
  fetch: McpHttpHandler['fetch'],
  asked: RouteRequest,
  message: unknown,
  source: AnswerSource,
): Promise<WrittenReply> {
  const accept = headerOf(asked, 'accept')
  const taken = takenForms(accept)
  const takesJson = taken.json && !isSubscription(message)
  if (!(takesJson || taken.events)) return notAcceptable
  const request = webRequestOf(asked)
  if (request === undefined)
    return invalidRequest('no request can have this address or these headers')
  // Passed beside the request: to wrap the body in a stream and read it back costs more than most answers.
  // The SDK passes `authInfo` on to the function that makes the server.
  const authInfo = { token: '', clientId: '', scopes: [], extra: { source } }
  const response = await fetch(request, { parsedBody: message, authInfo })
  const { status } = response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const whole = { status, headers: [...response.headers] }
  const body = Buffer.from(await response.arrayBuffer())
  // Errors of the protocol quote what was sent in the place of a name.
  const said = body.includes('aik_') ? Buffer.from(withoutWholeKeys(body.toString())) : body
  if (isStream && takesJson && !(taken.events && namesEvents(accept))) {
    return inForm(whole, 'application/json', jsonOfEvents(said.toString()))
  }
  if (status === 200 && !isStream && !taken.json) {
    return inForm(whole, 'text/event-stream', eventOfJson(said.toString()))
  }
  return { ...whole, body: said }
}

function inForm(
  { status, headers }: Pick<WrittenReply, 'status' | 'headers'>,
  type: string,
  text: string,
): WrittenReply {
  const others = headers.filter(([name]) => !/^content-(?:type|length)$/i.test(name))
  return { status, headers: [...others, ['Content-Type', type]], body: Buffer.from(text) }
}

const notAcceptable: WrittenReply = {
  ...invalidRequest('Accept takes neither application/json nor the form of this answer'),
  status: 406,
}

/** Undefined if HTTP does not allow a header, or no address ends so. */
function webRequestOf({ method, target, headers, signal }: RouteRequest): Request | undefined {
  try {
    const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
    sent.set('accept', 'application/json, text/event-stream')
    return new Request(`http://localhost${target}`, { method, headers: sent, signal })
  } catch {
    return undefined
  }
}

/** It is answered by events that end at once, because none of the lists changes. */
function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen'
}

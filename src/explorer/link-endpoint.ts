/**
 * `POST /explorer/key`: exchanges the code of a printed address for its key. The main thread holds the
 * codes; an address with too many wrong codes is refused as one with too many wrong keys. Pages of
 * other origins can neither send a code nor read a key here.
 */
import type { Api } from '../api/api.ts'
import { noStore } from '../api/pipeline/response-headers.ts'
import {
  type AsyncRoute,
  namedReply,
  type RouteRequest,
  requestHeaderOf,
  wrongMethod,
} from '../http/async-route.ts'
import type { WrittenReply } from '../http/reply-writer.ts'
import { jsonIn } from '../reading/readers.ts'

const linkKeyPath = '/explorer/key'

interface LinkEndpointContext {
  readonly api: Api
  readonly exchange: (code: string) => Promise<string | undefined>
}

/** Requests of a thread that may be answered at once; an address has an eighth of them. */
const inFlightMax = 32

/** The endpoint as a route. The code comes as JSON: `{"code":"…"}`. */
export function linkEndpoint(context: LinkEndpointContext): AsyncRoute {
  const { api } = context
  return {
    paths: [linkKeyPath],
    bodyBounds: { bytesMax: 256, piecesMax: 4, secondsMax: 10 },
    inFlightMax,
    admit: ({ method, headers, address }) => {
      if (method !== 'POST') return { refusal: wrongMethod(api, linkKeyPath, ['POST']) }
      // A page of another origin can send this type only after a preflight, and none is allowed here.
      if (requestHeaderOf(headers, 'content-type') !== 'application/json') {
        const detail = 'the Content-Type must be application/json'
        return { refusal: api.refuse({ code: 'unsupported-media-type', detail }) }
      }
      return { refusal: api.refusalOfAddress(address) }
    },
    answer: (request) => answer(context, request),
  }
}

async function answer(
  { api, exchange }: LinkEndpointContext,
  { body }: RouteRequest,
): Promise<WrittenReply> {
  const code = codeIn(Buffer.from(body).toString())
  const key = code === undefined ? undefined : await exchange(code)
  if (key === undefined) {
    const detail = 'the code is unknown, was used already, or is older than ten minutes'
    return api.refuse({ code: 'unauthorized', detail })
  }
  const headers = [['Content-Type', 'application/json'], noStore] as const
  const reply = { status: 200, headers, body: Buffer.from(JSON.stringify({ key })) }
  return namedReply(api, reply)
}

function codeIn(text: string): string | undefined {
  const { code } = (jsonIn(text) ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^[\w-]{16,64}$/.test(code) ? code : undefined
}

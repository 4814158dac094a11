/**
 * `GET /api/v1/account` on the service: the API checks the key and counts a lookup, the main thread reads the ledger,
 * and the answer is free. It is answered in its own time, because serving threads have no ledger.
 */
import { accountItem } from '../../api/account/item.ts'
import type { Api } from '../../api/api.ts'
import { noStore } from '../../api/pipeline/response-headers.ts'
import {
  type AsyncRoute,
  headerOf,
  namedReply,
  type RouteRequest,
  wrongMethod,
} from '../../http/async-route.ts'
import { routesCors } from '../../http/cors.ts'
import type { OwnerView, OwnKey } from '../../ledger/books/account-views.ts'
import { limits } from '../../limits.ts'
import { formatUsd } from '../../money.ts'
import { operations } from '../../operations.ts'
import { Refusal } from '../../problems.ts'
import type { Values } from '../../settings.ts'

interface AccountContext {
  readonly api: Api
  /** Reads the ledger; undefined for a key that it does not have. @throws Refusal where it cannot be read. */
  readonly readOwner: (key: OwnKey) => Promise<OwnerView | undefined>
  readonly settings: Values<'price' | 'rateLimit' | 'lookupRateLimit' | 'corsOrigins'>
}

/** Requests of a thread that may wait for the ledger. */
const inFlightMax = 64

const { paths, methods } = operations.account

export function accountEndpoint(context: AccountContext): AsyncRoute {
  const { api, settings } = context
  const cors = routesCors(settings.corsOrigins)
  return {
    paths,
    bodyBounds: { bytesMax: 0, piecesMax: 1, secondsMax: limits.mcpBody.secondsMax },
    inFlightMax,
    cors: () => cors,
    admit: (head, canWait) => {
      if (head.method !== 'GET') return { refusal: wrongMethod(api, paths[0], methods) }
      const key = headerOf(head, 'authorization')
      return api.checkCaller(key, 1, head.address, { isLookup: true, canWait })
    },
    answer: (request) => answer(context, request),
  }
}

async function answer(
  { api, readOwner, settings }: AccountContext,
  { owner, target }: RouteRequest,
) {
  const startedMs = performance.now()
  const days = daysIn(target)
  if (days === 'invalid') {
    const detail = `days is not a whole number from 1 to ${limits.ownUsageDaysMax}, once`
    return api.refuse({ code: 'invalid-parameter', detail })
  }
  let view: OwnerView | undefined
  try {
    const asked = { ...(days !== undefined && { days }) }
    view = owner && (await readOwner({ keyId: owner.keyId, ...asked }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  if (owner === undefined || view === undefined) {
    const detail = 'the ledger cannot be read at the moment; nothing was charged'
    return api.refuse({ code: 'ledger-unavailable', detail }, [['Retry-After', '1']])
  }
  const money = api.moneyOf(owner)
  const shownMicroUsd = money.balanceMicroUsd ?? money.leftOfCapMicroUsd
  const { price: prices, ...limited } = settings
  const facts = { ...limited, prices, days, ...money }
  const item = accountItem(view, facts)
  const duration = Math.round((performance.now() - startedMs) * 1e3) / 1e6
  const body = Buffer.from(JSON.stringify({ duration, results: [item] }))
  const balance =
    shownMicroUsd === undefined ? [] : ([['X-Balance-Usd', formatUsd(shownMicroUsd)]] as const)
  const headers = [['Content-Type', 'application/json'], noStore, ...balance] as const
  return namedReply(api, { status: 200, headers, body })
}

/** The days that a request asks for; undefined where it asks for none. Other parameters are passed over. */
function daysIn(target: string): number | undefined | 'invalid' {
  const given = new URLSearchParams(target.split('?')[1] ?? '').getAll('days')
  if (given.length === 0) return undefined
  const [text = ''] = given
  const isWhole = given.length === 1 && /^[1-9]\d{0,3}$/.test(text)
  return isWhole && Number(text) <= limits.ownUsageDaysMax ? Number(text) : 'invalid'
}

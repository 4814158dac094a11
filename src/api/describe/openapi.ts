/** The OpenAPI 3.1 document as a service shows it: with its prices and the contacts of its operator. */
import { usdNumber } from '../../money.ts'
import type { Route } from '../../operation.ts'
import { operations, type Prices, type RouteName, routeNames } from '../../operations.ts'
import type { Json } from '../schemas/json-schema.ts'
import { unpricedDocument } from './unpriced-document.made.ts'

export function openApiDocument(prices: Prices, contacts: Contacts = noContacts): Json {
  const document = unpricedDocument()
  const priced = routeNames.map((route) => {
    const [path] = operations[route].paths
    return [path, pricedPath(document, path, priceOf(route, prices))]
  })
  return {
    ...document,
    info: { ...(document.info as Json), ...contactsOf(contacts) },
    paths: { ...(document.paths as Json), ...Object.fromEntries(priced) },
  }
}

function pricedPath(document: Json, path: string, price: Json): Json {
  const methods = (document.paths as Record<string, Record<string, Json>>)[path]!
  const priced = Object.entries(methods).map(([method, each]) => [method, { ...each, ...price }])
  return Object.fromEntries(priced)
}

function priceOf(route: RouteName, prices: Prices): Json {
  const { text, price, freeWith }: Route = operations[route]
  const costUsd = usdNumber(prices[route])
  const isFree = freeWith !== undefined && costUsd === 0
  const means = isFree ? ` The balance has to cover the price of a ${freeWith} all the same.` : ''
  const each = price.each === 'request' ? 'a query' : 'each value that is asked for'
  return {
    description: `${text} Costs ${costUsd} USD for ${each}.${means}`,
    'x-price-usd': costUsd,
  }
}

/** Addresses of the operator, mail or web; '' if none is given. */
export interface Contacts {
  readonly contact: string
  readonly privacy: string
}

const noContacts: Contacts = { contact: '', privacy: '' }

/** The members of `info`; `x-privacy` is for listed people, as OpenAPI has no word for it. */
function contactsOf({ contact, privacy }: Contacts) {
  const member = contact.includes('://') ? 'url' : 'email'
  return {
    ...(contact !== '' && { contact: { [member]: contact } }),
    ...(privacy !== '' && { 'x-privacy': privacy }),
  }
}

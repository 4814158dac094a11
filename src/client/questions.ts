/**
 * Operations as questions: paths, the unit of each price, query strings, bodies, and the number of values of a
 * list in one body.
 */
import type { CallQuestion } from './call.ts'

/** The operations: `each` is the unit of the price; free ones carry no idempotency key. */
export const routes = {
  search: { path: '/api/v1/index', each: 'request' },
  detail: { path: '/api/v1/detail', each: 'value' },
  peers: { path: '/api/v1/peers', each: 'value' },
  match: { path: '/api/v1/match', each: 'value' },
  rank: { path: '/api/v1/rank', each: 'value' },
  autocomplete: { path: '/api/v1/autocomplete', each: 'request' },
  topics: { path: '/api/v1/topics', each: 'request' },
  snapshots: { path: '/api/v1/snapshots', each: 'request' },
  snapshot: { path: '/api/v1/snapshots/{id}', each: 'request' },
  changes: { path: '/api/v1/changes', each: 'request' },
  history: { path: '/api/v1/history', each: 'request' },
} as const

/** The name of an operation. */
export type ClientRoute = keyof typeof routes

/** Operations without a price unless the operator sets one. */
const free: readonly ClientRoute[] = ['autocomplete', 'topics', 'snapshots', 'snapshot']

/** Fields with which an item is sold as a profile, at the price of detail beside that of the query. */
const profileFields = ['bio', 'topics', 'socials', 'website']

/** Whether items are sold as profiles. */
export function areProfiles(route: ClientRoute, params: object): boolean {
  const { fields = [] } = params as { fields?: string | readonly string[] }
  const names = [fields].flat().join().split(',')
  return route !== 'detail' && profileFields.some((name) => names.includes(name.trim()))
}

/** Number of profiles that a question may sell at most. @param count of its values. */
export function profilesMax(route: ClientRoute, params: object, count: number): number {
  if (!areProfiles(route, params)) return 0
  const { limit = 10 } = params as { limit?: number }
  return route === 'search' || route === 'peers' ? Math.min(limit, 50) : count
}

/**
 * A GET. Lists repeat their parameter, and a comma is part of an entry; a text may be a list by commas. Undefined values
 * are left out.
 * @throws TypeError for an id that can be no part of a path: what reads an address takes dots and slashes for steps.
 */
export function getQuestion(route: ClientRoute, params: object): CallQuestion {
  const { id, ...others } = params as Record<string, unknown>
  const pairs = Object.entries(others).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.map(encodedText) : [encodedText(value)?.replaceAll('%2C', ',')])
      .filter((text) => text !== undefined)
      .map((text) => `${name}=${text}`),
  )
  const path = routes[route].path.replace('{id}', () => {
    if (/^[\w-]+$/.test(String(id))) return String(id)
    throw new TypeError('the id of a snapshot is 32 hexadecimal digits')
  })
  const target = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
  return { method: 'GET', target, isCharged: !free.includes(route) }
}

function encodedText(value: unknown): string | undefined {
  return value === undefined ? undefined : encodeURIComponent(String(value))
}

/** A POST. */
export function postQuestion(route: ClientRoute, members: object): CallQuestion {
  return {
    method: 'POST',
    target: routes[route].path,
    body: JSON.stringify(members),
    isCharged: true,
  }
}

/** Maximum number of values in one body, and of their bytes without the text around them. */
const valuesMax = 1_000
const bytesMax = (256 << 10) - 4_096

/** Cuts a list into parts that each fit into a body, in their order. */
export function bodyParts(values: readonly string[]): string[][] {
  const parts: string[][] = []
  const encoder = new TextEncoder()
  let bytes = 0
  for (const value of values) {
    const size = encoder.encode(JSON.stringify(value)).length + 1
    const last = parts.at(-1)
    if (last === undefined || last.length >= valuesMax || bytes + size > bytesMax) {
      parts.push([value])
      bytes = size
    } else {
      last.push(value)
      bytes += size
    }
  }
  return parts
}

/** Runs tasks, at most `atOnceMax` at a time, and returns their results in order. After a failure none begins. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnceMax: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const line = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      try {
        results[index] = await run(items[index]!, index)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, line))
  return results
}

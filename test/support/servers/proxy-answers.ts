/** What a client is answered, less what is another with every answer: the same behind a proxy as without. */
import { expect } from 'vitest'
import { type Operated, targets } from '../operated.ts'

export async function lasting(
  { address, headers }: Pick<Operated, 'address' | 'headers'>,
  target: string,
  init: RequestInit = {},
) {
  const all = { ...headers, ...(init.headers as Record<string, string>) }
  const response = await fetch(`${address}${target}`, { ...init, headers: all })
  const text = await response.text()
  const body = text === '' ? '' : { ...JSON.parse(text), duration: 0, request_id: '' }
  const named = ['content-type', 'etag', 'x-cost-usd', 'x-search-way', 'x-snapshot-id', 'vary']
  const said = named.map((header) => response.headers.get(header))
  return { status: response.status, body, said }
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

/** Every route, and every sort of refusal. */
const requests: readonly (readonly [string, RequestInit?])[] = [
  ...targets.map((each) => [each] as const),
  ['/api/v1/index'],
  ['/api/v1/nothing'],
  ['/api/v1/index?query=%ff'],
  ['/api/v1/index?query=rust', { headers: { authorization: 'Bearer no' } }],
  ['/api/v1/index?query=rust', { method: 'POST' }],
  ['/healthz', { method: 'HEAD' }],
  ['/mcp', post],
]

export async function expectSameAnswers(
  one: Pick<Operated, 'address' | 'headers'>,
  other: Pick<Operated, 'address' | 'headers'>,
): Promise<void> {
  for (const [target, init] of requests) {
    expect([target, await lasting(one, target, init)]).toEqual([
      target,
      await lasting(other, target, init),
    ])
  }
}

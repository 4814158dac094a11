/** Bodies over real sockets: in any pieces, read for known keys only, and no more at once than may be. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { PostedRequests, type PostedSource } from '../../src/http/posted-requests.ts'
import { limits } from '../../src/limits.ts'
import { attackedService } from '../abuse/attack.ts'
import { newApi } from '../api/client.ts'
import { servedOf } from '../built.ts'

const json = { 'content-type': 'application/json' }
const path = '/api/v1/match'

describe('a body', () => {
  it('is read in whatever pieces it comes', async () => {
    const { port, headers } = await attackedService()
    const sent = request({ port, path, method: 'POST', headers: { ...headers, ...json } })
    const answered = new Promise<string>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (response) => {
        let text = ''
        response.on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve(text))
      })
    })
    for (const unit of JSON.stringify({ handles: ['SenCapito'] })) sent.write(unit)
    sent.end()
    expect(JSON.parse(await answered).results[0].name).toBe('Shelley Moore Capito')
  })

  it('of a thousand handles is answered, and charged once it is written', async () => {
    const { address, headers } = await attackedService()
    const handles = ['SenCapito', ...Array.from({ length: 999 }, (_, n) => `nobody-${n}`)]
    const init = { method: 'POST', headers: { ...headers, ...json } }
    const post = (value: unknown) =>
      fetch(`${address}${path}`, { ...init, body: JSON.stringify(value) })
    const response = await post({ handles, aligned: true })
    const { results } = (await response.json()) as { results: unknown[] }
    expect(results.length).toBe(1_000)
    expect(response.headers.get('x-cost-usd')).toBe('1.00')
    expect((await post({ handles: ['a'] })).headers.get('x-balance-usd')).toBe('48.999')
  })

  it('is not waited for where the key is not valid', async () => {
    const { port } = await attackedService()
    const head = { ...json, 'content-length': '100', authorization: 'Bearer x' }
    const sent = request({ port, path, method: 'POST', headers: head })
    sent.on('error', () => {})
    sent.flushHeaders()
    const status = await new Promise((resolve) =>
      sent.on('response', (response) => resolve(response.statusCode)),
    )
    sent.destroy()
    expect(status).toBe(401)
  })
})

describe('bodies that are being read', () => {
  /** A request whose body never comes. */
  function waiting() {
    const aborts: (() => void)[] = []
    const source: PostedSource = {
      onData: () => {},
      onAborted: (handler) => void aborts.push(handler),
    }
    return { source, abort: () => aborts.forEach((handler) => void handler()) }
  }

  const head = { method: 'POST', path, query: '', authorization: '', contentType: '', from: '' }

  it('are bounded, and one that ends makes room', () => {
    const posted = new PostedRequests(newApi(servedOf({ authorities: [] })))
    const statuses: number[] = []
    let gone = 0
    const begin = () => {
      const one = waiting()
      posted.answer(
        one.source,
        head,
        ({ status }) => void statuses.push(status),
        () => {
          gone += 1
        },
      )
      return one
    }
    const [first] = Array.from({ length: limits.batchesInFlightMax }, begin)
    expect(statuses).toEqual([])
    begin()
    expect(statuses).toEqual([503])
    first!.abort()
    expect(gone).toBe(1)
    begin()
    expect(statuses).toEqual([503])
  })
})

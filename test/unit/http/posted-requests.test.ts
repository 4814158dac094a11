/** Bodies over real sockets: in any pieces, read for known keys only, and no more at once than may be. */

import { request } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ApiReply } from '../../../src/api/exchange.ts'
import { FairPlaces } from '../../../src/http/fair-places.ts'
import { answerPosted } from '../../../src/http/posted-requests.ts'
import { type BodySource, UnfinishedBodies } from '../../../src/http/request-body.ts'
import { limits } from '../../../src/limits.ts'
import { newApi } from '../../support/api-client.ts'
import { attackedService } from '../../support/attack.ts'
import { servedOf } from '../../support/built.ts'

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
  function waiting() {
    const aborts: (() => void)[] = []
    let send: (piece: ArrayBuffer, isLast: boolean) => void = () => {}
    const source: BodySource = {
      onData: (handler) => {
        send = handler
      },
      onAborted: (handler) => void aborts.push(handler),
    }
    const abort = () => aborts.forEach((handler) => void handler())
    return { source, abort, send: (piece: ArrayBuffer, isLast: boolean) => send(piece, isLast) }
  }

  const head = {
    method: 'POST',
    path,
    query: '',
    authorization: '',
    contentType: '',
    ifNoneMatch: '',
    idempotencyKey: () => '',
    acceptEncoding: () => '',
    route: undefined,
    contentEncoding: '',
  }

  function posting() {
    const api = newApi(servedOf({ authorities: [] }))
    const clock = { nowMs: 0 }
    const bodies = new UnfinishedBodies(api, () => clock.nowMs)
    const context = { api, bodies, places: new FairPlaces(limits.batchesInFlightMax) }
    const statuses: number[] = []
    const gone: string[] = []
    const begin = (from: string) => {
      const one = waiting()
      const write = ({ status }: ApiReply) => void statuses.push(status)
      const posted = { ...head, address: () => from }
      answerPosted(context, one.source, posted, write, () => gone.push(from))
      return one
    }
    return { api, clock, bodies, statuses, gone, begin }
  }

  const shareMax = limits.batchesInFlightMax / 8

  it('are whole whatever pieces they come in', () => {
    const api = newApi(servedOf({ authorities: [] }))
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1 }), (pieces) => {
        const { source, send } = waiting()
        const whole: Uint8Array[] = []
        const bounds = { bytesMax: 8_192, piecesMax: 100, secondsMax: 1 }
        new UnfinishedBodies(api, () => 0).read({
          ...{ places: new FairPlaces(8), source, bounds, address: '192.0.2.1' },
          admit: () => ({}),
          refuse: ({ status }) => expect.unreachable(`${status}`),
          take: (_, body) => void whole.push(body.slice()),
          onGone: () => {},
        })
        for (const [index, piece] of pieces.entries()) {
          send(piece.slice().buffer, index === pieces.length - 1)
        }
        expect(whole.map((body) => Buffer.from(body))).toEqual([Buffer.concat(pieces)])
      }),
    )
  })

  it('of one address have an eighth of the places, and one that ends makes room', () => {
    const { statuses, gone, begin } = posting()
    const [first] = Array.from({ length: shareMax }, () => begin('192.0.2.1'))
    begin('192.0.2.1')
    expect(statuses).toEqual([503])
    begin('192.0.2.2')
    expect(statuses).toEqual([503])
    first!.abort()
    expect(gone).toEqual(['192.0.2.1'])
    begin('192.0.2.1')
    expect(statuses).toEqual([503])
  })

  it('end where they bring less than they must in a while, however little time is over', () => {
    const { clock, bodies, statuses, begin } = posting()
    const [slow, steady] = [begin('192.0.2.1'), begin('192.0.2.2')]
    const piece = new ArrayBuffer(limits.bodyWindowBytesMin)
    for (let rounds = 1; rounds <= 4; rounds += 1) {
      slow.send(new ArrayBuffer(1), false)
      steady.send(piece, false)
      clock.nowMs += limits.bodyWindowSeconds * 1000
      bodies.refuseSlow()
      expect(statuses).toEqual([408])
    }
    steady.send(new ArrayBuffer(0), true)
    expect(statuses).toEqual([408, 415])
  })

  it('count for the limit of their account from the head on, and once', () => {
    const { api, begin } = posting()
    const [admitHead, answer] = [vi.spyOn(api, 'admitHead'), vi.spyOn(api, 'answer')]
    const first = begin('192.0.2.1')
    begin('192.0.2.1').abort()
    expect(admitHead).toHaveBeenCalledTimes(2)
    first.send(new ArrayBuffer(2), true)
    expect(admitHead).toHaveBeenCalledTimes(2)
    expect(answer.mock.calls.map(([{ takenNs }]) => takenNs)).toEqual([0])
  })
})

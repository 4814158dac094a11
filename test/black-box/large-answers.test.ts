/** Large answers over real sockets: to clients that read late, or that leave; and smaller ones to clients that take gzip. */
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { announce, publish } from '../../src/snapshot/store/directory.ts'
import { snapshotOf } from '../support/built.ts'
import { authority } from '../support/records.ts'
import { sharedService } from '../support/shared.ts'

/** All in one answer are more than the system keeps for a connection that is not read. */
const people = 1_000
const bioCharacters = 8_000
const sdus = Array.from({ length: people }, (_, index) => String(index + 1_000))
const path = '/api/v1/detail'

const service = sharedService((directory) => {
  const authorities = sdus.map((sdu) => authority({ sdu, name: `P ${sdu}`, bio: bioOf(sdu) }))
  const snapshot = snapshotOf({ authorities })
  const snapshots = join(directory, 'large')
  publish(snapshots, snapshot)
  announce(snapshots, snapshot.header.id)
  return ['--threads', '1', '--price', 'detail=0.000001', '--snapshots', snapshots]
})

function bioOf(sdu: string): string {
  return sdu.repeat(bioCharacters / sdu.length)
}

interface Answer {
  readonly results: readonly { sdu: string; bio: string }[]
}

function isRight({ results }: Answer, asked: readonly string[]): boolean {
  return (
    results.length === asked.length &&
    results.every(({ sdu, bio }, index) => sdu === asked[index] && bio === bioOf(sdu))
  )
}

function headersWith(acceptEncoding: string): Record<string, string> {
  const more = { 'content-type': 'application/json', 'accept-encoding': acceptEncoding }
  return { ...service.headers, ...more }
}

async function ask(asked: readonly string[], acceptEncoding: string, method = 'POST') {
  const headers = headersWith(acceptEncoding)
  const response =
    method === 'GET'
      ? await fetch(`${service.address}${path}?sdus=${asked.join()}`, { headers })
      : await fetch(`${service.address}${path}`, {
          ...{ method, headers, body: JSON.stringify({ sdus: asked }) },
        })
  const isAsAsked = isRight((await response.json()) as Answer, asked)
  const coding = response.headers.get('content-encoding')
  const balanceUsd = Number(response.headers.get('x-balance-usd'))
  return { isAsAsked, coding, cost: response.headers.get('x-cost-usd'), balanceUsd }
}

describe('an answer', () => {
  it.each(['POST', 'GET'])(
    'is compressed for a client that takes it (%s), and charged once',
    async (method) => {
      const asked = sdus.slice(0, 5)
      const plain = await ask(asked, 'identity', method)
      const coded = await ask(asked, 'gzip', method)
      expect(plain).toMatchObject({ isAsAsked: true, coding: null, cost: '0.000005' })
      expect(coded).toMatchObject({ isAsAsked: true, coding: 'gzip', cost: '0.000005' })
      expect(Math.round((plain.balanceUsd - coded.balanceUsd) * 1e6)).toBe(5)
    },
  )
})

describe('a large answer', () => {
  it('to a client that reads late is its own, whatever others are answered meanwhile', async () => {
    const late = request(`${service.address}${path}`, {
      ...{ method: 'POST', headers: headersWith('identity') },
    })
    const answered = new Promise<AsyncIterable<Uint8Array>>((resolve) => {
      late.on('response', resolve)
    })
    late.end(JSON.stringify({ sdus }))
    const unread = await answered
    const metrics = await (await fetch(`${service.address}/metrics`)).text()
    const unreadBytes = /^authority_index_unread_bytes (\d+)/m.exec(metrics)?.[1]
    expect(Number(unreadBytes)).toBeGreaterThan(0)
    expect((await ask(sdus.toReversed(), 'identity')).isAsAsked).toBe(true)
    expect(isRight((await json(unread)) as Answer, sdus)).toBe(true)
  })

  it('is right for each of many clients at once', async () => {
    const asked = Array.from({ length: 24 }, (_, index) => sdus.slice(index * 40, index * 40 + 40))
    const answers = await Promise.all(asked.map((each) => ask(each, 'gzip')))
    expect(answers.filter(({ isAsAsked }) => !isAsAsked)).toEqual([])
  })

  it('harms nothing where its clients leave', async () => {
    const few = sdus.slice(0, 100)
    const body = JSON.stringify({ sdus: few })
    const leave = () =>
      new Promise<void>((resolve) => {
        const sent = request(`${service.address}${path}`, {
          ...{ method: 'POST', headers: headersWith('gzip') },
        })
        sent.on('error', () => resolve())
        sent.end(body, () => sent.destroy(new Error('left')))
      })
    for (let round = 0; round < 30; round += 1) await leave()
    expect(await ask(few, 'gzip')).toMatchObject({ isAsAsked: true })
    expect(await (await fetch(`${service.address}/readyz`)).json()).toMatchObject({
      ledger_balanced: true,
    })
  })
})

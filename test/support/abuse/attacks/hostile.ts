/** Requests that are hostile in what they ask, and bytes that are no request, or a part of one, or several. */
import { routeNames } from '../../../../src/operations.ts'
import type { Attack, AttackSize, Scene } from '../attack.ts'
import { Cases } from '../cases.ts'
import { talk } from '../wire.ts'

const together = 16
/** Of so many rounds, one is of broken requests. */
const brokenEvery = 4
/** That many queries a request asks at most: a thousand values, and the profiles of their owners. */
const queriesMax = 2_000

/** Else so many details use up the balance of all; those of search and match are low already. */
const cheap = routeNames
  .filter((route) => route !== 'search' && route !== 'match')
  .flatMap((route) => ['--price', `${route}=0.000001`])

const rounds = (size: AttackSize) => (size === 'full' ? 10_000 : 100)

const hostile: Attack = {
  name: 'hostile requests, and bytes that are none',
  prepare: () => ({ words: cheap }),
  boughtMax: (size) => rounds(size) * together * queriesMax,
  run: async (scene) => {
    const cases = new Cases(7, scene.service.key)
    for (let round = 0; round < rounds(scene.size); round += 1) {
      const isBroken = round % brokenEvery === 0
      const send = isBroken
        ? () => wellAnswered(scene, cases.broken(), true)
        : () => sendWhole(scene, cases)
      await Promise.all(Array.from({ length: together }, send))
    }
  },
}

/** A whole request has exactly one answer, and the money of an account is told to its key alone. */
async function sendWhole(scene: Scene, cases: Cases): Promise<string> {
  const { bytes, isKeyed } = cases.whole()
  const text = await wellAnswered(scene, bytes, false)
  if (text.match(/^HTTP\/1\.1 \d{3} /gm)?.length !== 1) throw broken('not one answer', text, bytes)
  const isTold = /^x-balance-usd:|"balance_usd":\d/im.test(text)
  if (isTold && !isKeyed) throw broken('a balance without a key', text, bytes)
  return text
}

/** What is answered is no failure of the service: no status from 500 on but 503, and 505 for what is not HTTP/1.1. */
async function wellAnswered(scene: Scene, bytes: Buffer, isLast: boolean): Promise<string> {
  const text = await talk(scene, bytes, isLast)
  if (/^HTTP\/1\.1 5(?!03|05)/m.test(text)) throw broken('a failure', text, bytes)
  if (/^x-injected:/im.test(text)) throw broken('an injected header', text, bytes)
  return text
}

function broken(what: string, text: string, bytes: Buffer): Error {
  const sent = JSON.stringify(bytes.toString('latin1').slice(0, 4_000))
  return new Error(`${what}: ${text.slice(0, 1_000)}\nafter ${sent}`)
}

export const hostileAttacks: readonly Attack[] = [hostile]

/**
 * The identity of a question under an `Idempotency-Key`: the hash of the key, and the hash of the question, which is
 * its operation, its query string and its body, byte by byte. A GET whose answer was lost on its way has a key of its own.
 */
import { createHash } from 'node:crypto'
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { QuestionId } from '../../ledger/live/paid-questions.ts'
import type { AskedQuestion, Asking, Reservations } from '../../ledger/live/reservations.ts'
import { limits } from '../../limits.ts'
import type { ApiRequest } from '../exchange.ts'
import type { RefusedRequest } from './refusals.ts'

const keyShape = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharactersMax}}$`)

const nothing = new Uint8Array(0)

/** The query string has the value that stood in the path. */
type AskedOfRoute = Pick<Asking, 'route' | 'search'>

/** The first 64 bits of a SHA-256. */
function hashOf(...parts: readonly (string | Uint8Array)[]): [number, number] {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const digest = hash.digest()
  return [digest.readInt32LE(0), digest.readInt32LE(4)]
}

function questionOf(method: string, { route, search }: AskedOfRoute, body: Uint8Array) {
  // No part but the last can hold a line break, so that two questions never look alike.
  return hashOf(`${method}\n${route}\n${search}\n`, body)
}

export const keyReused: RefusedRequest = {
  problem: {
    code: 'idempotency-key-reused',
    detail: 'send another Idempotency-Key with another request; nothing was charged',
  },
}

/** The queries that were paid under a request's key; or why the key belongs to another request. */
export function askedUnder(
  key: string,
  { method, body = nothing }: Pick<ApiRequest, 'method' | 'body'>,
  asked: AskedOfRoute,
  reservations: Reservations,
  { accountSlot: slot }: KeyOwner,
): AskedQuestion | RefusedRequest {
  if (!keyShape.test(key)) {
    const detail = `Idempotency-Key is not 1 to ${limits.idempotencyKeyCharactersMax} visible characters`
    return { problem: { code: 'invalid-parameter', detail } }
  }
  const question = questionOf(method, asked, body)
  return reservations.askedBefore({ slot, key: hashOf(key), question }) ?? keyReused
}

/** The id of a GET without a key. Its key is the hash of a text with line breaks, which no client can send as one. */
function unkeyedId(asked: AskedOfRoute, slot: number): QuestionId {
  const question = questionOf('GET', asked, nothing)
  return { slot, key: question, question }
}

/** The queries that were paid of a GET without a key whose answer was lost; undefined for any other. */
export function askedAndLost(
  asking: Asking,
  reservations: Reservations,
  { accountSlot: slot }: KeyOwner,
): AskedQuestion | undefined {
  if (asking.isPosted || !reservations.questions?.hasLost()) return undefined
  const id = unkeyedId(asking, slot)
  if (reservations.questions.usedUpForSeconds(id) !== undefined) return undefined
  const asked = reservations.askedBefore(id)
  return asked === undefined || asked.paid === 0 ? undefined : asked
}

/**
 * Remembers the paid GETs of an account of the last turn, whose answers may be lost: each may be asked once more. Nobody
 * gains by one that arrived: under an `Idempotency-Key` the same repeat, and more of them, are free.
 */
export function rememberLost(reservations: Reservations, slot: number, nowMs: number): void {
  for (const charge of reservations.takeRecent(slot, nowMs - limits.turnMsMax)) {
    const { route, search = '' } = charge
    reservations.addLost(unkeyedId({ route, search }, slot), charge)
  }
}

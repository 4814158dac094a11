/**
 * Work before a snapshot is served, through the real pipeline. Practice: questions drawn from the first snapshot, until the
 * compiler has seen the code; nothing is charged, counted or kept, because account, cache and limits are apart. And the
 * answers to frequent searches, so that they need not wait right after a switch.
 */
import { setImmediate } from 'node:timers/promises'
import { practiceAccount } from '../ledger/live/practice-account.ts'
import { limits } from '../limits.ts'
import { operations, type RouteName } from '../operations.ts'
import type { ActiveSnapshot } from './active-snapshot.ts'
import { localApi } from './announced.ts'
import { AnswerCache } from './answer-cache.ts'
import { Api } from './api.ts'
import type { ApiRequest } from './exchange.ts'
import { createSharedLimits, rateLimitsOf } from './limits/rate-limit.ts'
import { RequestIds } from './pipeline/request-ids.ts'

const practiceRate = 1_000_000_000
const practiceLimits = {
  rateLimit: practiceRate,
  rateBurst: practiceRate,
  lookupRateLimit: practiceRate,
}

/**
 * With 1,250 people the first hundred searches cost the same after 0, 100 and 1,000 ms of practice: it grows with the
 * people, up to the setting.
 */
const leastMs = 100
const msAPerson = 0.1

/** Work between two yields to the event loop, ms: so probes of liveness are answered meanwhile. */
const practiceStepMs = 5

/** More people than the longest practice asks about. */
const peopleMax = 1_000_000

/** Steps from one person to the next: by this share of all, so that few steps are spread over the whole index. */
const goldenRatio = 0.618_033_988_749_895

/**
 * @param workMsMax milliseconds of work, less for few people; 0 for no practice.
 * @param clock milliseconds that the thread has worked.
 * @returns the number of answered questions.
 */
export async function warmUp(
  served: ActiveSnapshot,
  { workMsMax, clock }: Pick<Work, 'workMsMax' | 'clock'>,
): Promise<number> {
  const { authorities } = served.catalog.counts
  if (authorities === 0 || workMsMax <= 0) return 0
  const apart = { ...served, cache: new AnswerCache(limits.answerCacheBytesMax) }
  const { reservations, authorization } = practiceAccount()
  const api = new Api({
    reservations,
    ...rateLimitsOf(createSharedLimits(0), practiceLimits),
    served: () => apart,
    clock: performance.now.bind(performance),
    ids: new RequestIds((bytes) => bytes),
    // A bug in an answer shows when a client asks; it must not keep the service from starting.
    onError: () => {},
  })
  const boundMs = Math.min(workMsMax, Math.max(leastMs, authorities * msAPerson))
  const work = { clock, stepMs: practiceStepMs, workMsMax: boundMs, rest: () => setImmediate() }
  return answerInSteps(api, practice(apart, authorization), work)
}

function* practice(served: ActiveSnapshot, authorization: string): Generator<ApiRequest> {
  const { authorities } = served.catalog.counts
  for (let person = 0; person < peopleMax; person += 1) {
    const ordinal = Math.floor(((person * goldenRatio) % 1) * authorities)
    for (const request of questionsOf(served, ordinal)) yield { ...request, authorization }
  }
}

/** The rest behind a step of a thread that serves, by the length of the step: nine tenths of its time are for others. */
const restsOfStep = 9

/** Caches the answers to some query strings of searches, in a quarter of a second of work; the first ones for certain. */
export async function fillCache(
  served: ActiveSnapshot,
  queries: readonly string[],
  { clock, rest }: Pick<Work, 'clock' | 'rest'>,
): Promise<void> {
  // No client asked: the next request gets the error, which is then logged.
  const api = localApi(served, () => {})
  const [path] = operations.search.paths
  const requests = queries.map((query) => ({ method: 'GET', path, query }))
  const rests = (ms: number) => rest(ms * restsOfStep)
  await answerInSteps(api, requests, { clock, stepMs: 0.5, workMsMax: 250, rest: rests })
}

/** Milliseconds. */
interface Work {
  readonly clock: () => number
  /** Between two rests, unless one answer takes longer. */
  readonly stepMs: number
  readonly workMsMax: number
  readonly rest: (ms: number) => Promise<void>
}

/** @returns the number of answered requests. */
async function answerInSteps(
  api: Api,
  requests: Iterable<ApiRequest>,
  { clock, stepMs, workMsMax, rest }: Work,
): Promise<number> {
  let answered = 0
  let workedMs = 0
  let startedMs = clock()
  for (const request of requests) {
    api.written(api.answer(request))
    answered += 1
    const steppedMs = clock() - startedMs
    if (steppedMs < stepMs) continue
    workedMs += steppedMs
    if (workedMs >= workMsMax) break
    await rest(steppedMs)
    startedMs = clock()
  }
  return answered
}

/** A name in another script than that of the names: the tables of letters are read for the first one. */
const nameInOtherScript = 'анна'

/** Requests about a person, as people and programs send them. */
export function questionsOf({ catalog }: ActiveSnapshot, ordinal: number): readonly ApiRequest[] {
  const name = catalog.nameOf(ordinal)
  const sdu = catalog.sduOf(ordinal)
  const topic = catalog.labelOf(catalog.sections['authority.core-topics'][ordinal]!)
  const words = name.toLowerCase().split(' ')
  const last = words.at(-1)!
  const handle = words.join('')
  const [first = ''] = topic.split(' ')
  const texts = [
    ...[name, last, without(last), topic, without(topic), `${words[0]} ${last}`],
    ...[`who is ${name}?`, `Dr. ${name}`, `senator ${last}`, `${name} ${topic}`],
    ...[`best ${topic} in France`, `${first} ${last}`, `${topic} ${words[0]}`, `head of ${topic}`],
    ...[`${last} on github`, `@${handle}`, [...last].reverse().join('')],
    nameInOtherScript,
  ]
  return [
    ...texts.map((query, index) => get('search', { query, limit: index % 2 === 0 ? '10' : '50' })),
    get('search', { query: topic, limit: '20', cursor: '*', facets: 'country,topic' }),
    get('search', { query: topic, explain: 'true', fields: 'bio,socials' }),
    get('search', { query: topic, score_min: '10', country: 'France' }),
    get('detail', { sdus: sdu }),
    get('match', { handles: handle }),
    get('match', { handles: `${handle},twitter:${last}`, fields: 'name,bio' }),
    get('peers', { handles: handle, limit: '20' }),
    get('autocomplete', { query: name.slice(0, 3) }),
    get('topics', { query: first.slice(0, 2) }),
    post('match', { handles: [handle, `github:${handle}`, last] }),
    post('detail', { sdus: [sdu], aligned: true }),
    post('rank', { sources: [`https://x.com/${handle}`, handle, `sdu:${sdu}`], topic }),
  ]
}

/** A text without its second letter, as in hasty typing. */
function without(text: string): string {
  return text.slice(0, 1) + text.slice(2)
}

function get(route: RouteName, parameters: Readonly<Record<string, string>>): ApiRequest {
  const query = new URLSearchParams(parameters).toString()
  const [path] = operations[route].paths
  return { method: 'GET', path, route, query, ifNoneMatch: '', idempotencyKey: () => '' }
}

function post(path: string, body: object): ApiRequest {
  return {
    method: 'POST',
    path: `/api/v1/${path}`,
    query: '',
    body: Buffer.from(JSON.stringify(body)),
    contentType: 'application/json',
  }
}

/**
 * Webhooks of a ledger on a disk. The service that has the ledger is its only deliverer; commands of other
 * processes may change endpoints meanwhile.
 */
import { type Account, isSuspended } from '../../account-records.ts'
import { addressedTo, expiringKey } from '../../webhooks/addressing.ts'
import { type AfterAttempt, rearmed } from '../../webhooks/attempts.ts'
import {
  type Endpoint,
  type EndpointPlace,
  type EventDraft,
  endpointId,
  type OutgoingEvent,
} from '../../webhooks/records.ts'
import {
  checkedEndpoint,
  checkedPlace,
  type DueEvent,
  type EndpointOrder,
  endedListedMax,
  found,
  type ListedEndpoint,
  listed,
  newEndpoint,
  resumed,
  type WebhookStore,
  withNewSecret,
} from '../../webhooks/store.ts'
import { accountNamed, accounts } from '../accounts.ts'
import type { Environment } from '../environment.ts'
import { addEvent, armAccount, countUp, eventRange } from '../events/outgoing-events.ts'
import { allKeys } from '../lineages/stored-keys.ts'
import type { Tables } from '../tables.ts'

/** Events of one endpoint that are looked at for one that is due. */
const lookedAtMax = 200
/** Growth of the file with an account that gets a threshold. */
const growthBytesEach = 1_024
/** Ended events that one transaction removes. */
const prunedMax = 1_000
/** Duration that a hold reports, ms; the hold lasts for as long as the service has its lock. */
const heldMs = 60_000

/** The webhooks of an open ledger; see `WebhookStore`. */
export class WebhookTables implements WebhookStore {
  readonly #environment: Environment

  readonly close: () => Promise<void>

  /** @param close what is to be done when the webhooks are not needed any more. */
  constructor(environment: Environment, close = () => environment.close()) {
    this.#environment = environment
    this.close = close
  }

  readonly nowMs = (): number => this.#environment.clock()

  async add(order: EndpointOrder): Promise<Endpoint> {
    return this.#changeArmed((tables) => {
      const owner = order.account === null ? 0 : accountNamed(tables, order.account).number
      const place = { owner, number: countUp(tables, 'endpoint') }
      const endpoint = newEndpoint(order, place, endpointsOf(tables), this.nowMs())
      putEndpoint(tables, endpoint)
      return endpoint
    })
  }

  async list(): Promise<readonly ListedEndpoint[]> {
    return this.#environment.read((tables) =>
      endpointsOf(tables).map((endpoint) => {
        const range = eventRange(endpoint)
        const sent = tables.sent.getRange({ ...reversed(range), limit: endedListedMax })
        return listed(
          endpoint,
          Array.from(sent, ({ value }) => value),
          {
            account: tables.accounts.get(endpoint.owner)?.name ?? null,
            pending: tables.outbox.getKeysCount(range),
          },
        )
      }),
    )
  }

  async endpoint(id: string): Promise<Endpoint> {
    return this.#environment.read((tables) => endpointAt(tables, id))
  }

  async remove(id: string): Promise<void> {
    this.#changeArmed((tables) => {
      const endpoint = endpointAt(tables, id)
      tables.endpoints.removeSync([endpoint.owner, endpoint.number])
      for (const table of [tables.outbox, tables.sent]) {
        for (const key of [...table.getKeys(eventRange(endpoint))]) table.removeSync(key)
      }
      return endpoint
    })
  }

  async rotate(id: string, overlapMs: number): Promise<Endpoint> {
    return this.#environment.transact((tables) => {
      const endpoint = withNewSecret(endpointAt(tables, id), overlapMs, this.nowMs())
      putEndpoint(tables, endpoint)
      return endpoint
    })
  }

  async replay(id: string): Promise<number> {
    return this.#environment.transact((tables) => {
      const { owner, number, n } = checkedPlace(id)
      if (n !== undefined) {
        const key: [number, number, number] = [owner, number, n]
        const event = tables.outbox.get(key) ?? tables.sent.get(key)
        putPending(tables, rearmed(found(event?.id === id ? event : undefined, id)))
        return 1
      }
      const endpoint = endpointAt(tables, id)
      putEndpoint(tables, resumed(endpoint))
      const pending = Array.from(
        tables.outbox.getRange(eventRange(endpoint)),
        (entry) => entry.value,
      )
      for (const event of pending) putPending(tables, rearmed(event))
      return pending.length
    })
  }

  async hold(): Promise<number> {
    return heldMs
  }

  async waiting(): Promise<readonly EndpointPlace[]> {
    return this.#environment.read((tables) => {
      const places: EndpointPlace[] = []
      let start: [number, number, number] = [0, 0, 0]
      for (let next = firstKey(tables, start); next !== undefined; next = firstKey(tables, start)) {
        const [owner, number] = next
        const endpoint = tables.endpoints.get([owner, number])
        if (endpoint?.health.pausedAtMs === null) places.push({ owner, number })
        start = [owner, number + 1, 0]
      }
      return places
    })
  }

  async nextDue(place: EndpointPlace, nowMs: number): Promise<DueEvent | undefined> {
    return this.#environment.read((tables) => {
      const endpoint = tables.endpoints.get([place.owner, place.number])
      if (endpoint === undefined || endpoint.health.pausedAtMs !== null) return undefined
      const waiting = new Set<number>()
      const pending = tables.outbox.getRange({ ...eventRange(place), limit: lookedAtMax })
      for (const { value: event } of pending) {
        const isNext = !waiting.has(event.accountNumber)
        if (isNext && event.nextAtMs <= nowMs) return { event, endpoint }
        waiting.add(event.accountNumber)
      }
      return undefined
    })
  }

  async settle({ event, health }: AfterAttempt): Promise<void> {
    this.#environment.transact((tables) => {
      const endpoint = tables.endpoints.get([event.owner, event.number])
      if (endpoint === undefined) return
      putEndpoint(tables, { ...endpoint, health })
      if (event.endedAtMs === null) return putPending(tables, event)
      tables.outbox.removeSync(keyOf(event))
      tables.sent.putSync(keyOf(event), event)
    })
  }

  async endpoints(): Promise<readonly Endpoint[]> {
    return this.#environment.read(endpointsOf)
  }

  async mark(name: string): Promise<string | undefined> {
    return this.#environment.read((tables) => tables.marks.get(name)?.toString())
  }

  async note(
    mark: string,
    value: string,
    draftsFor: (endpoint: Endpoint) => readonly EventDraft[],
  ): Promise<void> {
    const isNew = (tables: Tables) => tables.marks.get(mark) !== value
    const isDue = this.#environment.read(
      (tables) => isNew(tables) && endpointsOf(tables).length > 0,
    )
    if (!isDue) return
    this.#environment.transact((tables) => {
      if (!isNew(tables)) return
      tables.marks.putSync(mark, value)
      for (const { place, draft } of addressedTo(endpointsOf(tables), draftsFor)) {
        addEvent(tables, place, draft, this.nowMs())
      }
    })
  }

  async noteExpiring(): Promise<void> {
    const nowMs = this.nowMs()
    const expiring = this.#environment.read((tables) => expiringKeys(tables, nowMs))
    if (expiring.length === 0) return
    this.#environment.transact((tables) => {
      const endpoints = endpointsOf(tables)
      for (const { mark, value, draft } of expiring) {
        const addressed = addressedTo(endpoints, () => [draft])
        if (addressed.length > 0) tables.marks.putSync(mark, value)
        for (const { place } of addressed) addEvent(tables, place, draft, nowMs)
      }
    })
  }

  async prune(beforeMs: number): Promise<void> {
    const old = this.#environment.read((tables) => endedBefore(tables, beforeMs))
    if (old.length === 0) return
    this.#environment.transact((tables) => {
      for (const event of old) tables.sent.removeSync(keyOf(event))
    })
  }

  /** A change of endpoints, after which the accounts that it concerns have their thresholds. */
  #changeArmed(change: (tables: Tables) => Endpoint): Endpoint {
    const count = this.#environment.read((tables) => tables.accounts.getKeysCount())
    const growthBytes = Math.max(1 << 20, count * growthBytesEach)
    return this.#environment.transact((tables) => {
      const endpoint = change(tables)
      for (const account of accountsUnder(tables, endpoint.owner)) armAccount(tables, account)
      return endpoint
    }, growthBytes)
  }
}

function endpointsOf(tables: Tables): Endpoint[] {
  return Array.from(tables.endpoints.getRange(), ({ value }) => value)
}

/** @throws Refusal `ledger-refused` when there is none of that name. */
function endpointAt(tables: Tables, id: string): Endpoint {
  const place = checkedEndpoint(id)
  return found(tables.endpoints.get([place.owner, place.number]), endpointId(place))
}

function putEndpoint(tables: Tables, endpoint: Endpoint): void {
  tables.endpoints.putSync([endpoint.owner, endpoint.number], endpoint)
}

function putPending(tables: Tables, event: OutgoingEvent): void {
  tables.outbox.putSync(keyOf(event), event)
  tables.sent.removeSync(keyOf(event))
}

function keyOf({ owner, number, n }: OutgoingEvent): [number, number, number] {
  return [owner, number, n]
}

function firstKey(tables: Tables, start: [number, number, number]) {
  const [key] = tables.outbox.getKeys({ start, limit: 1 })
  return key
}

function reversed({ start, end }: ReturnType<typeof eventRange>) {
  return { start: end, end: start, reverse: true }
}

function endedBefore(tables: Tables, beforeMs: number): OutgoingEvent[] {
  const old: OutgoingEvent[] = []
  for (const { value: event } of tables.sent.getRange()) {
    if ((event.endedAtMs ?? 0) < beforeMs) old.push(event)
    if (old.length === prunedMax) break
  }
  return old
}

function accountsUnder(tables: Tables, owner: number): readonly Account[] {
  return owner === 0 ? accounts(tables) : [tables.accounts.get(owner)!]
}

/** The keys that expire soon and were not reported with that end. */
function expiringKeys(tables: Tables, nowMs: number) {
  const wanted = endpointsOf(tables).some(({ events }) => events.includes('key.expiring'))
  if (!wanted) return []
  return allKeys(tables).flatMap((key) => {
    const account = tables.accounts.get(key.accountNumber)
    const facts = account && { ...account, isSuspended: isSuspended(account) }
    const expiring = facts && expiringKey(key, facts, nowMs)
    if (expiring === undefined || tables.marks.get(expiring.mark) === expiring.value) return []
    return [expiring]
  })
}

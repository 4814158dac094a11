/**
 * Webhooks of a ledger in a database. One of its services delivers at a time: it holds a row for some
 * seconds and renews that; when it dies, another takes over. Endpoints are locked behind accounts.
 */
import { randomUUID } from 'node:crypto'
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
import { selectAccount } from '../account-rows.ts'
import type { Database, RunStatement } from '../database.ts'
import { alertBalances, endpointsOfAccounts, insertEvents } from '../events/event-rows.ts'
import { databaseMs, selectKeys } from '../key-rows.ts'

const holdMs = 15_000
/** Interval at which the holder renews its hold; ms. */
const renewMs = 4_000
/** Interval of looks while another service delivers, or there is nothing to deliver; ms. */
const restMs = 2_000

/** The webhooks of a database; see `WebhookStore`. */
export class WebhookRows implements WebhookStore {
  readonly #database: Database
  readonly #clock: () => number
  readonly #holder = randomUUID()
  #heldUntilMs = 0
  #lookAtMs = 0

  /** @param clock milliseconds since the epoch. */
  constructor(database: Database, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  readonly nowMs = (): number => this.#clock()

  add(order: EndpointOrder): Promise<Endpoint> {
    return this.#database.transaction(async (query) => {
      const owner = order.account === null ? 0 : (await selectAccount(query, order.account)).number
      const balances = await lockBalances(query, owner)
      const [next] = await query<{ number: number }>("select nextval('webhook_n') as number")
      const existing = await endpointsOfAccounts(query, [owner])
      const endpoint = newEndpoint(order, { owner, number: next!.number }, existing, this.nowMs())
      await query('insert into webhook_endpoint (owner, number, record) values ($1, $2, $3)', [
        ...keyOf(endpoint),
        JSON.stringify(endpoint),
      ])
      await alertBalances(query, balances)
      return endpoint
    })
  }

  list(): Promise<readonly ListedEndpoint[]> {
    return this.#database.transaction(async (query) => {
      const names = await query<{ id: number; name: string }>(
        'select id, name from account where id in (select owner from webhook_endpoint)',
      )
      const nameOf = new Map(names.map(({ id, name }) => [id, name]))
      const all: ListedEndpoint[] = []
      for (const endpoint of await allEndpoints(query)) {
        const [pending] = await query<{ count: number }>(
          `select count(*) as count from webhook_event
           where owner = $1 and number = $2 and ended_at is null`,
          keyOf(endpoint),
        )
        const ended = await query<{ record: string }>(
          `select record from webhook_event where owner = $1 and number = $2 and ended_at is not null
           order by n desc limit ${endedListedMax}`,
          keyOf(endpoint),
        )
        all.push(
          listed(endpoint, ended.map(recordOf<OutgoingEvent>), {
            account: nameOf.get(endpoint.owner) ?? null,
            pending: pending!.count,
          }),
        )
      }
      return all
    })
  }

  endpoint(id: string): Promise<Endpoint> {
    return this.#database.transaction((query) => endpointAt(query, id))
  }

  remove(id: string): Promise<void> {
    return this.#database.transaction(async (query) => {
      const endpoint = await endpointAt(query, id)
      const balances = await lockBalances(query, endpoint.owner)
      await query('delete from webhook_endpoint where owner = $1 and number = $2', keyOf(endpoint))
      await alertBalances(query, balances)
    })
  }

  rotate(id: string, overlapMs: number): Promise<Endpoint> {
    return this.#database.transaction(async (query) => {
      const endpoint = withNewSecret(await endpointAt(query, id), overlapMs, this.nowMs())
      await updateEndpoint(query, endpoint)
      return endpoint
    })
  }

  replay(id: string): Promise<number> {
    return this.#database.transaction(async (query) => {
      const { owner, number, n } = checkedPlace(id)
      const events = await query<{ record: string }>(
        `select record from webhook_event where owner = $1 and number = $2
         and ${n === undefined ? 'ended_at is null and $3::bigint is null' : 'n = $3'} order by n for update`,
        [owner, number, n ?? null],
      )
      const records = events.map(recordOf<OutgoingEvent>)
      if (n !== undefined) found(records[0]?.id === id ? records[0] : undefined, id)
      else await updateEndpoint(query, resumed(await endpointAt(query, id)))
      for (const event of records) await updateEvent(query, rearmed(event))
      return records.length
    })
  }

  /** Asks the database seldom: while this process holds, and while there is nothing to deliver. */
  async hold(): Promise<number> {
    const nowMs = this.nowMs()
    // A clock that was put back causes no wait.
    const isEarly = nowMs < this.#lookAtMs && nowMs > this.#lookAtMs - renewMs
    if (isEarly) return Math.max(0, this.#heldUntilMs - nowMs)
    const rows = await this.#database.query<{ id: number }>(
      `update webhook_hold set holder = $1, until = clock_timestamp() + interval '${holdMs} milliseconds'
       where id = 1 and (holder = $1 or until < clock_timestamp())
         and exists (select 1 from webhook_endpoint) returning id`,
      [this.#holder],
    )
    this.#heldUntilMs = rows.length === 0 ? 0 : nowMs + holdMs
    this.#lookAtMs = nowMs + (rows.length === 0 ? restMs : renewMs)
    return Math.max(0, this.#heldUntilMs - nowMs)
  }

  waiting(): Promise<readonly EndpointPlace[]> {
    return this.#database.query<EndpointPlace>(
      `select distinct owner, number from webhook_event where ended_at is null and next_at <= $1`,
      [this.nowMs()],
    )
  }

  nextDue(place: EndpointPlace, nowMs: number): Promise<DueEvent | undefined> {
    return this.#database.transaction(async (query) => {
      const [stored] = await selectEndpoint(query, place)
      if (stored === undefined || stored.health.pausedAtMs !== null) return undefined
      const [row] = await query<{ record: string }>(
        `select record from webhook_event e
         where owner = $1 and number = $2 and ended_at is null and next_at <= $3
           and not exists (select 1 from webhook_event before where before.owner = e.owner
             and before.number = e.number and before.ended_at is null
             and before.account = e.account and before.n < e.n)
         order by n limit 1`,
        [...keyOf(place), nowMs],
      )
      return row && { event: recordOf<OutgoingEvent>(row), endpoint: stored }
    })
  }

  settle({ event, health }: AfterAttempt): Promise<void> {
    return this.#database.transaction(async (query) => {
      const [endpoint] = await selectEndpoint(query, event, 'for update')
      if (endpoint === undefined) return
      await updateEndpoint(query, { ...endpoint, health })
      await updateEvent(query, event)
    })
  }

  endpoints(): Promise<readonly Endpoint[]> {
    return this.#database.transaction(allEndpoints)
  }

  async mark(name: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ value: string }>(
      'select value from webhook_mark where name = $1',
      [name],
    )
    return row?.value
  }

  note(
    mark: string,
    value: string,
    draftsFor: (endpoint: Endpoint) => readonly EventDraft[],
  ): Promise<void> {
    return this.#database.transaction(async (query) => {
      const endpoints = await allEndpoints(query)
      if (endpoints.length === 0 || !(await takeMark(query, mark, value))) return
      await insertEvents(query, addressedTo(endpoints, draftsFor))
    })
  }

  noteExpiring(): Promise<void> {
    return this.#database.transaction(async (query) => {
      const endpoints = (await allEndpoints(query)).filter(({ events }) =>
        events.includes('key.expiring'),
      )
      if (endpoints.length === 0) return
      const nowMs = await databaseMs(query)
      const accounts = await query<{ id: number; name: string; suspended: boolean }>(
        'select id, name, suspended_at is not null as suspended from account',
      )
      const byName = new Map(accounts.map((account) => [account.name, account]))
      for (const key of await selectKeys(query)) {
        const { id: number, name, suspended: isSuspended } = byName.get(key.account)!
        const expiring = expiringKey(key, { number, name, isSuspended }, nowMs)
        const addressed = expiring && addressedTo(endpoints, () => [expiring.draft])
        if (addressed === undefined || addressed.length === 0) continue
        if (await takeMark(query, expiring!.mark, expiring!.value)) {
          await insertEvents(query, addressed)
        }
      }
    })
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.query('delete from webhook_event where ended_at < $1', [beforeMs])
  }

  /** Lets another service deliver at once. */
  async close(): Promise<void> {
    if (this.#heldUntilMs > 0) {
      const release = "update webhook_hold set until = 'epoch' where holder = $1"
      // If the database is away, the hold ends by itself.
      await this.#database.query(release, [this.#holder]).catch(() => {})
    }
    await this.#database.close()
  }
}

function keyOf({ owner, number }: EndpointPlace): [number, number] {
  return [owner, number]
}

function recordOf<T>({ record }: { readonly record: string }): T {
  return JSON.parse(record)
}

async function allEndpoints(query: RunStatement): Promise<Endpoint[]> {
  const rows = await query<{ record: string }>(
    'select record from webhook_endpoint order by owner, number',
  )
  return rows.map(recordOf<Endpoint>)
}

async function selectEndpoint(
  query: RunStatement,
  place: EndpointPlace,
  lock = '',
): Promise<Endpoint[]> {
  const rows = await query<{ record: string }>(
    `select record from webhook_endpoint where owner = $1 and number = $2 ${lock}`,
    keyOf(place),
  )
  return rows.map(recordOf<Endpoint>)
}

/** Locks it. @throws Refusal `ledger-refused` when there is none of that name. */
async function endpointAt(query: RunStatement, id: string): Promise<Endpoint> {
  const place = checkedEndpoint(id)
  const [endpoint] = await selectEndpoint(query, place, 'for update')
  return found(endpoint, endpointId(place))
}

async function updateEndpoint(query: RunStatement, endpoint: Endpoint): Promise<void> {
  await query('update webhook_endpoint set record = $3 where owner = $1 and number = $2', [
    ...keyOf(endpoint),
    JSON.stringify(endpoint),
  ])
}

async function updateEvent(query: RunStatement, event: OutgoingEvent): Promise<void> {
  await query(
    `update webhook_event set record = $4, next_at = $5, ended_at = $6
     where owner = $1 and number = $2 and n = $3`,
    [...keyOf(event), event.n, JSON.stringify(event), event.nextAtMs, event.endedAtMs],
  )
}

/** False when the mark has this value already. Others that note the same wait until this transaction ends. */
async function takeMark(query: RunStatement, name: string, value: string): Promise<boolean> {
  const changed = await query(
    `insert into webhook_mark (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value
     where webhook_mark.value <> excluded.value returning name`,
    [name, value],
  )
  return changed.length > 0
}

/** The balances of the accounts that an owner's endpoints concern, locked: all of them for the operator. */
async function lockBalances(query: RunStatement, owner: number) {
  const rows = await query<{ id: number; balance: number }>(
    `select id, credited - charged as balance from account where $1 = 0 or id = $1 order by id for update`,
    [owner],
  )
  return rows.map(({ id, balance }) => ({
    accountNumber: id,
    beforeMicroUsd: balance,
    afterMicroUsd: balance,
  }))
}

/**
 * Fills a ledger in PostgreSQL by its SQL: as many accounts as are asked for, each with 50 USD, one credit
 * and one key. The text of a key is known for the accounts that the bench sells to; of the others there are hashes
 * only.
 */
import { keyHash, newKeyText } from '../../src/ledger/key.ts'
import { ask } from '../../test/support/servers/postgresql-server.ts'

/** A statement makes so many accounts. */
const chunk = 500_000
const openedMicroUsd = 50_000_000

/** Fills an empty ledger that has its tables. @returns the keys of the customers, who are spread over all accounts. */
export async function fill(
  ledger: string,
  accounts: number,
  customers: number,
  random: (count: number) => Uint8Array,
): Promise<string[]> {
  for (let first = 1; first <= accounts; first += chunk) {
    await fillFrom(ledger, first, Math.min(accounts, first + chunk - 1))
  }
  const keys = Array.from({ length: customers }, () => newKeyText(random))
  const numbers = keys.map((_, index) => 1 + Math.floor((index * accounts) / customers))
  await ask(
    ledger,
    `update key_secret set hash = known.hash
     from unnest($1::integer[], $2::text[]) as known (account, hash), api_key
     where api_key.account = known.account and key_secret.key_id = api_key.id`,
    [numbers, keys.map(keyHash)],
  )
  for (const table of ['account', 'api_key', 'key_secret', 'credit'])
    await ask(ledger, `vacuum analyze ${table}`)
  return keys
}

async function fillFrom(ledger: string, first: number, last: number): Promise<void> {
  const numbers = `generate_series(${first}, ${last}) as n`
  await ask(
    ledger,
    `insert into account (id, name, created_ms, credited, charged, free, credit_count, changed, recalled)
     select n, 'account-' || n, ${Date.now()}, ${openedMicroUsd}, 0, ${openedMicroUsd}, 1, 1, 0 from ${numbers}`,
  )
  await ask(
    ledger,
    `insert into credit (account, n, at_ms, kind, amount)
     select n, 1, ${Date.now()}, 'opening', ${openedMicroUsd} from ${numbers}`,
  )
  await ask(
    ledger,
    `insert into api_key (id, account, created_ms, changed)
     select 'key_' || lpad(n::text, 10, '0'), n, ${Date.now()}, 0 from ${numbers}`,
  )
  await ask(
    ledger,
    `insert into key_secret (hash, key_id, created_ms)
     select encode(sha256(n::text::bytea), 'hex'), 'key_' || lpad(n::text, 10, '0'), ${Date.now()}
     from ${numbers}`,
  )
}

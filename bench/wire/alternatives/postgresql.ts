/**
 * Records in PostgreSQL: an index for every look-up, rankings and peers as computed beforehand, and
 * its full text search for words. Statements are prepared, connections are kept.
 */
import pg from 'pg'
import type { Items } from './items.ts'
import type { Records } from './records.ts'

const connections = 10
const rowsPerCommand = 2000
const listLength = 50

const schema = `
  create table authority (
    ordinal int primary key, sdu text not null, head text not null, tail text not null,
    profile text not null, words tsvector not null);
  create table topic (key text primary key, members int[] not null);
  create table handle (
    key text primary key, owners int[] not null, ranks int[] not null, peers int[] not null);
`

const indexes = `
  create unique index on authority (sdu);
  create index on authority using gin (words);
  analyze;
`

/** Items of a list of ordinals in its order. */
const listed = (list: string, from: string) => `
  select a.head || p.rank || a.tail as item
  from ${from}, unnest(${list}) with ordinality as p (ordinal, rank)
  join authority a using (ordinal) where key = $1 order by p.rank limit $2`

const statements = {
  topic: listed('members', 'topic'),
  peers: listed('peers', 'handle'),
  words: `
    select head || row_number() over (order by ordinal) || tail as item from (
      select * from authority where words @@ plainto_tsquery('simple', $1)
      order by ordinal limit $2) found`,
  detail: 'select profile as item from authority where sdu = $1',
  match: `
    select a.head || p.rank || a.tail as item
    from handle, unnest(owners, ranks) as p (ordinal, rank)
    join authority a using (ordinal) where key = $1 order by ordinal`,
} as const

/** Fills the PostgreSQL server whose socket is in a directory. */
export async function openPostgresql(items: Items, directory: string): Promise<Records> {
  const pool = new pg.Pool({
    host: directory,
    user: 'bench',
    database: 'postgres',
    max: connections,
  })
  // A connection that the server closes at its end is no error of the request it is not used for.
  pool.on('error', () => {})
  await pool.query(schema)
  await fill(pool, items)
  await pool.query(indexes)
  const ask = async (name: keyof typeof statements, ...values: unknown[]) => {
    const { rows } = await pool.query<[string]>({
      name,
      text: statements[name],
      values,
      rowMode: 'array',
    })
    return rows.map(([item]) => item).join(',')
  }
  return {
    search: async (query, limit) =>
      (await ask('topic', query.toLowerCase(), limit)) || (await ask('words', query, limit)),
    detail: (sdu) => ask('detail', sdu),
    peers: (handle, limit) => ask('peers', handle.toLowerCase(), limit),
    match: (handle) => ask('match', handle.toLowerCase()),
  }
}

async function fill(pool: pg.Pool, items: Items): Promise<void> {
  await insert(
    pool,
    `insert into authority select ordinal, sdu, head, tail, profile, to_tsvector('simple', words)`,
    { ordinal: 'int', sdu: 'text', head: 'text', tail: 'text', profile: 'text', words: 'text' },
    authorityRows(items),
  )
  await insert(
    pool,
    'insert into topic select key, members::int[]',
    { key: 'text', members: 'text' },
    topicRows(items),
  )
  await insert(
    pool,
    'insert into handle select key, owners::int[], ranks::int[], peers::int[]',
    { key: 'text', owners: 'text', ranks: 'text', peers: 'text' },
    handleRows(items),
  )
}

function* authorityRows(items: Items): Iterable<unknown[]> {
  let ordinal = 0
  for (const { sdu, summary, profile, text } of items.authorities()) {
    yield [ordinal++, sdu, ...summary, profile, text]
  }
}

function* topicRows(items: Items): Iterable<unknown[]> {
  for (const key of items.topicKeys()) yield [key, arrayOf(items.membersOf(key, listLength))]
}

function* handleRows(items: Items): Iterable<unknown[]> {
  for (const handle of items.handles()) {
    const owners = items.ownersOf(handle)
    const ordinals = owners.map(({ ordinal }) => ordinal)
    const ranks = owners.map(({ rank }) => rank)
    yield [handle, arrayOf(ordinals), arrayOf(ranks), arrayOf(items.peersOf(handle, listLength))]
  }
}

/** As PostgreSQL writes an array. */
function arrayOf(numbers: ArrayLike<number>): string {
  return `{${Array.from(numbers).join(',')}}`
}

/** Inserts rows, many a command: each column is sent as one array. */
async function insert(
  pool: pg.Pool,
  command: string,
  columns: Readonly<Record<string, 'int' | 'text'>>,
  rows: Iterable<unknown[]>,
): Promise<void> {
  const names = Object.keys(columns)
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
  const text = `${command} from unnest(${arrays.join(', ')}) as row (${names.join(', ')})`
  const flush = async (batch: readonly unknown[][]) => {
    await pool.query(
      text,
      names.map((_, column) => batch.map((row) => row[column])),
    )
  }
  let batch: unknown[][] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < rowsPerCommand) continue
    await flush(batch)
    batch = []
  }
  if (batch.length > 0) await flush(batch)
}

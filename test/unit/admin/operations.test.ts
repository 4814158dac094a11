/** Every operation of the admin API, by its table: scope, place of what is wrong, idempotency, log, schema. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { type AdminOperationName, servedOperations } from '../../../src/admin/operations.ts'
import { adminScopes } from '../../../src/admin-scopes.ts'
import { readRemovals } from '../../../src/snapshot/store/removals.ts'
import { heldBack, pointers } from '../../../src/snapshot/store/states.ts'
import { recordRemoval } from '../../../src/sync/removals/forgetting.ts'
import { recordCorrection } from '../../../src/sync/removals/recorded-corrections.ts'
import { type Asked, newAdmin } from '../../support/administered.ts'
import { temporaryDirectory } from '../../support/ledger-fixture.ts'
import { newScene, type Scene } from '../../support/operated.ts'
import { sectionsOf } from '../../support/table-sections.ts'

type Admin = Awaited<ReturnType<typeof newAdmin>>

/** By its name an operation that is asked rightly, and what is wrong or logged of one that changes something. */
const [{ rows } = { rows: [] }] = sectionsOf(new URL('operations.tsv', import.meta.url))
const samples = new Map(
  rows.map(([name, target = '', body, wrong, place, action]) => {
    const [right, not] = [body, wrong].map((text) => JSON.parse(text || '{}'))
    return [name, { target, body: right, wrong: not, place, action }]
  }),
)

/** Two snapshots, the first of which is announced. */
let scene: Scene
beforeAll(() => {
  scene = newScene(mkdtempSync(join(tmpdir(), 'scene-')))
})
afterAll(() => rmSync(scene.directory, { recursive: true }))

/** A ledger with an account, a suspended one, and a key; a directory with a removal, a pin and a sync held back. */
async function prepared() {
  const { directory: whole, first, second: snapshotId } = scene
  const directory = temporaryDirectory()
  cpSync(whole, directory, { recursive: true })
  const admin = await newAdmin(directory)
  const removal = { removalKey: '', sdu: '999', reason: 'asked', force: true, clock: Date.now }
  await recordRemoval({ snapshots: directory, ...removal })
  pointers.PINNED.write(directory, first)
  const held = { reason: 'half is gone', at: '2026-07-28', sourceFingerprint: 'sha256:one' }
  heldBack.write(directory, held)
  const removalId = readRemovals(directory).idOf('999')
  const letter = { set: { name: 'Other' }, source: 'a letter', date: '2026-11-01', force: true }
  const recorded = await recordCorrection(directory, { sdu: '3', ...letter }, Date.now)
  const correctionId = recorded.id
  await admin.books.createAccount('acme')
  await admin.books.createAccount('stopped')
  await admin.books.suspend('stopped')
  const issued = await admin.books.issueKey({ account: 'acme' })
  const ids = { keyId: issued.record.id, removalId, correctionId }
  const there = { ...ids, snapshotId, snapshotStart: snapshotId.slice(0, 8) }
  const send = (name: AdminOperationName, asked: Asked = {}) => {
    const { method } = served.get(name)!
    const { target, body } = samples.get(name)!
    const place = target.replace(/\{(\w+)\}/, (_, what: keyof typeof there) => there[what])
    return admin.ask(method, place, { body, ...asked })
  }
  return { admin, send }
}

const served = new Map(servedOperations)
const servedNames = [...served.keys()]
const changes = servedNames.filter((name) => served.get(name)!.method === 'POST')

async function entriesOf({ books }: Admin) {
  return books.trail({ limit: 1_000 })
}

describe.each(servedNames)('%s', (name) => {
  const { scope, result } = served.get(name)!

  it('answers as its schema says', async () => {
    const { admin, send } = await prepared()
    const { status, json, headers } = await send(name)
    expect({ status, json, errors: admin.errors }).toMatchObject({ status: 200, errors: [] })
    const strict = result as z.ZodObject
    expect(strict.strict().safeParse(json).error).toBeUndefined()
    expect(headers['Cache-Control']).toBe('no-store')
  })

  it('needs its scope, and no other', async () => {
    const { admin, send } = await prepared()
    const others = adminScopes.filter((each) => each !== scope)
    const before = (await entriesOf(admin)).length
    const refused = await send(name, { key: await admin.keyOf(others) })
    expect(refused.json).toMatchObject({
      status: 403,
      type: 'urn:authority-index:problem:scope-missing',
      detail: `this needs the scope ${scope}`,
    })
    expect((await entriesOf(admin)).length).toBe(before + 1)
    expect((await send(name, { key: await admin.keyOf([scope]) })).status).toBe(200)
  })
})

describe.each(changes)('%s, which changes something,', (name) => {
  it('names the place that is wrong in its body, and changes nothing', async () => {
    const { admin, send } = await prepared()
    const before = await entriesOf(admin)
    const { body, wrong, place } = samples.get(name)!
    const { json } = await send(name, { body: wrong })
    expect(json).toMatchObject({
      status: 400,
      type: 'urn:authority-index:problem:invalid-parameter',
    })
    expect(json.detail).toContain(place)
    const unknown = await send(name, { body: { ...body, surplus: 1 } })
    expect(unknown.json.detail).toContain('surplus')
    expect(await entriesOf(admin)).toEqual(before)
  })

  it('is made once under an Idempotency-Key; a repeat is a 409 with the ids of what was made', async () => {
    const { admin, send } = await prepared()
    const first = await send(name, { idempotencyKey: 'one' })
    expect(first.status).toBe(200)
    const entries = await entriesOf(admin)
    const again = await send(name, { idempotencyKey: 'one' })
    expect(again.json).toMatchObject({
      status: 409,
      type: 'urn:authority-index:problem:made-before',
    })
    const ids = Object.entries(again.json.made)
    const isNamed = name !== 'unpinSnapshot' && name !== 'releaseHeldBack'
    expect(ids).toHaveLength(isNamed ? 1 : 0)
    for (const [id, made] of ids) expect(made).toBe(first.json[id] ?? made)
    expect(JSON.stringify(again.json)).not.toMatch(/aik_/)
    expect(await entriesOf(admin)).toEqual(entries)
    const other = await admin.ask('POST', '/accounts', {
      body: { account: 'another' },
      idempotencyKey: 'one',
    })
    expect(other.json).toMatchObject({ status: 422 })
  })

  it('is in the audit log with the admin key, the address, and what was before and after', async () => {
    const { admin, send } = await prepared()
    await send(name)
    const [entry] = await entriesOf(admin)
    const [adminKey] = await admin.books.listAdminKeys()
    expect(entry).toMatchObject({ actor: adminKey!.id, from: '127.0.0.1' })
    expect(entry!.action).toBe(samples.get(name)!.action)
    expect(entry!.before).not.toEqual(entry!.after)
    expect((await admin.books.audit()).contradictions).toEqual([])
  })
})

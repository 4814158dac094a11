/** What a service says of real syncs that succeed, find nothing new, fail and are held back, and which alerts fire then. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { alertRules, firing } from '../../../support/alert-rules.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { startService } from '../../../support/program.ts'
import { sourceOf, sync } from '../../../support/synced.ts'

const days = 86_400_000

async function newScene() {
  const directory = temporaryDirectory()
  const snapshots = join(directory, 'snapshots')
  const service = await startService(directory, ['--poll-interval', '1'])
  onTestFinished(() => service.stop('SIGKILL').then(() => {}))
  const metrics = async () => (await fetch(`${service.address}/metrics`)).text()
  return {
    ...{ directory, snapshots, service, metrics },
    alerts: async () => {
      const after = await metrics()
      return firing({ before: after, after, seconds: 60 })
    },
    syncedAtMs: () => Date.parse(readFileSync(join(snapshots, 'SYNCED'), 'utf8').trim()),
  }
}

it('a service has every metric that an alert names, and tells a sync that found nothing from one that is held back', async () => {
  const { directory, snapshots, service, metrics, alerts, syncedAtMs } = await newScene()
  const source = sourceOf(100)
  // What follows is compared with what this sync publishes, not with the default snapshot.
  expect((await sync(source, snapshots, '--force')).exitCode).toBe(0)
  await expect.poll(metrics).toMatch(/^authority_index_sync_age_seconds \d/m)
  const names = [...(await metrics()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  const named = alertRules.flatMap(({ expr }) => expr.match(/authority_index_[a-z_]+/g)!)
  const known = named.map((name) => name.replace(/_bucket$/, ''))
  expect(known.filter((name) => !names.includes(name))).toEqual([])
  expect(await alerts()).toEqual([])

  const threeDaysAgo = Date.now() - 3 * days
  writeFileSync(join(snapshots, 'SYNCED'), `${new Date(threeDaysAgo).toISOString()}\n`)
  await expect.poll(alerts).toEqual(['AuthorityIndexSyncOld'])
  const { stdout } = await sync(source, snapshots)
  expect(JSON.parse(stdout).published).toBe(false)
  expect(syncedAtMs()).toBeGreaterThan(threeDaysAgo)
  await expect.poll(alerts).toEqual([])
  const lastSync = new Date(syncedAtMs()).toISOString()
  await expect
    .poll(async () => (await fetch(`${service.address}/readyz`)).json())
    .toMatchObject({ last_sync: lastSync })

  const before = syncedAtMs()
  expect((await sync(sourceOf(10, [], 'Other'), snapshots)).exitCode).not.toBe(0)
  await expect.poll(alerts).toEqual(['AuthorityIndexSyncHeldBack'])
  expect((await sync(join(directory, 'nothing'), snapshots)).exitCode).not.toBe(0)
  expect(syncedAtMs()).toBe(before)
  expect((await sync(source, snapshots)).exitCode).toBe(0)
  await expect.poll(alerts).toEqual([])
  expect(syncedAtMs()).toBeGreaterThan(before)

  rmSync(join(snapshots, 'SYNCED'))
  await expect.poll(metrics).not.toMatch(/^authority_index_sync_age_seconds \d/m)
}, 120_000)

it('a service with TLS says when its certificate ends', async () => {
  const certificate = join(import.meta.dirname, '..', '..', '..', 'support', 'certificate.pem')
  const words = ['--tls-cert', certificate, '--tls-key', certificate.replace('.pem', '-key.pem')]
  const service = await startService(temporaryDirectory(), words)
  onTestFinished(() => service.stop('SIGKILL').then(() => {}))
  const told = await new Promise<string>((resolve, reject) => {
    const order = { rejectUnauthorized: false, agent: false as const }
    get(`${service.address}/metrics`, order, (reply) => resolve(text(reply))).on('error', reject)
  })
  expect(told).toMatch(/^authority_index_certificate_left_seconds -?\d/m)
}, 60_000)

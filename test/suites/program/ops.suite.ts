/** What operators take from `ops/` names nothing that the program does not have. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { type SettingName, settings, variableOf } from '../../../src/settings.ts'
import { defaultSnapshots, run } from '../../support/program.ts'
import { sharedService } from '../../support/shared.ts'

const ops = join(import.meta.dirname, '..', '..', '..', 'ops')

/** The metrics that a text names; a histogram by the name that its buckets go by. */
function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\bauthority_index_[a-z_]+/g))].sort()
}

describe('of the metrics of a running service', () => {
  const service = sharedService()

  it.each(['grafana-dashboard.json', 'alerts.yaml'])(
    '%s names only what there is',
    async (file) => {
      const named = metricsIn(readFileSync(join(ops, file), 'utf8'))
      expect(named.length).toBeGreaterThan(5)
      const told = metricsIn(await (await fetch(`${service.address}/metrics`)).text())
      expect(named.filter((name) => !told.includes(name))).toEqual([])
    },
  )
})

it('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(readFileSync(join(ops, 'grafana-dashboard.json'), 'utf8'))
  for (const { type, title, targets } of panels) {
    if (type === 'row') continue
    expect(targets.map(({ expr }: { expr: string }) => expr).join(), title).toContain('$job')
  }
})

interface Composed {
  readonly image: string
  readonly command?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
  readonly [setting: string]: unknown
}

describe.each(['compose.yaml', 'ops/compose-fleet.yaml'])('%s', (file) => {
  const path = join(ops, '..', file)
  const document = parseDocument(readFileSync(path, 'utf8'), { merge: true })
  const { services, volumes } = document.toJS() as {
    services: Readonly<Record<string, Composed>>
    volumes: Readonly<Record<string, unknown>>
  }
  const ours = Object.values(services).filter(({ image }) => /^\$\{IMAGE:/.test(image))

  it('is YAML without a fault, of services with images and of volumes that are there', () => {
    expect([document.errors, document.warnings]).toEqual([[], []])
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? [])
    const [folders, named] = [/^[.$]/, /^[a-z]/].map((shape) =>
      mounted.filter((each) => shape.test(each)).map((each) => each.split(':')[0]!),
    )
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
    for (const folder of folders!.filter((each) => each.startsWith('.'))) {
      expect(existsSync(join(dirname(path), folder))).toBe(true)
    }
    expect(Object.values(services).filter(({ image }) => typeof image !== 'string')).toEqual([])
  })

  it('is reached from this computer alone unless somebody says otherwise', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(published.length).toBeGreaterThan(0)
    for (const port of published) expect(port).toMatch(/^\$\{ADDRESS:-127\.0\.0\.1\}:/)
  })

  it('starts nothing behind a service that is not there', () => {
    const awaited = Object.values(services).flatMap(({ depends_on: on = [] }) =>
      Array.isArray(on) ? on : Object.keys(on),
    )
    expect(awaited.length).toBeGreaterThan(0)
    expect(awaited.filter((name) => !(name in services))).toEqual([])
  })

  it('runs the program as its image is made to run, with settings that there are', () => {
    expect(ours.length).toBeGreaterThan(1)
    const known = (Object.keys(settings) as SettingName[]).map(variableOf)
    for (const { read_only: readOnly, cap_drop: dropped, environment = {}, security_opt } of ours) {
      expect([readOnly, dropped, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']])
      const given = Object.keys(environment).filter((name) => name.startsWith('AUTHORITY_INDEX_'))
      expect(given.filter((name) => !known.includes(name))).toEqual([])
    }
  })

  it('starts and asks the program by commands that there are', async () => {
    const variables = { AUTHORITY_INDEX_SNAPSHOTS: defaultSnapshots }
    for (const { command = [], healthcheck } of ours) {
      expect(await run([...command, '--help'])).toMatchObject({ exitCode: 0, stderr: '' })
      if (healthcheck === undefined) continue
      const [, , ...asked] = healthcheck.test
      expect(await run(asked, { variables })).toMatchObject({ exitCode: 0, stderr: '' })
    }
  })
})

it('the proxy of a fleet knows the services that are composed, and no other', () => {
  const proxy = readFileSync(join(ops, 'haproxy-fleet.cfg'), 'utf8')
  const servers = [...proxy.matchAll(/^ {4}server \w+ ([\w-]+):8080$/gm)].map(([, name]) => name)
  const { services } = parseDocument(readFileSync(join(ops, 'compose-fleet.yaml'), 'utf8'), {
    merge: true,
  }).toJS()
  expect(servers).toEqual(Object.keys(services).filter((name) => /^service-/.test(name)))
})

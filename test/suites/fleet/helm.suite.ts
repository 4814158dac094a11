/** The chart as Helm renders it: linted, and what comes of each of its sets of values. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { commandTable } from '../../../src/commands/line/command-table.ts'
import { variableOf } from '../../../src/settings.ts'

const root = join(import.meta.dirname, '..', '..', '..')

// biome-ignore lint/suspicious/noExplicitAny: what Kubernetes takes is a world of its own
type KubernetesObject = any

/** The objects of each set of values, by their kinds and names. */
type Rendered = Readonly<Record<string, Readonly<Record<string, KubernetesObject>>>>

function renderedIn(directory: string): Rendered {
  const sets = ['one', 'alone', 'fleet', 'made'].map((set) => {
    const documents = parseAllDocuments(readFileSync(join(directory, `${set}.yaml`), 'utf8'))
    const objects = documents.flatMap((document) => {
      expect(document.errors).toEqual([])
      const object = document.toJS() as KubernetesObject
      return object === null ? [] : [[`${object.kind}/${object.metadata.name}`, object]]
    })
    return [set, Object.fromEntries(objects)]
  })
  return Object.fromEntries(sets)
}

const name = 'people-authority-index'

describe('the chart', () => {
  let rendered: Rendered
  beforeAll(() => {
    const directory = mkdtempSync(join(tmpdir(), 'helm-'))
    const { status, stderr } = spawnSync(join(root, 'scripts', 'lint-helm.sh'), [directory], {
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    rendered = renderedIn(directory)
    rmSync(directory, { recursive: true })
  }, 300_000)

  /** The pods of a set of values: of the services, and of the sync where there is one. */
  function podsOf(set: string): KubernetesObject[] {
    const objects = Object.values(rendered[set]!)
    return objects.flatMap(({ kind, spec }) => {
      if (kind === 'StatefulSet') return [spec.template]
      return kind === 'CronJob' ? [spec.jobTemplate.spec.template] : []
    })
  }

  function variablesOf(set: string, kind: 'service' | 'sync'): Record<string, unknown> {
    const containers = podsOf(set).flatMap(({ spec }) => spec.containers)
    const { env } = containers.find(({ name }: KubernetesObject) => name === kind)
    const names = env.map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(names.length)
    return Object.fromEntries(
      env.map((each: KubernetesObject) => [each.name, each.value ?? each.valueFrom.secretKeyRef]),
    )
  }

  it('makes the objects that a set of values wants, and no others', () => {
    const kinds = (set: string) => Object.keys(rendered[set]!).sort()
    expect(kinds('one')).toEqual([`Service/${name}`, `Service/${name}-pods`, `StatefulSet/${name}`])
    const fleet = [
      `CronJob/${name}-sync`,
      `NetworkPolicy/${name}`,
      `NetworkPolicy/${name}-sync`,
      `PersistentVolumeClaim/${name}-sync`,
      `PodDisruptionBudget/${name}`,
      `Service/${name}`,
      `Service/${name}-pods`,
      `ServiceAccount/${name}`,
      `StatefulSet/${name}`,
    ]
    expect(kinds('fleet')).toEqual(fleet)
    const secrets = [`Secret/${name}-ledger`, `Secret/${name}-object-storage`]
    expect(kinds('made')).toEqual([...fleet, ...secrets].sort())
  })

  it('brings alerts and dashboard as they are in ops, a monitor of every pod, and an Ingress, if asked', () => {
    const { alone, fleet } = rendered
    const ops = (file: string) => readFileSync(join(root, 'ops', file), 'utf8')
    const { spec: rules } = alone![`PrometheusRule/${name}`]
    expect(rules).toEqual(parse(ops('alerts.yaml')))
    const { data, metadata } = alone![`ConfigMap/${name}-dashboard`]
    expect(data['authority-index.json'].trim()).toBe(ops('grafana-dashboard.json').trim())
    expect(metadata.labels.grafana_dashboard).toBe('1')
    const monitor = alone![`ServiceMonitor/${name}`]
    expect(monitor.metadata.labels.release).toBe('prometheus')
    const pods = alone![`Service/${name}-pods`]
    expect(pods.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
    expect(pods.spec.ports.map((port: KubernetesObject) => port.name)).toContain(
      monitor.spec.endpoints[0].port,
    )
    const [rule] = alone![`Ingress/${name}`].spec.rules
    expect(rule.host).toBe('people.example.com')
    expect(rule.http.paths[0].backend.service).toEqual({ name, port: { name: 'http' } })
    const kinds = Object.keys(fleet!).join()
    expect(kinds).not.toMatch(/Ingress|ServiceMonitor|PrometheusRule|ConfigMap/)
  })

  it('runs every container as the image is made to run', () => {
    for (const set of ['one', 'alone', 'fleet', 'made']) {
      for (const { spec } of podsOf(set)) {
        const ids = { runAsUser: 10_001, runAsGroup: 10_001, fsGroup: 10_001 }
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, ...ids })
        expect(spec.automountServiceAccountToken).toBe(false)
        for (const { securityContext } of spec.containers) {
          expect(securityContext).toEqual({
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          })
        }
      }
    }
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('USER 10001')
  })

  it('gives settings by variables that the program reads', () => {
    const known = (settings: readonly string[]) =>
      settings.map((setting) => variableOf(setting as Parameters<typeof variableOf>[0]))
    const readers = { service: commandTable.serve, sync: commandTable.sync }
    for (const [set, kind] of [
      ['one', 'service'],
      ['alone', 'service'],
      ['alone', 'sync'],
      ['fleet', 'service'],
      ['fleet', 'sync'],
      ['made', 'service'],
      ['made', 'sync'],
    ] as const) {
      const names = Object.keys(variablesOf(set, kind)).filter((each) => !each.startsWith('AWS_'))
      const unknown = names.filter((each) => !known(readers[kind].settings).includes(each))
      expect([set, kind, unknown]).toEqual([set, kind, []])
    }
  })

  it('takes secrets from where the values say', () => {
    expect(variablesOf('fleet', 'service')).toEqual({
      AUTHORITY_INDEX_FOLLOW: 's3://people/snapshots',
      AUTHORITY_INDEX_OPS_PORT: '9090',
      AUTHORITY_INDEX_LEDGER: { name: 'people-ledger', key: 'uri' },
      AUTHORITY_INDEX_ACTIVATE_AFTER: '30s',
      AUTHORITY_INDEX_FIRST_ACCOUNT: 'none',
      AUTHORITY_INDEX_MCP_IN_FLIGHT_MAX: '32',
      AUTHORITY_INDEX_RATE_LIMIT: '50',
      AUTHORITY_INDEX_TRUSTED_PROXIES: '10.0.0.0/8',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: { name: 'people-storage', key: 'AWS_ACCESS_KEY_ID' },
      AWS_SECRET_ACCESS_KEY: { name: 'people-storage', key: 'AWS_SECRET_ACCESS_KEY' },
    })
    expect(variablesOf('fleet', 'sync')).toMatchObject({
      AUTHORITY_INDEX_PUBLISH: 's3://people/snapshots',
      AUTHORITY_INDEX_SOURCE: { name: 'people-records', key: 'uri' },
      AUTHORITY_INDEX_GATE: 'reject-share-max=0.05',
    })
    expect(variablesOf('made', 'service')).toMatchObject({
      AWS_ENDPOINT_URL_S3: 'http://minio:9000',
      AUTHORITY_INDEX_LEDGER: { name: `${name}-ledger`, key: 'ledger' },
    })
    expect(variablesOf('one', 'service').AUTHORITY_INDEX_LEDGER).toBeUndefined()
    const { stringData } = rendered.made![`Secret/${name}-object-storage`]
    expect(stringData.AWS_SECRET_ACCESS_KEY).toBe('not: a secret')
  })

  it('finds its own pods: by the services, the budget and the network policies', () => {
    const labelsOf = (kind: string) =>
      podsOf('fleet').find(({ spec }) => spec.containers[0].name === kind).metadata.labels
    const { fleet } = rendered
    const selectors = {
      service: [
        fleet![`StatefulSet/${name}`].spec.selector.matchLabels,
        fleet![`Service/${name}`].spec.selector,
        fleet![`Service/${name}-pods`].spec.selector,
        fleet![`PodDisruptionBudget/${name}`].spec.selector.matchLabels,
        fleet![`NetworkPolicy/${name}`].spec.podSelector.matchLabels,
      ],
      sync: [fleet![`NetworkPolicy/${name}-sync`].spec.podSelector.matchLabels],
    }
    for (const selector of selectors.service) {
      expect(labelsOf('service')).toMatchObject(selector)
      expect(labelsOf('sync')).not.toMatchObject(selector)
    }
    for (const selector of selectors.sync) expect(labelsOf('sync')).toMatchObject(selector)
  })
})

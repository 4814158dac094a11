/** The ceiling, the service, nginx and FlexSearch, all started before anything is measured. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Children } from '../../test/support/processes/children.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import type { Workload } from '../shared/data/workloads.ts'
import type { Answer } from './answer.ts'
import { startNginx } from './nginx.ts'

export const targetNames = {
  ceiling: 'ceiling',
  service: 'authority-index',
  nginx: 'nginx, static file',
  flexsearch: 'Fastify + FlexSearch',
} as const

export type TargetKind = keyof typeof targetNames

export interface Target {
  readonly kind: TargetKind
  readonly port: number
  /** Of the one process that answers; undefined where several do. */
  readonly pid?: number
  /** Gets ready for a workload with a typical answer to it; answers the file of paths to ask for. */
  readonly aim: (workload: Workload, typical: Answer) => Promise<string>
}

export interface Stand {
  readonly targets: readonly Target[]
  readonly key: string
  readonly left: readonly string[]
}

interface StandOptions {
  readonly snapshots: string
  readonly kinds: readonly TargetKind[]
  readonly cores: string | undefined
}

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url)

/** Starts the targets, one after the other. Those whose program is not installed are left out. */
export async function startTargets(children: Children, options: StandOptions): Promise<Stand> {
  const { snapshots, kinds, cores } = options
  const { child, port, key } = await startRichService(children, { snapshots, threads: 1, cores })
  const service: Target = {
    kind: 'service',
    port,
    pid: child.process.pid!,
    aim: ownPaths,
  }
  const targets = [await startCeiling(children, cores), service]
  const left: string[] = []
  for (const [kind, { start, hint }] of Object.entries(others)) {
    if (!kinds.includes(kind as TargetKind)) continue
    const target = await start(children, snapshots, cores)
    if (target !== undefined) targets.push(target)
    else left.push(`${targetNames[kind as TargetKind]} is left out: ${hint}`)
  }
  return { targets, key, left }
}

const ownPaths: Target['aim'] = async ({ file }) => file

async function startCeiling(children: Children, cores: string | undefined): Promise<Target> {
  const ceiling = children.startScript('ceiling', script('ceiling-program'), [], cores)
  const { port } = JSON.parse(await ceiling.firstLine())
  const aim: Target['aim'] = async ({ file }, typical) => {
    await ceiling.ask(typical)
    return file
  }
  return { kind: 'ceiling', port, pid: ceiling.process.pid!, aim }
}

type Start = (
  children: Children,
  snapshots: string,
  cores: string | undefined,
) => Promise<Target | undefined>

/** The ones that can be left out, each with how to have it. */
const others: Readonly<Record<string, { start: Start; hint: string }>> = {
  nginx: { start: startStatic, hint: 'apt-get install nginx' },
  flexsearch: { start: startFlexsearch, hint: 'npm install' },
}

/** A file as large as the typical answer stands for every path of a workload. */
async function startStatic(...[children, , cores]: Parameters<Start>): Promise<Target | undefined> {
  const nginx = await startNginx(children, cores)
  if (nginx === undefined) return undefined
  const aim: Target['aim'] = async ({ name }, { body }) => {
    const path = `${name.replace(/\W+/g, '-')}.json`
    writeFileSync(join(nginx.files, path), body)
    const paths = join(children.directory, `${path}.paths`)
    writeFileSync(paths, `/${path}\n`)
    return paths
  }
  return { kind: 'nginx', port: nginx.port, aim }
}

async function startFlexsearch(
  ...[children, snapshots, cores]: Parameters<Start>
): Promise<Target> {
  const program = script('flexsearch-program')
  const server = children.startScript('flexsearch', program, [snapshots], cores)
  const { port } = JSON.parse(await server.firstLine())
  return { kind: 'flexsearch', port, aim: ownPaths }
}

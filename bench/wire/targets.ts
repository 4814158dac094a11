/** The ceiling, the service, nginx and FlexSearch, all started before anything is measured. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Children, findProgram } from '../../test/support/processes/children.ts'
import { freePort, isListening } from '../../test/support/processes/free-port.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import type { Workload } from '../shared/data/workloads.ts'
import type { Answer } from './answer.ts'

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
  const service: Target = { kind: 'service', port, pid: child.process.pid!, aim: ownPaths }
  const targets = [await startCeiling(children, cores), service]
  const nginx = kinds.includes('nginx') ? await startNginx(children, cores) : undefined
  if (nginx !== undefined) targets.push(nginx)
  if (kinds.includes('flexsearch')) targets.push(await startFlexsearch(children, snapshots, cores))
  const isLeft = kinds.includes('nginx') && nginx === undefined
  const left = isLeft ? [`${targetNames.nginx} is left out: apt-get install nginx`] : []
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

/**
 * nginx with one worker, serving static files: what a web server does without any work. A file as large as the typical
 * answer stands for every path of a workload.
 */
async function startNginx(
  children: Children,
  cores: string | undefined,
): Promise<Target | undefined> {
  const command = findProgram('nginx')
  if (command === undefined) return undefined
  const prefix = join(children.directory, 'nginx')
  const files = join(prefix, 'files')
  mkdirSync(files, { recursive: true })
  const port = await freePort()
  const configuration = join(prefix, 'nginx.conf')
  writeFileSync(configuration, configurationOf(port))
  const args = ['-p', prefix, '-c', configuration, '-e', 'stderr']
  const nginx = children.start({ name: 'nginx', command, args, cores })
  await nginx.until(() => isListening(port))
  const aim: Target['aim'] = async ({ name }, { body }) => {
    const path = `${name.replace(/\W+/g, '-')}.json`
    writeFileSync(join(files, path), body)
    const paths = join(children.directory, `${path}.paths`)
    writeFileSync(paths, `/${path}\n`)
    return paths
  }
  return { kind: 'nginx', port, aim }
}

/** The worker is the process itself, so that ending it leaves none behind. */
function configurationOf(port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off; master_process off; worker_processes 1; pid nginx.pid;
    events { worker_connections 4096; multi_accept on; }
    http {
      ${temporary.map((kind) => `${kind}_temp_path ${kind};`).join(' ')}
      access_log off; types { application/json json; }
      sendfile on; tcp_nopush on; tcp_nodelay on;
      keepalive_timeout 1h; keepalive_requests 1000000000;
      open_file_cache max=1000 inactive=1h; open_file_cache_valid 1h;
      server { listen 127.0.0.1:${port} backlog=4096; root files; }
    }`
}

async function startFlexsearch(
  children: Children,
  snapshots: string,
  cores: string | undefined,
): Promise<Target> {
  const program = script('flexsearch-program')
  const server = children.startScript('flexsearch', program, [snapshots], cores)
  const { port } = JSON.parse(await server.firstLine())
  return { kind: 'flexsearch', port, aim: ownPaths }
}

/**
 * What is measured, side by side: the ceiling, the service and FlexSearch, each on a port of this machine, all started
 * before anything is measured.
 */
import type { Children } from '../../test/support/processes/children.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import type { Answer } from './answer.ts'

/** The names as they stand in the tables. */
export const targetNames = {
  ceiling: 'ceiling',
  service: 'authority-index',
  flexsearch: 'Fastify + FlexSearch',
} as const

/** The kind of a target. */
export type TargetKind = keyof typeof targetNames

/** Something that answers requests. */
export interface Target {
  readonly kind: TargetKind
  readonly port: number
  readonly pid: number
  /** Gets ready to be asked, with a typical answer. */
  readonly aim: (typical: Answer) => Promise<unknown>
}

/** The targets, and the key that the service takes. */
export interface Stand {
  readonly targets: readonly Target[]
  readonly key: string
}

/** What to start, and where. */
interface StandOptions {
  readonly snapshots: string
  readonly withFlexsearch: boolean
  /** The cores of all targets; all when undefined. */
  readonly cores: string | undefined
}

const script = (name: string) => new URL(`./${name}.ts`, import.meta.url)

/** Starts the targets, one after the other. */
export async function startTargets(children: Children, options: StandOptions): Promise<Stand> {
  const { snapshots, withFlexsearch, cores } = options
  const { child, port, key } = await startRichService(children, { snapshots, threads: 1, cores })
  const service: Target = { kind: 'service', port, pid: child.process.pid!, aim: nothing }
  const targets = [await startCeiling(children, cores), service]
  if (withFlexsearch) targets.push(await startFlexsearch(children, snapshots, cores))
  return { targets, key }
}

const nothing: Target['aim'] = async () => {}

async function startCeiling(children: Children, cores: string | undefined): Promise<Target> {
  const ceiling = children.startScript('ceiling', script('ceiling-program'), [], cores)
  const { port } = JSON.parse(await ceiling.firstLine())
  const aim: Target['aim'] = (typical) => ceiling.ask(typical)
  return { kind: 'ceiling', port, pid: ceiling.process.pid!, aim }
}

async function startFlexsearch(
  children: Children,
  snapshots: string,
  cores: string | undefined,
): Promise<Target> {
  const program = script('flexsearch-program')
  const server = children.startScript('flexsearch', program, [snapshots], cores)
  const { port } = JSON.parse(await server.firstLine())
  const pid = server.process.pid!
  return { kind: 'flexsearch', port, pid, aim: nothing }
}

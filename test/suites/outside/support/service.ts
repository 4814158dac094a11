/** A service on its side of an Ethernet, over copies of its own. It ends with its test. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Books, booksOf } from '../../../support/processes/ledger-books.ts'
import {
  copyDefaultSnapshot,
  type Serving,
  type Surroundings,
  serve,
} from '../../../support/program.ts'
import type { Ethernet } from './network.ts'

export interface OutsideService extends Serving {
  readonly to: { readonly host: string; readonly port: number }
  /** Of the account `default`, which has 50 USD. */
  readonly key: string
  readonly data: string
  readonly snapshots: string
  /** Ends it with SIGTERM and reads its books. @throws Error when they do not balance. */
  readonly books: () => Promise<Books>
}

interface Start extends Surroundings {
  readonly words?: readonly string[]
  /** Where its ledger lies; in the test's directory where absent. */
  readonly data?: string
  /** Where its snapshots lie, which are there already; copies of the default ones where absent. */
  readonly snapshots?: string
}

/** @throws Error when the service ends before it serves. */
export async function startOutside(
  { serviceHost: host, besideService }: Pick<Ethernet, 'serviceHost' | 'besideService'>,
  directory: string,
  { words = [], data = join(directory, 'data'), before = [], ...rest }: Start = {},
): Promise<OutsideService> {
  const { snapshots = copyDefaultSnapshot(join(directory, 'snapshots')) } = rest
  const places = ['--snapshots', snapshots, '--data', data, '--host', host]
  const surroundings = { ...rest, before: [...besideService, ...before] }
  const service = await serve(['--threads', '1', ...places, ...words], surroundings)
  const { key = '', port, stop } = service
  onTestFinished(async () => void (await stop('SIGKILL')))
  const books = async () => {
    const { exitCode, signal, stderr } = await stop()
    if (exitCode !== 0) throw new Error(`it ended with ${exitCode ?? signal}: ${stderr}`)
    return booksOf(data)
  }
  return { ...service, to: { host, port }, key, data, snapshots, books }
}

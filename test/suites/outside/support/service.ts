/** A service on its side of an Ethernet, over copies of its own. It ends with its test. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Books, booksOf } from '../../../support/processes/ledger-books.ts'
import {
  copyDefaultSnapshot,
  type Ended,
  type Surroundings,
  serve,
} from '../../../support/program.ts'
import type { Ethernet } from './network.ts'

export interface OutsideService {
  readonly child: ChildProcess
  readonly pid: number
  readonly to: { readonly host: string; readonly port: number }
  /** Of the account `default`, which has 50 USD. */
  readonly key: string
  readonly data: string
  readonly snapshots: string
  readonly ended: Promise<Ended>
  /** What it has written on stderr so far. */
  readonly errors: () => string
  readonly isRunning: () => boolean
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
  { serviceHost, besideService }: Pick<Ethernet, 'serviceHost' | 'besideService'>,
  directory: string,
  { words = [], data = join(directory, 'data'), snapshots, before = [], ...rest }: Start = {},
): Promise<OutsideService> {
  const own = snapshots ?? copyDefaultSnapshot(join(directory, 'snapshots'))
  const places = ['--snapshots', own, '--data', data, '--host', serviceHost]
  const {
    child,
    ended,
    errors,
    port,
    key = '',
    stop,
  } = await serve(['--threads', '1', ...places, ...words], {
    ...rest,
    before: [...besideService, ...before],
  })
  onTestFinished(async () => void (await stop('SIGKILL')))
  return {
    child,
    pid: child.pid!,
    to: { host: serviceHost, port },
    key,
    data,
    snapshots: own,
    ended,
    errors,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    books: async () => {
      const { exitCode, signal, stderr } = await stop()
      if (exitCode !== 0) throw new Error(`it ended with ${exitCode ?? signal}: ${stderr}`)
      return booksOf(data)
    },
  }
}

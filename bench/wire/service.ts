/**
 * The service as it is operated: the built program on one serving thread, a ledger with an account
 * that can pay for the whole bench, and its key.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAccount, topUp } from '../../src/ledger/books/accounts.ts'
import { withEnvironment } from '../../src/ledger/books/environment.ts'
import { issueKey } from '../../src/ledger/books/keys.ts'
import { topUpMicroUsdMax } from '../../src/money.ts'
import type { Children } from './children.ts'

/** Where the service listens, and a key it takes. */
export interface Service {
  readonly port: number
  readonly key: string
}

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The lowest price that is charged; the balance then lasts for a million million queries. */
const priceUsd = '0.000001'

/** Starts the service over the snapshot that a directory announces. */
export async function startService(
  children: Children,
  snapshots: string,
  cores: string | undefined,
): Promise<Service> {
  if (!existsSync(program)) throw new Error('dist/main.js is missing: npm run build')
  const data = join(children.directory, 'ledger')
  const key = await openAccount(data)
  const prices = ['search', 'detail', 'peers', 'match'].flatMap((route) => [
    `--price-${route}`,
    priceUsd,
  ])
  const options = ['--port', '0', '--threads', '1', '--json', '--snapshots', snapshots]
  const args = [program, 'serve', ...options, '--data', data, ...prices]
  const service = children.start({
    name: 'authority-index',
    command: process.execPath,
    args,
    cores,
  })
  const { port } = await service.firstLine<{ port: number }>()
  return { port, key }
}

function openAccount(directory: string): Promise<string> {
  return withEnvironment({ directory, clock: Date.now, create: true }, (environment) => {
    createAccount(environment, 'bench')
    topUp(environment, 'bench', topUpMicroUsdMax, 'bench')
    return issueKey(environment, { account: 'bench', label: null, expiresAtMs: null }).text
  })
}

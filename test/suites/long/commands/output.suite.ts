/** What a command leaves behind when its output cannot be written, and with which rights. */
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import type { ListedKey } from '../../../../src/ledger/books/key-rows.ts'
import { withAdministration } from '../../../../src/ledger/books/open-books.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import {
  copyDefaultSnapshot,
  type Ended,
  endOf,
  run,
  start,
  startService,
} from '../../../support/program.ts'

async function runInto(file: string, words: readonly string[]): Promise<Ended> {
  const stdout = openSync(file, 'w')
  try {
    return await run(words, { stdout })
  } finally {
    closeSync(stdout)
  }
}

function withLedger<T>(data: string, use: (books: Books) => Promise<T>): Promise<T> {
  return withAdministration({ data, ledger: null, clock: Date.now, create: true }, use)
}

function keysIn(data: string): Promise<readonly ListedKey[]> {
  return withLedger(data, (books) => books.listKeys())
}

/** A ledger with the account `acme`, and the words that issue a key for it. */
async function newLedger(): Promise<{ readonly data: string; readonly issue: readonly string[] }> {
  const data = join(temporaryDirectory(), 'data')
  await withLedger(data, (books) => books.createAccount('acme'))
  return { data, issue: ['key', 'issue', '--account', 'acme', '--data', data] }
}

describe.runIf(process.platform === 'linux')('a key whose text cannot be written', () => {
  it('is revoked: the disk is full', async () => {
    const { data, issue } = await newLedger()
    const { exitCode, stderr } = await runInto('/dev/full', issue)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^stdout could not be written: ENOSPC[^\n]*; key key_\w+ was not shown and is taken back\n$/,
    )
    expect(await keysIn(data)).toMatchObject([{ state: 'revoked' }])
  })

  it('is revoked: the reader has gone', async () => {
    const { data, issue } = await newLedger()
    const child = start(issue)
    child.stdout!.destroy()
    await once(child.stdout!, 'close')
    const { exitCode, stderr } = await endOf(child)
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^stdout .*EPIPE; key [^\n]*\n$/)])
    expect(await keysIn(data)).toMatchObject([{ state: 'revoked' }])
  })

  it('is not issued: stdout is the null device', async () => {
    const { data, issue } = await newLedger()
    const { exitCode, stderr } = await runInto('/dev/null', issue)
    expect(exitCode).toBe(1)
    expect(stderr).toBe('stdout is closed or /dev/null, so the key would be lost\n')
    expect(await keysIn(data)).toEqual([])
  })

  it('leaves the secret before good, for which it was to be: a rotation stands', async () => {
    const { data } = await newLedger()
    const order = { account: 'acme', lifeMs: 1e9 }
    const { record } = await withLedger(data, (books) => books.issueKey(order))
    const words = ['key', 'rotate', record.id, '--data', data]
    const { exitCode, stderr } = await runInto('/dev/full', words)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('; rotate it again')])
    const [key] = await keysIn(data)
    expect(key).toMatchObject({ state: 'active' })
    expect(key!.secrets[0]!.endsAtMs).toBeGreaterThan(Date.now())
    const { contradictions } = await withLedger(data, (books) => books.audit())
    expect(contradictions).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('a full disk behind stdout', () => {
  it('is one line and exit code 1, and no stack', async () => {
    const { exitCode, stderr } = await runInto('/dev/full', ['--help'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^stdout could not be written: ENOSPC[^\n]*\n$/)
  })

  it('is a warning of a service, which has its first key in a file', async () => {
    const place = temporaryDirectory()
    const data = join(place, 'data')
    const snapshots = copyDefaultSnapshot(join(place, 'snapshots'))
    const words = ['serve', '--port', '0', '--threads', '1', '--snapshots', snapshots]
    const stdout = openSync('/dev/full', 'w')
    const child = start([...words, '--data', data], { stdout })
    closeSync(stdout)
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = endOf(child)
    const log = createInterface(child.stderr!)
    const isLogged = new Promise<string>((resolve) => {
      log.on('line', (line) => line.includes('"first-key"') && resolve(line))
    })
    expect(await isLogged).toContain(join(data, 'first-key'))
    child.kill('SIGTERM')
    const { exitCode, stderr } = await ended
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/"output".*ENOSPC/)])
    expect(await keysIn(data)).toMatchObject([{ account: 'default', state: 'active' }])
  })
})

describe('the ledger', () => {
  it('is for its owner alone, whatever the umask, and so is its backup', async () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const place = temporaryDirectory()
    const service = await startService(place)
    const backup = join(place, 'backup')
    await run(['ledger', 'backup', backup, '--data', service.data])
    const { stderr } = await service.stop('SIGTERM')
    const drill = join(place, 'drill')
    await run(['ledger', 'restore', backup, '--data', drill])
    const places = [service.data, backup, drill]
    const made = places.flatMap((directory) => [directory, ...inside(directory)])
    expect(made.length).toBeGreaterThan(6)
    for (const path of made) {
      const { mode } = statSync(path)
      expect([path, mode & 0o077]).toEqual([path, 0])
    }
    expect(stderr).not.toContain('data-rights')
  })

  it('in a directory that others may enter is served, with the command that mends it', async () => {
    const place = temporaryDirectory()
    mkdirSync(join(place, 'data'))
    chmodSync(join(place, 'data'), 0o755)
    const service = await startService(place)
    const { stderr } = await service.stop('SIGTERM')
    expect(stderr).toContain(`(mode 755); type: chmod o= ${service.data}`)
    expect(statSync(service.data).mode & 0o777).toBe(0o755)
  })
})

describe('a service', () => {
  it('goes on after SIGUSR1 and SIGUSR2 without an inspector, and ends in order with SIGQUIT', async () => {
    const service = await startService(temporaryDirectory())
    service.child.kill('SIGUSR1')
    service.child.kill('SIGUSR2')
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200)
    const { exitCode, signal, stderr } = await service.stop('SIGQUIT')
    expect([exitCode, signal]).toEqual([0, null])
    expect(stderr).toContain('"event":"stopped"')
    expect(stderr).not.toContain('Debugger')
  })

  it('goes on where its log cannot be written', async () => {
    const place = temporaryDirectory()
    const stderr = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(stderr))
    const service = await startService(place, [], { stderr })
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200)
    expect((await service.stop('SIGTERM')).exitCode).toBe(0)
  })
})

function inside(directory: string): string[] {
  return readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name)))
}

/** The ledger on the disk: what was acknowledged is there, whatever happens to the process or the disk. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { open } from 'lmdb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ledgerForm } from '../../../../src/ledger/form.ts'
import { accountNamed, createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import {
  type Environment,
  openEnvironment,
  withEnvironment,
} from '../../../../src/ledger/lmdb/environment.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { Refusal } from '../../../../src/problems.ts'
import { newEnvironment, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

const clock = () => startMs
const customer = compiled(join(import.meta.dirname, 'customer.ts'))

/** Starts a program, and reaps it when the test is done. */
function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}

async function linesOf(child: ChildProcess, onLine: (line: string) => void): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    onLine(line)
  }
  return lines
}

function references(environment: Environment): (string | null)[] {
  return statementOf(environment, 'first').credits.map(({ reference }) => reference)
}

describe('the ledger', () => {
  test('is refused where there is none, and none is made', async () => {
    const directory = join(temporaryDirectory(), 'absent')
    await expect(withEnvironment({ directory, clock }, () => {})).rejects.toThrow(
      new Refusal('ledger-refused', `there is no ledger in ${directory}`),
    )
    expect(existsSync(directory)).toBe(false)
  })

  test('is refused when its file is another one, and the file is left as it is', async () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'ledger.mdb')
    writeFileSync(path, 'not a ledger'.repeat(1_000))
    await expect(withEnvironment({ directory, clock }, () => {})).rejects.toThrow(
      new Refusal('ledger-corrupt', `${path} is not a ledger`),
    )
    expect(statSync(path).size).toBe(12_000)
  })

  test.each([
    ['no form, as those before forms had numbers', undefined, 'has a form before form 6'],
    ['the form of an earlier version', ledgerForm - 1, `has form ${ledgerForm - 1}`],
    ['the form of a later version', ledgerForm + 1, `has form ${ledgerForm + 1}`],
  ])('is refused by name where it has %s, and the file is left as it is', async (_, form, has) => {
    const directory = temporaryDirectory()
    const path = join(directory, 'ledger.mdb')
    const file = open({ path, maxDbs: 2 })
    file.openDB<string, string>('accounts', {}).putSync('some', 'thing')
    if (form !== undefined) file.openDB<number, string>('form', {}).putSync('form', form)
    await file.close()
    const before = readFileSync(path)
    const opened = withEnvironment({ directory, clock, create: true }, () => {})
    await expect(opened).rejects.toThrow(
      `the ledger in ${directory} ${has}, and this version reads form ${ledgerForm} only: use the version that wrote it`,
    )
    await expect(opened).rejects.toMatchObject({ code: 'ledger-refused', kind: 'rule' })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('is made where a crash left an empty file', async () => {
    const directory = temporaryDirectory()
    await open({ path: join(directory, 'ledger.mdb'), maxDbs: 1 }).close()
    await withEnvironment({ directory, clock }, (environment) => {
      createAccount(environment, 'first')
    })
    const found = await withEnvironment({ directory, clock }, audit)
    expect(found).toMatchObject({ accounts: 1, contradictions: [] })
  })

  test('is refused when its directory cannot be made', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const options = { directory: join(file, 'below'), clock, create: true }
    await expect(withEnvironment(options, () => {})).rejects.toThrow(
      expect.objectContaining({ code: 'ledger-refused' }),
    )
  })

  test('can be read by its owner only', () => {
    const { directory } = newEnvironment()
    expect(statSync(join(directory, 'ledger.mdb')).mode & 0o777).toBe(0o600)
  })

  test('is as it was when a change throws', () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const changes = () => environment.read((tables) => Array.from(tables.changes.getRange()))
    const before = changes()
    const change = () =>
      environment.write('accounts', (tables) => {
        tables.names.putSync('half', 2)
        throw new TypeError('a bug')
      })
    expect(change).toThrow(TypeError)
    expect(environment.read((tables) => tables.names.get('half'))).toBeUndefined()
    expect(changes()).toEqual(before)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is read as of one moment, the newest', () => {
    const environment = newEnvironment()
    const other = openEnvironment({ directory: environment.directory, clock })
    onTestFinished(() => other.close())
    createAccount(environment, 'first')
    expect(other.read((tables) => accountNamed(tables, 'first').number)).toBe(1)
    topUp(other, 'first', 5, 'paid')
    expect(references(environment)).toEqual([null, 'paid'])
  })

  test('holds every top-up that a process acknowledged before it was killed', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const child = start(process.execPath, [customer, environment.directory, '1000000'])
    let count = 0
    const acknowledged = await linesOf(child, () => {
      count += 1
      if (count === 25) child.kill('SIGKILL')
    })
    expect(acknowledged.length).toBeGreaterThanOrEqual(25)
    expect(references(environment)).toEqual(expect.arrayContaining(acknowledged))
    // One more may have been written than could be said.
    expect(references(environment).length - 1 - acknowledged.length).toBeLessThanOrEqual(1)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('holds what was acknowledged and nothing else when the disk takes no more', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    // The limit of a file's size, in blocks of 512 or 1024 bytes: writing beyond it fails. Space is taken
    // by the MiB.
    const limited = ['-c', 'ulimit -f 2600; exec "$0" "$@"', process.execPath, customer]
    const child = start('/bin/sh', [...limited, environment.directory, '1000000'])
    const lines = await linesOf(child, () => {})
    const refused = lines.pop()
    expect(refused).toContain(
      `refused: the ledger in ${environment.directory} could not be written: `,
    )
    expect(lines.length).toBeGreaterThan(25)
    expect(references(environment)).toEqual([null, ...lines])
    expect(audit(environment).contradictions).toEqual([])
    expect(topUp(environment, 'first', 5, 'after').credited).toBe(true)
  })

  test('loses no top-up of several processes that write at the same time', async () => {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const children = [1, 2, 3].map(() =>
      start(process.execPath, [customer, environment.directory, '40']),
    )
    const lines = await Promise.all(children.map((child) => linesOf(child, () => {})))
    expect(references(environment).slice(1).sort()).toEqual(lines.flat().sort())
    expect(lines.flat()).toHaveLength(120)
    expect(audit(environment).contradictions).toEqual([])
  })
})

/**
 * What a service sells and says while its charges cannot be written: a full disk, and a commit that another process
 * holds up.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { compiled } from '../../../support/processes/compiled.ts'
import { match, pollMs, Shop } from '../../../support/shop.ts'

/** Each thread looks for itself how far commits are behind, a moment after the others. */
const oneThread = ['--threads', '1']

describe('a full disk', () => {
  /**
   * From now on a service may write no file beyond 4,096 bytes; what it has open it may still read. It is set while
   * no commit is under way, because a limit, unlike a disk, can come between two writes of one.
   */
  const limitFiles = async (shop: Shop, routesSold: number) => {
    await expect
      .poll(
        async () => (await shop.commandJson('admin', 'getStatement', 'account=default')).charges,
      )
      .toHaveLength(routesSold)
    execFileSync('prlimit', ['--pid', String(shop.child.pid), '--fsize=4096:'])
  }

  const expectWholeLines = (log: string) => {
    const lines = log.split('\n').filter((line) => line !== '')
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(
      expect.arrayContaining(['started', 'ledger', 'stopped']),
    )
  }

  test('stops the sale, not the service, and costs nobody anything', async () => {
    const shop = await Shop.open(temporaryDirectory(), ['--commit-window', '10', ...oneThread])
    onTestFinished(() => void shop.end('SIGKILL'))
    let served = 0
    const ask = async () => {
      const reply = await shop.ask(match)
      if (reply.status === 200) served += 1
      return reply
    }
    expect((await ask()).status).toBe(200)
    await limitFiles(shop, 1)
    await expect.poll(async () => (await ask()).status, { interval: pollMs }).toBe(503)
    const refused = await ask()
    expect(refused.json.type).toBe('urn:authority-index:problem:ledger-unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await shop.ask('/api/v1/match')).status).toBe(400)
    expect(await shop.statusWith('nobody')).toBe(401)
    execFileSync('prlimit', ['--pid', String(shop.child.pid), '--fsize=unlimited:'])
    await expect.poll(async () => (await ask()).status, { interval: pollMs }).toBe(200)
    await shop.expectAddingUp()
    const { exitCode, stderr } = await shop.end('SIGTERM')
    expect(exitCode).toBe(0)
    expectWholeLines(stderr)
    expect(stderr).toContain('charges cannot be recorded, so nothing is sold: ')
    expect(stderr).toContain('charges are recorded again')
    const { charges } = await shop.commandJson('admin', 'getStatement', 'account=default')
    expect(charges).toMatchObject([{ route: 'match', queries: served }])
    expect((await shop.commandJson('ledger', 'verify')).contradictions).toEqual([])
  })

  test('that stays full until the end loses the charges of the end, and says so', async () => {
    const shop = await Shop.open(temporaryDirectory(), ['--commit-window', '10'])
    onTestFinished(() => void shop.end('SIGKILL'))
    await limitFiles(shop, 0)
    let served = 0
    await expect
      .poll(
        async () => {
          const { status } = await shop.ask(match)
          if (status === 200) served += 1
          return status
        },
        { interval: pollMs },
      )
      .toBe(503)
    const { exitCode, stderr } = await shop.end('SIGTERM')
    expect(exitCode).toBe(1)
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('could not be written and are lost')
    expect(served).toBeGreaterThan(0)
    expect(await shop.commandJson('ledger', 'verify')).toMatchObject({
      balance_usd: 50,
      contradictions: [],
    })
  })
})

describe('a commit that is held up', () => {
  /** Another process that holds the ledger's write lock until it is killed. */
  async function holdUp(data: string): Promise<ChildProcess> {
    const program = join(import.meta.dirname, '../../../unit/ledger/sql/writer.ts')
    const child = spawn(process.execPath, [
      compiled(program),
      join(data, 'ledger.db'),
      'lock',
      '600000',
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout!, 'data')
    return child
  }

  async function sellUntilHeldUp(shop: Shop): Promise<number> {
    let served = 0
    const ask = async () => {
      const { status } = await shop.ask(match)
      if (status === 200) served += 1
      return status
    }
    expect(await ask()).toBe(200)
    await expect.poll(ask).toBe(503)
    return served
  }

  test('stops the sale, and is felt in /readyz and the metrics, until it goes on', async () => {
    const shop = await Shop.open(temporaryDirectory(), oneThread)
    onTestFinished(() => void shop.end('SIGKILL'))
    const holder = await holdUp(shop.data)
    const served = await sellUntilHeldUp(shop)
    const readiness = await shop.ask('/readyz')
    expect(readiness.status).toBe(503)
    expect(readiness.json).toMatchObject({ ready: false, ledger_available: false })
    holder.kill('SIGKILL')
    await expect.poll(async () => (await shop.ask('/readyz')).status).toBe(200)
    await shop.end()
    const { charges } = await shop.commandJson('admin', 'getStatement', 'account=default')
    expect(charges).toMatchObject([{ route: 'match', queries: served }])
  })

  test('sells nothing more that a crash would lose, however long it lasts', async () => {
    const shop = await Shop.open(temporaryDirectory(), oneThread)
    onTestFinished(() => void shop.end('SIGKILL'))
    const holder = await holdUp(shop.data)
    await sellUntilHeldUp(shop)
    for (let request = 0; request < 200; request += 1) {
      expect((await shop.ask(match)).status).toBe(503)
    }
    await shop.end('SIGKILL')
    holder.kill('SIGKILL')
    expect((await shop.commandJson('ledger', 'verify')).contradictions).toEqual([])
  })
})

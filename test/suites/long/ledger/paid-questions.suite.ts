/** Questions that were paid under a key of their own: a service that was ended or killed charges a repeat once more. */
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'
import { match, Shop } from '../../../support/shop.ts'

/** Asks questions under keys of their own; returns which were said to be paid before. */
async function replaysOf(shop: Shop, key: string, names: readonly string[]): Promise<boolean[]> {
  const replies = await Promise.all(
    names.map((name) =>
      shop.ask(match, { headers: { authorization: `Bearer ${key}`, 'Idempotency-Key': name } }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200))
  return replies.map(({ headers }) => headers.get('idempotent-replay') === 'true')
}

test('a service that is started again charges a repeat once more, and then knows it', async () => {
  const directory = temporaryDirectory()
  const first = await Shop.open(directory)
  const names = ['restart-1', 'restart-2']
  expect(await replaysOf(first, first.key, names)).toEqual([false, false])
  expect(await replaysOf(first, first.key, names)).toEqual([true, true])
  await first.end()
  const second = await Shop.open(directory)
  onTestFinished(() => second.end('SIGKILL').then(() => {}))
  expect(await replaysOf(second, first.key, names)).toEqual([false, false])
  expect(await replaysOf(second, first.key, names)).toEqual([true, true])
  const { charged_usd } = await second.commandJson('admin', 'getStatement', 'account=default')
  expect(charged_usd).toBe(0.002)
})

test('a question is charged at most twice when its service is killed and it is asked again', async () => {
  const directory = temporaryDirectory()
  let shop = await Shop.open(directory)
  onTestFinished(() => shop.end('SIGKILL').then(() => {}))
  const { key } = shop
  const names = Array.from({ length: 20 }, (_, index) => `killed-${index}`)
  await replaysOf(shop, key, names.slice(0, 10))
  // Of these some are committed when it is killed, and some are not.
  await replaysOf(shop, key, names.slice(10))
  await shop.end('SIGKILL')
  shop = await Shop.open(directory)
  expect(await replaysOf(shop, key, names)).toEqual(names.map(() => false))
  expect(await replaysOf(shop, key, names)).toEqual(names.map(() => true))
  await shop.end()
  const { stdout } = await run([
    'admin',
    'getStatement',
    'account=default',
    '--json',
    '--data',
    directory,
  ])
  const { charged_usd } = JSON.parse(stdout)
  expect(charged_usd).toBeGreaterThanOrEqual(names.length * 0.0005)
  expect(charged_usd).toBeLessThanOrEqual(2 * names.length * 0.0005)
  const proof = await run(['ledger', 'verify', '--json', '--data', directory])
  expect(JSON.parse(proof.stdout).contradictions).toEqual([])
})

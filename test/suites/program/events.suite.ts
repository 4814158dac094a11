/** Events of a service that sells, as its operator reads them: each once, also over a restart. */
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { run } from '../../support/program.ts'
import { match, Shop } from '../../support/shop.ts'

/** Three queries at 0.0005 USD take the opening credit below this. */
const lowBalance = ['--low-balance', '49.999']

test('a service and its commands write each event once, and the command reads on from a number', async () => {
  const data = temporaryDirectory()
  const shop = await Shop.open(data, lowBalance)
  const { key, key_id } = await shop.issueKey('--cap', '0.001')
  await expect.poll(() => shop.statusWith(key)).toBe(200)
  await expect.poll(() => shop.statusWith(key)).toBe(402)
  const events = async (...words: string[]) =>
    (await shop.commandJson('admin', 'listEvents', ...words)).results
  // A settlement of a fleet has all that was sold since the one before.
  await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(2)
  for (let times = 0; times < 3; times += 1) expect((await shop.ask(match)).status).toBe(200)
  await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(3)
  await shop.command('admin', 'suspendAccount', 'account=default')
  expect((await shop.end()).exitCode).toBe(0)
  const again = await Shop.open(data, lowBalance)
  const found = await events()
  const numbered = ({ number, kind, subject }: Record<string, unknown>) => [number, kind, subject]
  expect(found.map(numbered)).toEqual([
    [1, 'snapshot.announced', expect.stringMatching(/^[0-9a-f-]+$/)],
    [2, 'cap.reached', key_id],
    [3, 'balance.low', 'default'],
    [4, 'account.suspended', 'default'],
  ])
  expect(found[2].details).toEqual({ balance_usd: expect.any(Number), below_usd: 49.999 })
  expect(await events('after=3')).toEqual([found[3]])
  expect(await events('after=1', 'limit=1')).toEqual([found[1]])
  const { stdout } = await again.command('admin', 'listEvents', 'after=3')
  expect(stdout).toMatch(/^NUMBER +TIME .*\n +4 +.*account\.suspended +default/)
  await again.end()
  const wrong = await run(['admin', 'listEvents', 'after=last', '--data', data])
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('after: ') })
})

/** Webhooks as an operator and a receiver see them, with the built program; and the examples of their guide. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signedHeaders } from '../../../../src/webhooks/signature.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { run, startService } from '../../../support/program.ts'
import { startReceiver, status } from '../../../support/webhook-receiver.ts'

/** Runs a command and reads its JSON. */
async function commanded(words: readonly string[]) {
  const { stdout, stderr, exitCode } = await run([...words, '--json'])
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  return JSON.parse(stdout)
}

describe('a running service', () => {
  it('delivers the event of a charge, signed, once, and again after a replay', async () => {
    const service = await startService(temporaryDirectory(), [
      '--webhook-private',
      '--threads',
      '1',
    ])
    onTestFinished(() => void service.stop('SIGKILL'))
    const receiver = await startReceiver()
    const data = ['--data', service.data]
    const words = ['--below', '50,1%', '--account', 'default', '--webhook-private']
    const { endpoint, secret } = await commanded([
      'webhook',
      'add',
      receiver.url,
      ...data,
      ...words,
    ])
    const { headers } = service
    for (let query = 0; query < 2; query += 1) {
      await fetch(`${service.address}/api/v1/index?query=person${query}`, { headers })
    }
    await receiver.until(1)
    const [first] = receiver.received
    expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({
      type: 'balance.below',
      data: { account: 'default', threshold_usd: 50 },
    })
    await expect
      .poll(() => commanded(['webhook', 'list', ...data]))
      .toMatchObject([{ endpoint, state: 'active', pending: 0, account: 'default' }])
    const id = first!.headers['webhook-id']!
    expect(await commanded(['webhook', 'replay', id, ...data])).toEqual({ events: 1 })
    await receiver.until(2)
    expect(receiver.received.map((each) => each.headers['webhook-id'])).toEqual([id, id])
    expect(receiver.received.map(({ body }) => body)).toEqual([first!.body, first!.body])
    const metrics = await (await fetch(`${service.address}/metrics`)).text()
    expect(metrics).toContain('authority_index_webhooks_paused 0')
    await service.stop('SIGTERM')
  })
})

describe('webhook', () => {
  it('test says what the receiver answered; add refuses private addresses without leave', async () => {
    const service = await startService(temporaryDirectory(), ['--threads', '1'])
    await service.stop('SIGTERM')
    const data = ['--data', service.data]
    const receiver = await startReceiver()
    const refused = await run(['webhook', 'add', receiver.url, ...data])
    expect(refused.exitCode).toBe(2)
    const add = ['webhook', 'add', receiver.url, ...data, '--webhook-private']
    const { endpoint } = await commanded(add)
    const test = ['webhook', 'test', endpoint, ...data, '--webhook-private']
    expect(await commanded(test)).toEqual({ delivered: true })
    receiver.behave(status(500))
    const failed = await run(test)
    expect(failed).toMatchObject({
      exitCode: 1,
      stderr: `${endpoint} did not take it: status 500\n`,
    })
    await commanded(['webhook', 'rotate', endpoint, ...data])
    await commanded(['webhook', 'remove', endpoint, ...data])
    expect(await commanded(['webhook', 'list', ...data])).toEqual([])
  })
})

describe('the example of the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs', 'webhooks.md'), 'utf8')
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
  const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
  const body = '{"type":"key.expiring","data":{"label":"Zoë"}}'
  const nowMs = Date.UTC(2026, 10, 23)

  /** A right delivery in a rotation, and wrong ones. */
  function deliveries() {
    const message = { id: 'evt_1_1_1_0123456789ab', body }
    const secrets = [other, secret].map((text) => ({ text, untilMs: null }))
    const headers = signedHeaders(message, secrets, nowMs)
    const strange = signedHeaders(message, [{ text: other, untilMs: null }], nowMs)
    const late = signedHeaders(message, secrets, nowMs - 301_000)
    return [
      { headers, body },
      { headers: strange, body },
      { headers, body: body.replace('key', 'cat') },
      { headers: late, body },
    ]
  }

  function blockOf(language: string): string {
    return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)![1]!
  }

  /** What a program prints that is given the deliveries: whether each was taken. */
  function printed(program: readonly string[], file: string, text: string): string {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'deliveries.json'), JSON.stringify(deliveries()))
    writeFileSync(join(directory, file), text)
    const [name = '', ...words] = program
    const { stdout, stderr } = spawnSync(name, [...words, file], {
      cwd: directory,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout.trim()
  }

  it('in Node takes a right delivery, and no other', () => {
    const text = `${blockOf('js')}
      import { readFileSync } from 'node:fs'
      for (const { headers, body } of JSON.parse(readFileSync('deliveries.json', 'utf8'))) {
        try { console.log(verify(headers, body, '${secret}', ${nowMs / 1000}).type) } catch { console.log('refused') }
      }`
    const lines = printed([process.execPath], 'try.mjs', text)
    expect(lines).toBe('key.expiring\nrefused\nrefused\nrefused')
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!hasPython)('in Python takes a right delivery, and no other', () => {
    const text = `${blockOf('python')}
for each in json.load(open('deliveries.json', encoding='utf8')):
    try:
        print(verify(each['headers'], each['body'].encode(), '${secret}', ${nowMs / 1000})['type'])
    except ValueError:
        print('refused')
`
    const lines = printed(['python3'], 'try.py', text)
    expect(lines).toBe('key.expiring\nrefused\nrefused\nrefused')
  })
})

/** One attempt: what a receiver gets, and what becomes of its answers. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../../../src/webhooks/send.ts'
import { signedHeaders } from '../../../src/webhooks/signature.ts'
import { misbehaviours, startReceiver, status } from '../../support/webhook-receiver.ts'

const secrets = [{ text: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, untilMs: null }]
const message = { id: 'evt_0_1_1_0123456789ab', body: '{"type":"webhook.test"}' }
const options = { allowsPrivate: true, clock: Date.now, timeoutMs: 2_000 }

describe('a message', () => {
  test('is verified by the library of the specification, with either secret of a rotation', async () => {
    const receiver = await startReceiver()
    const before = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const rotated = [...secrets, { text: before, untilMs: Date.now() + 60_000 }]
    expect(await sendMessage(receiver.url, message, rotated, options)).toEqual({ ok: true })
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    for (const secret of [secrets[0]!.text, before]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'webhook.test' })
    }
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    expect(() => new Webhook(other).verify(body, headers)).toThrow()
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': message.id })
  })

  test('is not signed with a secret whose overlap is over', () => {
    const ended = [...secrets, { text: secrets[0]!.text, untilMs: 1_000 }]
    const { 'webhook-signature': signature } = signedHeaders(message, ended, 1_000)
    expect(signature?.split(' ')).toHaveLength(1)
  })
})

describe('an attempt', () => {
  test.each(Object.entries(misbehaviours))('fails when the receiver %s', async (_, behaviour) => {
    const receiver = await startReceiver()
    receiver.behave(behaviour)
    const attempt = await sendMessage(receiver.url, message, secrets, options)
    expect(attempt).toMatchObject({ ok: false, failure: expect.stringMatching(/^.{3,}$/) })
    // Nothing was followed, and nothing was sent twice.
    expect(receiver.received).toHaveLength(1)
  })

  test('fails where nobody listens', async () => {
    const attempt = await sendMessage('http://127.0.0.1:9/', message, secrets, options)
    expect(attempt).toMatchObject({ ok: false, failure: expect.stringContaining('ECONNREFUSED') })
  })

  test('says how long a receiver asks to wait, and that it wants no more', async () => {
    const receiver = await startReceiver()
    receiver.behave(misbehaviours['says 429']!)
    const busy = await sendMessage(receiver.url, message, secrets, options)
    expect(busy).toMatchObject({ retryAfterMs: 7_200_000, gone: false })
    receiver.behave(status(410))
    const gone = await sendMessage(receiver.url, message, secrets, options)
    expect(gone).toMatchObject({ retryAfterMs: 0, gone: true })
  })

  test('is a success by its status, whatever comes behind it: without an end, or without a limit', async () => {
    const receiver = await startReceiver()
    receiver.behave((response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more).on('error', () => {})
      response.writeHead(200)
      more()
    })
    expect(await sendMessage(receiver.url, message, secrets, options)).toEqual({ ok: true })
    receiver.behave((response) => void response.writeHead(200).write('{'))
    const quick = { ...options, timeoutMs: 100 }
    expect(await sendMessage(receiver.url, message, secrets, quick)).toMatchObject({ ok: false })
  })

  test('connects to nothing that is private, nor over http, without leave', async () => {
    const receiver = await startReceiver()
    const strict = {
      ...options,
      allowsPrivate: false,
      resolve: async () => [{ address: '127.0.0.1' }],
    }
    const { port } = new URL(receiver.url)
    for (const address of [
      receiver.url,
      `https://hooks.example.com:${port}/`,
      'https://10.0.0.1/',
    ]) {
      expect(await sendMessage(address, message, secrets, strict)).toMatchObject({ ok: false })
    }
    expect(receiver.received).toHaveLength(0)
  })

  test('connects to the address that was checked, not to what the name means a moment later', async () => {
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.9' }]
    const address = `http://rebound.example.com:${port}/`
    expect(await sendMessage(address, message, secrets, { ...options, resolve })).toEqual({
      ok: true,
    })
    expect(asked).toBe(1)
    expect(receiver.received[0]!.headers.host).toBe(`rebound.example.com:${port}`)
  })
})

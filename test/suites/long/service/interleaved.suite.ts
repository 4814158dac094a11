/**
 * Clients that ask in order beside clients that do everything else, on one thread, over swaps. Each answer of the
 * former is that of the same request asked alone, and their account is charged what their answers say.
 * `INTERLEAVED=N` asks N times as much; `INTERLEAVED_SEED=N` draws others.
 */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { withAdministration } from '../../../../src/ledger/books/open-books.ts'
import { announce } from '../../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { newScene, targets, until } from '../../../support/operated.ts'
import { type Answer, AnswerReader, headerOf } from '../../../support/processes/answer-reader.ts'
import { openSocket } from '../../../support/processes/connection.ts'
import { startService } from '../../../support/program.ts'
import { Random } from '../../../support/random.ts'

const times = Number(process.env.INTERLEAVED ?? 1)
const seed = Number(process.env.INTERLEAVED_SEED ?? 1)
const lines = 6
const connectionsEach = 12 * times
/** Their answers fit into the buffers of a connection; see docs/api.md. */
const aheadMax = 8
const swaps = 4 * times

/** Text before the key and behind it. */
type Request = (key: string) => string

function get(target: string, ...more: string[]): Request {
  return (key) =>
    [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...more, '', ''].join(
      '\r\n',
    )
}

function post(target: string, body: unknown, ...more: string[]): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (key) =>
    [
      ...[`POST ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`],
      ...['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`],
      ...[...more, '', text],
    ].join('\r\n')
}

const call = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'search_authorities', arguments: { query: 'topic 1', limit: id + 1 } },
})
const tools = ['Accept: application/json, text/event-stream', 'MCP-Protocol-Version: 2025-03-26']

const requests: readonly Request[] = [
  ...targets.map((target) => get(target)),
  get('/api/v1/index?query=topic+2&explain=true&fields=sdu,name,bio'),
  get('/api/v1/index?query=nobody+at+all'),
  get('/api/v1/index?limit=0&query=x'),
  get('/api/v1/detail?sdus=x'),
  get('/api/v1/match?handle=%ff'),
  get('/api/v1/nothing'),
  get('/api/v1/topics?limit=3'),
  get('/api/v1/autocomplete?query=per'),
  get('/api/v1/match?handle=person1', 'Idempotency-Key: a b'),
  post('/api/v1/detail', { sdus: ['1', '2', '3'] }),
  post('/api/v1/match', { handles: ['person5', 'nobody'], aligned: true }),
  post('/api/v1/rank', { sources: ['github:person9', 'nobody', 'github:person3'] }),
  post('/api/v1/rank', '{"sources":'),
  post('/api/v1/match', { handles: [] }),
]

/** Answered in their own time: nothing may be sent behind them before their answer. */
const last: readonly Request[] = [
  post('/mcp', call(1), ...tools),
  post('/mcp', [1, 2, 3].map(call), ...tools),
]
const all = [...requests, ...last]

function lasting({ status, head, body }: Answer): string {
  const headers = head
    .split('\r\n')
    .slice(1)
    .filter((line) => !/^(x-request-id|x-balance-usd|date|content-length|connection):/i.test(line))
  const text = body
    .toString()
    .replaceAll(/\\?"(duration|request_id|x-request-id|balance_usd)\\?":\\?"?[\w.-]+\\?"?/g, '$1')
  return [status, ...headers.sort(), text].join('\n')
}

/** Micro-USD that an answer costs: what it says, and of tools what their calls cost. */
function costOf(index: number, answer: Answer): number {
  const calls = index - requests.length + 1
  if (calls > 0) return (calls === 1 ? 1 : 3) * 1_000
  return Math.round(Number(headerOf(answer, 'X-Cost-Usd') ?? 0) * 1e6)
}

async function answersTo(port: number, texts: readonly string[], cut = 0): Promise<Answer[]> {
  const socket = await openSocket(port)
  const answers: Answer[] = []
  const reader = new AnswerReader((answer) => {
    answers.push({ ...answer, body: Buffer.from(answer.body) })
  })
  socket.on('data', (chunk: Buffer) => reader.take(chunk))
  // Within a head, the older build of uWebSockets.js takes a piece for a request of another version.
  for (const piece of [texts.slice(0, cut), texts.slice(cut)]) {
    socket.write(piece.join(''))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => answers.length === texts.length || socket.closed)
  socket.destroy()
  return answers
}

it('are answered and charged as if they asked alone', async () => {
  const directory = temporaryDirectory()
  const scene = newScene(join(directory, 'scene'))
  const data = join(directory, 'data')
  const place = { data, ledger: null, clock: Date.now, create: true }
  const [good, bad] = await withAdministration(place, async (books) => {
    const texts: string[] = []
    for (const account of ['good', 'bad', 'alone']) {
      await books.createAccount(account)
      texts.push((await books.issueKey({ account })).text)
    }
    return texts as [string, string, string]
  })
  const limits = ['--lookup-rate-limit', '0', '--mcp-in-flight-max', '1000', '--threads', '1']
  const words = ['--snapshots', scene.directory, '--first-account', 'none', ...limits]
  const service = await startService(directory, words)
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  const { port } = service
  const served = async () =>
    ((await (await fetch(`${service.address}/readyz`)).json()) as { snapshot_id: string })
      .snapshot_id
  const swapTo = async (id: string) => {
    announce(scene.directory, id)
    await until(async () => (await served()) === id)
  }

  const alone = all.map(() => new Set<string>())
  let costMicroUsd = 0
  for (const id of [scene.second, scene.first]) {
    await swapTo(id)
    for (const [index, request] of all.entries()) {
      const [answer] = await answersTo(port, [request(good)])
      alone[index]!.add(lasting(answer!))
      costMicroUsd += costOf(index, answer!)
    }
  }

  let isOver = false
  let compared = 0
  const askInOrder = async (line: number) => {
    const random = new Random(seed, line)
    for (let count = 0; count < connectionsEach; count += 1) {
      const chosen = Array.from({ length: random.between(1, aheadMax) }, () =>
        random.below(requests.length),
      )
      if (random.chance(0.3)) chosen.push(requests.length + random.below(last.length))
      const texts = chosen.map((index) => all[index]!(good))
      const answers = await answersTo(port, texts, random.below(texts.length))
      expect(answers.length).toBe(chosen.length)
      for (const [at, answer] of answers.entries()) {
        const found = lasting(answer)
        if (!alone[chosen[at]!]!.has(found)) expect([...alone[chosen[at]!]!]).toContain(found)
        costMicroUsd += costOf(chosen[at]!, answer)
        compared += 1
      }
    }
  }
  const disturbed = new Map<string, number>()
  const disturb = async (line: number) => {
    const random = new Random(seed, 100 + line)
    const open: Socket[] = []
    while (!isOver) {
      const socket = await openSocket(port)
      const texts = Array.from({ length: random.between(1, 8) }, () => random.pick(all)(bad))
      const text = texts.join('')
      const part = text.slice(0, random.between(1, text.length))
      const how = random.pick(['half', 'reset', 'endless', 'unread', 'half-closed'] as const)
      disturbed.set(how, (disturbed.get(how) ?? 0) + 1)
      if (how === 'unread') socket.pause()
      else socket.resume()
      socket.write(how === 'half' || how === 'reset' ? part : text)
      if (how === 'endless') {
        socket.write(post('/api/v1/match', { handles: ['person1'] })(bad).slice(0, -3))
      }
      if (how === 'half-closed') socket.end()
      await new Promise((resolve) => setTimeout(resolve, random.below(6)))
      if (how === 'endless' || how === 'unread') open.push(socket)
      else if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
      if (open.length > 20) open.splice(random.below(open.length), 1)[0]!.destroy()
    }
    for (const socket of open) socket.destroy()
  }
  const asking = Promise.all(Array.from({ length: lines }, (_, line) => askInOrder(line)))
  const disturbing = Promise.all(Array.from({ length: 4 }, (_, line) => disturb(line)))
  // What fails is thrown when it is waited for.
  asking.catch(() => {})
  try {
    for (let swap = 1; swap <= swaps; swap += 1) {
      await swapTo(swap % 2 === 1 ? scene.second : scene.first)
    }
    await asking
  } finally {
    isOver = true
    await disturbing
  }
  expect(await service.stop('SIGTERM')).toMatchObject({ exitCode: 0 })
  const charged = await withAdministration(place, async (books) => {
    expect((await books.audit()).contradictions).toEqual([])
    return (await books.accountNamed('good')).chargedMicroUsd
  })
  console.info(`${compared} answers compared, ${JSON.stringify(Object.fromEntries(disturbed))}`)
  expect(charged).toBe(costMicroUsd)
})

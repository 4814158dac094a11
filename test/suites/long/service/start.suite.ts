/** How a service starts: alone on its port, on the snapshots that are named, with a key that somebody sees, and what it says then. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import {
  copyDefaultSnapshot,
  defaultSnapshots,
  type Ended,
  endOf,
  entry,
  run,
  start,
} from '../../../support/program.ts'
import { readStarted, type Started } from '../../../support/started.ts'

const target = '/api/v1/match?handle=SenCapito'

/** The line of a service that serves, or how it ended; and its end at a signal. It ends with the test. */
async function startOrEnd(words: readonly string[]) {
  const child = start(['serve', '--threads', '2', '--json', ...words])
  const ended = endOf(child)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  onTestFinished(async () => void (await stop('SIGKILL')))
  const line = once(createInterface(child.stdout!), 'line').then(([first]) => String(first))
  const outcome = await Promise.race([line.then((text) => readStarted(text)), ended])
  return { outcome, stop }
}

async function outcomeOf(words: readonly string[]): Promise<Started | Ended> {
  return (await startOrEnd(words)).outcome
}

/** Some containers have no IPv6 at all. */
const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') === true
const hosts = ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['::1'] : [])]

describe('a port', () => {
  const wordsAt = (host: string, port: number | string) => [
    ...['--host', host, '--port', String(port), '--snapshots', defaultSnapshots],
    ...['--data', temporaryDirectory()],
  ]

  it.each(hosts)(
    'of %s goes to one of the services that want it at the same time',
    async (host) => {
      const port = await freePort(host)
      const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(wordsAt(host, port))))
      const refused = outcomes.filter((outcome): outcome is Ended => 'exitCode' in outcome)
      expect(refused.map(({ exitCode }) => exitCode)).toEqual([1, 1])
      for (const { stderr } of refused)
        expect(stderr).toMatch(/^cannot listen on .*EADDRINUSE.*\n$/m)
    },
  )

  it.runIf(hasIpv6)(
    'that a service of every address has is refused to one of a single address',
    async () => {
      const first = (await outcomeOf(wordsAt('::', 0))) as Started
      const port = new URL(first.address).port
      for (const host of ['127.0.0.1', '0.0.0.0', '::1']) {
        expect(await outcomeOf(wordsAt(host, port))).toMatchObject({ exitCode: 1 })
      }
    },
  )
})

describe('snapshots', () => {
  const notice =
    'snapshots: no such directory yet, so answers come from the example records; publish your own with: authority-index sync --source DIR'

  it('of nobody are those of the example for get, which says so and makes no directory', async () => {
    const directory = temporaryDirectory()
    const got = await run(['get', '/api/v1/match?handle=@SenCapito'], { directory })
    expect([got.exitCode, got.stderr]).toEqual([0, `${notice}\n`])
    expect(JSON.parse(got.stdout).results).toMatchObject([{ name: 'Shelley Moore Capito' }])
    expect(existsSync(join(directory, 'snapshots'))).toBe(false)
  })

  it('of a directory that is named are never those of the example', async () => {
    const directory = temporaryDirectory()
    const missing = join(directory, 'missing')
    const words = ['serve', '--port', '0', '--threads', '1', '--snapshots', missing]
    const { exitCode, stderr } = await run(words, { directory })
    expect([exitCode, stderr]).toEqual([
      1,
      `${missing}: no snapshot to serve; publish one with: authority-index sync --source DIR\n`,
    ])
  })
})

async function accountsIn(data: string) {
  return JSON.parse((await run(['account', 'list', '--data', data, '--json'])).stdout)
}

async function statusWith(key: string | undefined, address: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, connection: 'close' }
  return (await fetch(`${address}${target}`, { headers })).status
}

describe('the first key', () => {
  const startedOnce = async (...words: string[]) => {
    const data = join(temporaryDirectory(), 'data')
    const places = ['--port', '0', '--snapshots', defaultSnapshots, '--data', data]
    const { outcome, stop } = await startOrEnd([...places, ...words])
    return { data, file: join(data, 'first-key'), started: outcome as Started, stop }
  }

  it('is in a file that the line and the log name, and in neither of them', async () => {
    const { data, file, started, stop } = await startedOnce('--opening-credit', '7.5')
    expect(readFileSync(file, 'utf8').trim()).toBe(started.key)
    expect(await statusWith(started.key, started.address)).toBe(200)
    const { stdout, stderr } = await stop()
    const logged = stderr.split('\n').find((each) => each.includes('"event":"first-key"'))
    for (const said of [stdout, logged]) expect(said).toContain(file)
    expect(stdout + stderr).not.toContain('aik_')
    expect(await accountsIn(data)).toMatchObject([{ account: 'default', balance_usd: 7.499 }])
  })

  it('is not made, and no account, with --first-account none', async () => {
    const { data, file, started, stop } = await startedOnce('--first-account', 'none')
    expect([started.key, existsSync(file)]).toEqual([undefined, false])
    await stop()
    expect(await accountsIn(data)).toEqual([])
  })

  it('is shown by the first start that serves, whatever start has failed before', async () => {
    const directory = temporaryDirectory()
    const snapshots = join(directory, 'snapshots')
    const words = ['--port', '0', '--data', join(directory, 'data'), '--snapshots', snapshots]
    mkdirSync(snapshots)
    expect(await outcomeOf(words)).toMatchObject({ exitCode: 1, stdout: '' })
    copyDefaultSnapshot(snapshots)
    const { address, key } = (await outcomeOf(words)) as Started
    expect(await statusWith(key, address)).toBe(200)
    const { stdout } = await run(['key', 'list', '--data', join(directory, 'data'), '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ account: 'default', state: 'active' }])
  })
})

it.runIf(existsSync('/usr/bin/script') && process.env.AUTHORITY_INDEX_COMMAND === undefined)(
  'a terminal shows the first key, and an address of the explorer whose code is exchanged for it once',
  async () => {
    const data = join(temporaryDirectory(), 'data')
    const places = `--snapshots '${defaultSnapshots}' --data '${data}'`
    const command = `'${process.execPath}' '${entry}' serve --port 0 --threads 1 ${places}`
    const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'])
    onTestFinished(() => void child.kill('SIGKILL'))
    let shown = ''
    for await (const line of createInterface(child.stdout!)) {
      shown += `${line}\n`
      if (line.includes('serving snapshot')) break
    }
    const key = /only now: (aik_\w+)/.exec(shown)?.[1]
    const [, address = '', code = ''] = /open: (http:\S+)\/#code=([\w-]{32})\s/.exec(shown) ?? []
    const exchange = async (body: string, contentType = 'application/json') => {
      const headers = { 'content-type': contentType, connection: 'close' }
      const response = await fetch(`${address}/explorer/key`, { method: 'POST', headers, body })
      return [response.status, ((await response.json()) as { key?: string }).key]
    }
    expect(await exchange(JSON.stringify({ code: `${code.slice(1)}x` }))).toEqual([401, undefined])
    expect(await exchange('{"code":1}')).toEqual([401, undefined])
    expect(await exchange(JSON.stringify({ code }), 'text/plain')).toEqual([415, undefined])
    const both = await Promise.all([1, 2].map(() => exchange(JSON.stringify({ code }))))
    expect(both).toHaveLength(2)
    expect(both).toContainEqual([200, key])
    expect(both).toContainEqual([401, undefined])
    // Ctrl-C: a signal to `script` would leave the service behind.
    child.stdin!.write('\u0003')
    await once(child, 'close')
    expect(shown).not.toContain('#key=')
    expect(existsSync(join(data, 'first-key'))).toBe(false)
  },
)

async function printedBy(words: readonly string[]): Promise<string> {
  const data = temporaryDirectory()
  const child = start(['serve', '--port', '0', '--threads', '1', '--data', data, ...words])
  let printed = ''
  for await (const line of createInterface(child.stdout!)) {
    printed += `${line}\n`
    if (line.includes('serving snapshot')) break
  }
  child.kill('SIGTERM')
  await endOf(child)
  return printed
}

// That it is so is for the tests of the explorer.
it.each([
  ['', 'for browsers of this computer, not through a proxy;', true],
  ['--host 0.0.0.0 --explorer local', 'for browsers of this computer, not through a proxy;', true],
  ['--explorer on', 'for every browser that reaches this address', true],
  ['--explorer off', 'off;', false],
])(
  'a start with %j says whom it serves the explorer, and where it is',
  async (words, reach, isOpen) => {
    const printed = await printedBy(words.split(' ').filter((word) => word !== ''))
    expect(printed).toContain(`\nexplorer: ${reach}`)
    expect(/\nopen: http:\/\/127\.0\.0\.1:\d+\/\n/.test(printed)).toBe(isOpen)
  },
)

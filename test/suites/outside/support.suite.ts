/** The bench itself is like the world: packets, links, disks and clocks are what the suites take them for. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { wireRequest } from '../../../bench/abuse/wire.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { Clients, tally } from './support/clients.ts'
import { Clock, lackOfClocks, together } from './support/clock.ts'
import {
  type Fault,
  FaultyDisk,
  lackOfDisks,
  lackOfFaults,
  mountWords,
  SmallDisk,
} from './support/disk.ts'
import { LineProgram } from './support/lines.ts'
import { type Ethernet, openEthernet } from './support/network.ts'
import { TcpProxy } from './support/proxy.ts'

const bodyBytes = 2_000_000

/** A server that is right, on the service's side: it answers `/large` with two megabytes, all else with `ok`. */
async function rightServer({ besideService, serviceHost }: Ethernet) {
  const text = `
    const server = require('node:http').createServer((request, response) => {
      const body = request.url === '/large' ? 'x'.repeat(${bodyBytes}) : 'ok'
      response.writeHead(200, { 'content-length': body.length }).end(body)
    })
    server.listen(0, '${serviceHost}', () => console.log(JSON.stringify({ port: server.address().port })))`
  const program = new LineProgram([...besideService, process.execPath, '-e', text])
  onTestFinished(() => program.close())
  return { host: serviceHost, ...(await program.next<{ port: number }>()) }
}

/** An Ethernet with clients and a right server. */
async function scene(isAllowed?: boolean) {
  const ethernet = openEthernet(isAllowed)
  onTestFinished(ethernet.close)
  const clients = new Clients(ethernet)
  onTestFinished(() => clients.close())
  return { ethernet, clients, to: await rightServer(ethernet) }
}

const small = wireRequest('/small')
const large = wireRequest('/large')

describe('the network', () => {
  test('has packets of an Ethernet, or says that only the segments of clients are like it', async () => {
    const { ethernet, clients, to } = await scene()
    console.log(ethernet.notes.join('; '))
    expect(tally(await clients.run({ to, text: large, count: 4 }))).toEqual({ 'whole 200': 4 })
    const packet = ethernet.bytesPerPacket()
    if (ethernet.kind === 'namespaces') expect(packet).toBeLessThanOrEqual(1_514)
    else expect(ethernet.notes.join()).toContain('no namespaces: ')
  })

  test.skipIf(lackOfFaults())(
    'is loopback with small segments where no namespace can be made',
    async () => {
      const { ethernet, clients, to } = await scene(false)
      expect(ethernet.kind).toBe('segments')
      expect(tally(await clients.run({ to, text: large }))).toEqual({ 'whole 200': 1 })
      // The client's own word for it: what its socket was given.
      const text =
        'import socket;s=socket.socket();s.connect(("127.0.0.1",' +
        `${to.port}));print(s.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG))`
      const [program, ...words] = [...ethernet.besideClients, 'python3', '-c', text]
      const { stdout } = spawnSync(program!, words, { encoding: 'utf8' })
      expect(Number(stdout)).toBeLessThanOrEqual(1_460)
    },
  )

  test('has clients that read slowly, close a half, wait, leave and reset', async () => {
    const { clients, to } = await scene()
    const slow = { to, text: large, bytesPerSecond: 4_000_000, receiveBuffer: 8_192 }
    const [first, second, third, fourth, fifth] = await Promise.all([
      clients.run(slow),
      clients.run({ to, text: small, halfClose: true, repeat: 1 }),
      clients.run({
        to,
        text: large,
        leaveAfter: 10_000,
        leaveBy: 'reset',
        count: 20,
        together: 5,
      }),
      clients.run({ to, text: small, repeat: 3 }),
      clients.run({ to, text: large, bytesPerSecond: 1_000, seconds: 1 }),
    ])
    expect(tally(first)).toEqual({ 'whole 200': 1 })
    expect(first[0]!.ms).toBeGreaterThan(300)
    expect(tally(second)).toEqual({ 'whole 200': 1 })
    expect(tally(third)).toEqual({ left: 20 })
    expect(third.every(({ got }) => got === 10_000)).toBe(true)
    expect(tally(fourth)).toEqual({ 'whole 200': 3 })
    expect(tally(fifth)).toEqual({ hung: 1 })
  })
})

describe('the proxy', () => {
  test('delays, limits, cuts, resets and half-closes, and changes nothing else', async () => {
    const { ethernet, clients, to } = await scene()
    const proxy = await TcpProxy.start(ethernet, to.port)
    onTestFinished(() => proxy.close())
    const ask = (text: string) => clients.run({ to: proxy, text, keep: true })
    const [plain] = await ask(large)
    expect(plain!.body).toBe('x'.repeat(bodyBytes))
    await proxy.set({ delayMs: 200 })
    const [late] = await ask(small)
    expect([late!.end, late!.ms >= 400]).toEqual(['whole', true])
    await proxy.set({ bytesPerSecond: 2_000_000 })
    const [limited] = await ask(large)
    expect([limited!.end, limited!.ms >= 500]).toEqual(['whole', true])
    await proxy.set({ end: { by: 'cut', after: 50_000 } })
    const [cut] = await ask(large)
    expect([cut!.end, cut!.got]).toEqual(['closed', 50_000])
    await proxy.set({ end: { by: 'reset', after: 50_000 } })
    expect(tally(await ask(large))).toEqual({ reset: 1 })
    await proxy.set({ end: { by: 'half-close', after: small.length, of: 'request' } })
    expect(tally(await ask(small))).toEqual({ 'whole 200': 1 })
  })

  test('ends all connections that are open', async () => {
    const { ethernet, clients, to } = await scene()
    const proxy = await TcpProxy.start(ethernet, to.port)
    onTestFinished(() => proxy.close())
    const waiting = clients.run({ to: proxy, text: 'GET / HTTP/1.1\r\n', count: 5, together: 5 })
    while ((await proxy.open()) < 5) await new Promise((resolve) => setTimeout(resolve, 10))
    await proxy.endAll('reset')
    expect(tally(await waiting)).toEqual({ reset: 5 })
  })
})

const diskLack = lackOfDisks()
if (diskLack !== undefined) console.warn(`not tried: ${diskLack}`)

describe.skipIf(diskLack !== undefined)('a small disk', () => {
  test('takes so many bytes and no more, and takes them again when it is emptied', () => {
    const disk = SmallDisk.mount(1 << 20)
    const file = join(disk.directory, 'file')
    disk.fill(8_192)
    writeFileSync(file, Buffer.alloc(4_096))
    expect(() => writeFileSync(file, Buffer.alloc(65_536))).toThrow('ENOSPC')
    disk.empty()
    writeFileSync(file, Buffer.alloc(65_536))
  })

  test('of a process that was killed is unmounted by the next', () => {
    // Apart from the disks of others, who would unmount this one as well.
    vi.stubEnv('TMPDIR', temporaryDirectory())
    onTestFinished(() => void vi.unstubAllEnvs())
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const left = mkdtempSync(join(tmpdir(), `outside-disk-${pid}-`))
    execFileSync('mount', mountWords(left, 65_536))
    expect(existsSync(left)).toBe(true)
    SmallDisk.mount(1 << 20)
    expect(existsSync(left)).toBe(false)
  })
})

const faultLack = lackOfFaults()
if (faultLack !== undefined) console.warn(`not tried: ${faultLack}`)

/** Does everything that a program does to a file; prints a line for each: its name, and `ok` or the error. */
const deeds = `
  const fs = require('node:fs')
  const [directory] = process.argv.slice(1)
  const file = directory + '/a.data'
  const attempt = (name, deed) => {
    try { deed(); console.log(name, 'ok') } catch (error) { console.log(name, error.code) }
  }
  attempt('open', () => fs.closeSync(fs.openSync(file, 'w')))
  const fd = fs.openSync(file, 'r+')
  attempt('write', () => fs.writeSync(fd, Buffer.alloc(10)))
  attempt('pwrite', () => fs.writeSync(fd, Buffer.alloc(10), 0, 10, 8192))
  attempt('writev', () => fs.writevSync(fd, [Buffer.alloc(10), Buffer.alloc(10)]))
  attempt('pwritev', () => fs.writevSync(fd, [Buffer.alloc(10), Buffer.alloc(10)], 8192))
  attempt('ftruncate', () => fs.ftruncateSync(fd, 100))
  attempt('fsync', () => fs.fsyncSync(fd))
  attempt('fdatasync', () => fs.fdatasyncSync(fd))
  attempt('read', () => fs.readSync(fd, Buffer.alloc(10), 0, 10, 0))
  attempt('copy', () => fs.copyFileSync(file, directory + '/b.data'))
  attempt('rename', () => fs.renameSync(file, directory + '/c.data'))
  attempt('mkdir', () => fs.mkdirSync(directory + '/d.data'))
  fs.writeFileSync(directory + '/other', 'other')`

function failing(fault: Omit<Fault, 'error'> & Partial<Fault>): string[] {
  const disk = FaultyDisk.make()
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'a.data'), '')
  disk.fail({ error: 'EIO', ...fault })
  const env = { ...process.env, ...disk.variables }
  const { stdout } = spawnSync(process.execPath, ['-e', deeds, directory], {
    encoding: 'utf8',
    env,
  })
  expect(readFileSync(join(directory, 'other'), 'utf8')).toBe('other')
  return stdout.split('\n').filter((line) => line !== '' && !line.endsWith(' ok'))
}

describe.skipIf(faultLack !== undefined)('a disk that fails', () => {
  test('fails the calls that it is told, with the error that it is told, and no other', () => {
    expect(failing({ calls: 'write', file: 'a.data' })).toEqual([
      'write EIO',
      'pwrite EIO',
      'writev EIO',
      'pwritev EIO',
      'ftruncate EIO',
    ])
    expect(failing({ calls: 'sync', file: '.data', error: 'ENOSPC' })).toEqual([
      'fsync ENOSPC',
      'fdatasync ENOSPC',
    ])
    expect(failing({ calls: 'read', file: 'a.data' })).toContain('read EIO')
    expect(failing({ calls: 'rename', file: 'c.data', error: 'EROFS' })).toEqual(['rename EROFS'])
    expect(failing({ calls: 'open', file: 'd.data' })).toEqual(['mkdir EIO'])
    expect(failing({ calls: 'any', file: 'b.data', error: 'EROFS' })).toEqual(['copy EROFS'])
  })

  test('fails at an offset only, after so many calls only, or for a time only', async () => {
    const head = { calls: 'write', file: 'a.data' } as const
    expect(failing({ ...head, from: 8_192 })).toEqual([
      'pwrite EIO',
      'pwritev EIO',
      'ftruncate EIO',
    ])
    expect(failing({ ...head, to: 8_192, after: 1 })).toEqual(['writev EIO', 'ftruncate EIO'])
    expect(failing({ ...head, forMs: -1 })).toEqual([])
  })
})

const clockLack = lackOfClocks()
if (clockLack !== undefined) console.warn(`not tried: ${clockLack}`)

describe.skipIf(clockLack !== undefined)('a clock', () => {
  test('is wrong as it is told, also for a process whose disk fails', () => {
    const clock = Clock.make('+25h')
    const env = { ...process.env, ...together(clock.variables, FaultyDisk.make().variables) }
    const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { encoding: 'utf8', env })
    const hours = (Number(stdout) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(25)
  })
})

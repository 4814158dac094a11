import { existsSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announce } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import {
  newScene,
  type Operated,
  oneThread,
  operate,
  swapTo,
  targets,
  until,
  wordOf,
} from '../../support/operated.ts'
import { AnswerReader, headerOf } from '../../support/processes/answer-reader.ts'
import { metricOf } from '../../support/prometheus.ts'
import { expectSixSwapsUnderLoad } from '../../support/swaps-under-load.ts'

describe('a swap', () => {
  it('under load fails no request and mixes no answer', () =>
    expectSixSwapsUnderLoad(['--texts', 'memory']))

  it('is followed by no search for what was asked again and again before it', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    const textOf = async (path: string) => {
      return (await fetch(`${service.address}${path}`, { headers: service.headers })).text()
    }
    const ask = () => textOf('/api/v1/index?query=person7')
    const searches = () => metricOf(service, 'cache_misses_total')
    expect([wordOf(await ask()), wordOf(await ask())]).toEqual(['First', 'First'])
    expect(await searches()).toBe(1)
    await swapTo(service, scene, scene.second)
    expect(wordOf(await ask())).toBe('Second')
    expect(await searches()).toBe(1)
  })
})

/** A connection on which a request was answered, so that the service has accepted it. */
async function connected({ port, headers }: Operated): Promise<Line> {
  const line = new Line(connect(port, '127.0.0.1'), headers.authorization ?? '')
  line.ask(1)
  await until(() => line.answers === 1)
  return line
}

class Line {
  answers = 0
  lastHead = ''
  closed = false
  readonly #socket: Socket
  readonly #request: string

  constructor(socket: Socket, authorization: string) {
    this.#socket = socket
    const lines = ['Host: localhost', `Authorization: ${authorization}`]
    this.#request = `GET ${targets[0]} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.closed = true
    })
    const reader = new AnswerReader(({ head }) => {
      this.answers += 1
      this.lastHead = head
    })
    socket.on('data', (chunk: Buffer) => reader.take(chunk))
  }

  ask(times: number): void {
    this.#socket.write(this.#request.repeat(times))
  }
}

describe('shutdown', () => {
  it('answers what was sent on open connections, and exits with 0', async () => {
    const service = await operate(newScene().directory)
    const lines = await Promise.all(Array.from({ length: 20 }, () => connected(service)))
    for (const line of lines) line.ask(40)
    service.child.kill('SIGTERM')
    const { exitCode, signal } = await service.ended
    expect([exitCode, signal]).toEqual([0, null])
    await until(() => lines.every(({ closed }) => closed))
    expect(lines.map(({ answers }) => answers)).toEqual(lines.map(() => 41))
  })

  it('asks clients that go on asking to close, and exits with 0', async () => {
    const service = await operate(newScene().directory, oneThread)
    const line = await connected(service)
    service.child.kill('SIGTERM')
    // Each answer is followed by the next question, so that the connection is never idle.
    for (let asked = 2; !line.closed; asked += 1) {
      line.ask(1)
      await until(() => line.answers === asked || line.closed)
    }
    expect(headerOf({ head: line.lastHead }, 'Connection')).toBe('close')
    expect(await service.ended).toMatchObject({ exitCode: 0, signal: null })
  })

  it('exits with 0 although a snapshot is being swapped in', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    announce(scene.directory, scene.second)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 0, signal: null })
  })

  it('ends at once at a second signal', async () => {
    // What it reports to holds its end up until the file is gone, with the directory.
    const place = temporaryDirectory()
    const file = join(place, 'stopping')
    const held = `case "$*" in *STOPPING=1*) touch ${file}; while [ -e ${file} ]; do sleep 0.1; done;; esac`
    writeFileSync(join(place, 'systemd-notify'), `#!/bin/sh\n${held}\n`, { mode: 0o755 })
    const variables = { PATH: `${place}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/nobody/notify' }
    const service = await operate(newScene().directory, oneThread, { variables })
    service.child.kill('SIGTERM')
    await until(() => existsSync(file))
    service.child.kill('SIGINT')
    const { exitCode, signal, stderr } = await service.ended
    expect([exitCode, signal]).toEqual([null, 'SIGINT'])
    expect(stderr).not.toContain('Assertion')
  })
})

/**
 * `serve` on a Node that no build of uWebSockets.js fits. The Node that does comes from an npm of the
 * test's own: a shell script that installs a link to this one.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodePackage } from '../../../../src/process/fitting-node.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { until } from '../../../support/operated.ts'
import {
  copyDefaultSnapshot,
  endOf,
  run,
  type Surroundings,
  start,
} from '../../../support/program.ts'

const name = nodePackage(process)
const machine = `${process.platform}-${process.arch}`
const misfit = `no build of uWebSockets.js fits Node ${process.version} on this ${machine} machine`
const goingOn = `${misfit}: going on with Node 22, which npm installs the first time`
/** No other Node comes after Node 22. */
const isLast = process.version.startsWith('v22.')

/** A Node that does not fit, with a cache directory and a PATH of its own. */
function surroundingsIn(place: string, variables: Record<string, string> = {}): Surroundings {
  const nodeWords = [
    '--import',
    join(import.meta.dirname, '..', '..', '..', 'support', 'misfit.mjs'),
  ]
  const own = { XDG_CACHE_HOME: join(place, 'cache'), PATH: join(place, 'bin') }
  return { nodeWords, variables: { ...own, ...variables } }
}

function wordsIn(place: string, data = 'data'): string[] {
  const snapshots = copyDefaultSnapshot(join(place, 'snapshots'))
  const places = ['--snapshots', snapshots, '--data', join(place, data)]
  return ['serve', '--port', '0', '--threads', '1', '--json', ...places]
}

/** Puts an npm in the only directory of PATH, which counts its calls and runs some lines in the directory of `--prefix`. */
function installNpm(place: string, lines: string): () => number {
  const calls = join(place, 'calls')
  const npm = `#!/bin/sh\nPATH=/usr/bin:/bin\necho "$*" >> '${calls}'\ncd "$3"\n${lines}\n`
  mkdirSync(join(place, 'bin'))
  writeFileSync(join(place, 'bin', 'npm'), npm, { mode: 0o755 })
  writeFileSync(calls, '')
  return () => readFileSync(calls, 'utf8').split('\n').length - 1
}

const bin = `node_modules/${name}/bin`
const installing = `mkdir -p ${bin} && ln -s '${process.execPath}' ${bin}/node`

function kept(place: string): string[] {
  const directory = join(place, 'cache', 'authority-index')
  return existsSync(directory) ? readdirSync(directory) : []
}

function begin(words: readonly string[], surroundings: Surroundings): ChildProcess {
  const child = start(words, surroundings)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function addressOf(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface(child.stdout!), 'line')
  return JSON.parse(line).address
}

async function isServed(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Whether this Node can replace its process. */
const canReplace = 'execve' in process

describe.skipIf(isLast)('serve on a Node that nothing fits', () => {
  it('exits with 1 and keeps nothing where npm is missing or fails', async () => {
    const place = temporaryDirectory()
    const without = await run(wordsIn(place), surroundingsIn(place))
    installNpm(place, 'mkdir node_modules; echo no network >&2; exit 3')
    const failing = await run(wordsIn(place), surroundingsIn(place))
    const refusal = `npm cannot install ${name}@22`
    expect([without, failing]).toMatchObject([
      {
        exitCode: 1,
        stdout: '',
        stderr: `${goingOn}\n${refusal}: spawn npm ENOENT; use Node 22\n`,
      },
      { exitCode: 1, stdout: '', stderr: `${goingOn}\nno network\n${refusal}: 3; use Node 22\n` },
    ])
    expect([existsSync(join(place, 'data')), kept(place)]).toEqual([false, []])
  })

  it('exits with 1 and keeps nothing where the Node of npm does not run', async () => {
    const place = temporaryDirectory()
    installNpm(place, `mkdir -p ${bin} && echo cut off > ${bin}/node`)
    const { exitCode, stderr } = await run(wordsIn(place), surroundingsIn(place))
    expect([exitCode, kept(place)]).toEqual([1, []])
    expect(stderr).toMatch(/^[^\n]*\n[^\n]* does not run here: [^\n]*\n$/)
  })

  it('ends at a signal while npm is at work, and keeps nothing', async () => {
    const place = temporaryDirectory()
    const calls = installNpm(place, 'exec sleep 60')
    const child = begin(wordsIn(place), surroundingsIn(place))
    const ended = endOf(child)
    await until(() => calls() > 0)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ exitCode: 0, stderr: `${goingOn}\n` })
    expect(kept(place)).toEqual([])
  })

  it('exits with 1 and asks no npm where the process cannot be replaced', async () => {
    const place = temporaryDirectory()
    const calls = installNpm(place, installing)
    const surroundings = surroundingsIn(place, { WITHOUT_EXECVE: '1' })
    const { exitCode, stderr } = await run(wordsIn(place), surroundings)
    expect([exitCode, stderr, calls()]).toEqual([1, `${misfit}; use Node 22\n`, 0])
  })

  it.skipIf(!canReplace)(
    'serves with the one Node that several starts install at once, and a later start asks npm no more',
    async () => {
      const place = temporaryDirectory()
      const calls = installNpm(place, installing)
      const surroundings = surroundingsIn(place)
      const services = ['one', 'two', 'three'].map((data) =>
        begin(wordsIn(place, data), surroundings),
      )
      for (const service of services) expect(await isServed(await addressOf(service))).toBe(true)
      expect(kept(place)).toEqual([`${name}-22`])
      const before = calls()
      await addressOf(begin(wordsIn(place, 'four'), surroundings))
      expect(calls()).toBe(before)
    },
  )

  it.skipIf(!canReplace)(
    'is the same process with another Node, up to its signals and its exit code',
    async () => {
      const place = temporaryDirectory()
      installNpm(place, installing)
      const child = begin(wordsIn(place), surroundingsIn(place))
      const ended = endOf(child)
      expect(await isServed(await addressOf(child))).toBe(true)
      child.kill('SIGINT')
      const { exitCode, stderr } = await ended
      const [first, ...lines] = stderr.trimEnd().split('\n')
      expect([exitCode, first]).toEqual([0, goingOn])
      const events = lines.map((line) => JSON.parse(line).event)
      expect(events).toEqual(['started', 'first-key', 'stopped'])
    },
  )
})

describe('commands that do not serve', () => {
  it('run on any Node', async () => {
    const place = temporaryDirectory()
    const words = ['get', '/api/v1/match?handle=sencapito', '--snapshots']
    const snapshots = copyDefaultSnapshot(join(place, 'snapshots'))
    const { exitCode, stderr } = await run([...words, snapshots], surroundingsIn(place))
    expect([exitCode, stderr]).toEqual([0, ''])
  })
})

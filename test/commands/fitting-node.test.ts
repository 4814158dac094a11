/**
 * `serve` on a Node that no build of uWebSockets.js fits. The Node that does is already kept: a shell
 * script of its size that runs this one.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { goOnWithFittingNode } from '../../src/commands/fitting-node.ts'
import { pinnedNodes } from '../../src/process/pinned-node.ts'
import { temporaryDirectory } from '../built.ts'
import { copyDefaultSnapshot, endOf, run, type Surroundings, start } from '../program.ts'

const pinned = pinnedNodes[`${process.platform}-${process.arch}`]!
const machine = `${process.platform}-${process.arch}`
const misfit = `no build of uWebSockets.js fits Node ${process.version} on this ${machine} machine`

/** Node 22.15 and later can put another program in the place of a process; Node 20 cannot. */
const canReplace = 'execve' in process

/** Without npm, and with a cache directory of its own. */
function surroundingsIn(place: string, variables: Record<string, string> = {}): Surroundings {
  const nodeWords = ['--import', join(import.meta.dirname, '..', 'misfit.mjs')]
  const own = { XDG_CACHE_HOME: join(place, 'cache'), PATH: join(place, 'no-bin') }
  return { nodeWords, variables: { ...own, ...variables } }
}

function wordsIn(place: string): string[] {
  const snapshots = copyDefaultSnapshot(join(place, 'snapshots'))
  const places = ['--snapshots', snapshots, '--data', join(place, 'data')]
  return ['serve', '--port', '0', '--threads', '1', '--json', ...places]
}

/** Keeps a Node in a cache directory that runs as this one does, and fits. */
function keepNode(place: string): string {
  const bin = join(place, 'cache', 'authority-index', `${pinned.name}-${pinned.version}`, 'bin')
  mkdirSync(bin, { recursive: true, mode: 0o700 })
  const node = join(bin, 'node')
  const script = `#!/bin/sh
    [ "$1" = --version ] && { echo v${pinned.version}; exit; }
    NODE_FITS=1 exec "${process.execPath}" "$@"
    exit\n`
  writeFileSync(node, script, { mode: 0o755 })
  truncateSync(node, pinned.bytes)
  return node
}

describe('serve on a Node that nothing fits', () => {
  it('says so in one line and exits with 1 where none that fits can be had', async () => {
    const place = temporaryDirectory()
    const { exitCode, stdout, stderr } = await run(wordsIn(place), surroundingsIn(place))
    const wanted = canReplace
      ? `${misfit}, and ${pinned.name} ${pinned.version} cannot be taken from npm: spawn npm ENOENT\n`
      : `${misfit}: run it with Node 22\n`
    expect([exitCode, stdout, stderr]).toEqual([1, '', wanted])
    expect(existsSync(join(place, 'data'))).toBe(false)
    const kept = join(place, 'cache', 'authority-index')
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([])
  })

  it('is the same process with another Node, up to its signals and its exit code', async () => {
    const place = temporaryDirectory()
    keepNode(place)
    const child = start(wordsIn(place), surroundingsIn(place))
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = endOf(child)
    if (canReplace) {
      const [line] = await once(createInterface(child.stdout!), 'line')
      expect((await fetch(`${JSON.parse(line).address}/healthz`)).status).toBe(200)
      child.kill('SIGINT')
    }
    const { exitCode, stderr } = await ended
    const [first, ...lines] = stderr.trimEnd().split('\n')
    expect([exitCode, first]).toEqual(
      canReplace
        ? [0, `${misfit}: going on with Node ${pinned.version}`]
        : [1, `${misfit}: run it with Node 22`],
    )
    const events = lines.map((line) => JSON.parse(line).event)
    expect(events).toEqual(canReplace ? ['started', 'stopped'] : [])
  })

  it('does not try for ever: a Node that was kept is replaced by none', async () => {
    const place = temporaryDirectory()
    const terminal = { report: expect.unreachable, interactive: false }
    const surroundings = {
      execPath: keepNode(place),
      machine,
      cacheDirectories: [join(place, 'cache', 'authority-index')],
      userId: process.getuid!(),
      replaceNode: expect.unreachable,
      setVariable: expect.unreachable,
    }
    const gone = goOnWithFittingNode(surroundings, terminal, new Promise(() => {}))
    await expect(gone).rejects.toMatchObject({ code: 'no-fitting-node', message: misfit })
  })
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

/**
 * `serve` on a Node that no build of uWebSockets.js fits. The Node that does comes from an npm of the
 * test's own: a shell script that runs this one.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { goOnWithFittingNode } from '../../../src/commands/fitting-node.ts'
import { pinnedNodes } from '../../../src/process/pinned-node.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { copyDefaultSnapshot, endOf, run, type Surroundings, start } from '../../support/program.ts'

const pinned = pinnedNodes[`${process.platform}-${process.arch}`]!
const machine = `${process.platform}-${process.arch}`
const misfit = `no build of uWebSockets.js fits Node ${process.version} on this ${machine} machine`

/** Node 22.15 and later can put another program in the place of a process; Node 20 cannot. */
const canReplace = 'execve' in process

/** Without npm, and with a cache directory of its own. */
function surroundingsIn(place: string, variables: Record<string, string> = {}): Surroundings {
  const nodeWords = ['--import', join(import.meta.dirname, '..', '..', 'support', 'misfit.mjs')]
  const own = { XDG_CACHE_HOME: join(place, 'cache'), PATH: join(place, 'no-bin') }
  return { nodeWords, variables: { ...own, ...variables } }
}

function wordsIn(place: string): string[] {
  const snapshots = copyDefaultSnapshot(join(place, 'snapshots'))
  const places = ['--snapshots', snapshots, '--data', join(place, 'data')]
  return ['serve', '--port', '0', '--threads', '1', '--json', ...places]
}

/** Where a pinned Node is kept. */
function nodeIn(place: string): string {
  const name = `${pinned.name}-${pinned.version}`
  return join(place, 'cache', 'authority-index', name, 'bin', 'node')
}

/** Puts an npm in the only directory of PATH, which installs a Node that runs as this one, and fits. */
function installNpm(place: string): void {
  const node = join(place, 'node')
  const script = `#!/bin/sh
    [ "$1" = --version ] && { echo v${pinned.version}; exit; }
    NODE_FITS=1 exec "${process.execPath}" "$@"\n`
  writeFileSync(node, script, { mode: 0o755 })
  const npm = `#!/bin/sh
    PATH=/usr/bin:/bin
    package=node_modules/${pinned.name}
    mkdir -p $package/bin && cp '${node}' $package/bin/node && touch $package/LICENSE\n`
  mkdirSync(join(place, 'no-bin'))
  writeFileSync(join(place, 'no-bin', 'npm'), npm, { mode: 0o755 })
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
    installNpm(place)
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
    expect(events).toEqual(canReplace ? ['started', 'first-key', 'stopped'] : [])
  })

  it('does not try for ever: a Node that was kept is replaced by none', async () => {
    const place = temporaryDirectory()
    const terminal = { report: expect.unreachable, interactive: false }
    const surroundings = {
      execPath: nodeIn(place),
      machine,
      cacheDirectories: [join(place, 'cache', 'authority-index')],
      userId: process.getuid!(),
      notifySocket: undefined,
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

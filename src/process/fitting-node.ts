/**
 * Node 22 from npm, for a program on a Node that no build of uWebSockets.js fits. npm installs it once into a cache
 * directory. The program then goes on with it: the same process with the same words.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { Refusal } from '../problems.ts'
import { cacheDirectoriesOf, keep } from './cached-tool.ts'

export function nodePackage({ platform, arch }: NodeJS.Process): string {
  const machine = `${platform}-${arch}`
  return machine === 'darwin-arm64' ? `node-bin-${machine}` : `node-${machine}`
}

/**
 * Goes on with Node 22, which takes the place of this process. Comes back when it was interrupted while npm installed
 * that.
 * @param report gets one line about the Node that does not fit.
 * @throws Refusal `no-fitting-node`, `no-cache`.
 */
export async function goOnWithFittingNode(
  self: NodeJS.Process,
  report: (line: string) => void,
  interrupted: Promise<void>,
): Promise<void> {
  const machine = `${self.platform}-${self.arch}`
  const misfit = `no build of uWebSockets.js fits Node ${self.version} on this ${machine} machine`
  if (isSea() || self.version.startsWith('v22.')) throw new Refusal('no-fitting-node', misfit)
  // The types are those of Node 20, which has no `execve`: 23.11 is the first that has it.
  const { execve } = self as { execve?: (file: string, words: string[], env: object) => void }
  if (execve === undefined) throw new Refusal('no-fitting-node', `${misfit}; use Node 22`)
  report(`${misfit}: going on with Node 22, which npm installs the first time`)
  const controller = new AbortController()
  void interrupted.then(() => controller.abort())
  try {
    const node = await nodeFromNpm(`${nodePackage(self)}@22`, self, controller.signal)
    execve.call(self, node, [node, ...self.execArgv, ...self.argv.slice(1)], self.env)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  }
}

/**
 * The path of a Node that npm has installed into a cache directory; some seconds the first time.
 * @throws Refusal `no-fitting-node` if npm cannot install it or it does not run here, `no-cache`.
 */
export async function nodeFromNpm(
  spec: string,
  self: NodeJS.Process,
  signal?: AbortSignal,
): Promise<string> {
  const [name, version] = spec.split('@')
  const nodeIn = (directory: string) => join(directory, 'node_modules', name!, 'bin', 'node')
  const tool = {
    name: `${name}-${version}`,
    isWhole: (directory: string) => existsSync(nodeIn(directory)),
    fill: async (directory: string) => {
      await install(spec, directory, signal)
      checkRuns(nodeIn(directory))
    },
  }
  return nodeIn(await keep(tool, cacheDirectoriesOf(self), self.getuid?.()))
}

/** npm checks the package against the hash in the registry. It writes its errors to stderr, also below `npm --silent`. */
const npmWords = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
/** Without network npm would try for more than a minute. */
const networkWords = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']

async function install(spec: string, directory: string, signal?: AbortSignal): Promise<void> {
  const words = ['install', '--prefix', directory, ...npmWords, ...networkWords, spec]
  const npm = spawn('npm', words, {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
    // npm ignores SIGTERM.
    killSignal: 'SIGKILL',
  })
  const [code] = await once(npm, 'close').catch(({ message }: Error) => [message])
  if (code === 0) return
  throw new Refusal('no-fitting-node', `npm cannot install ${spec}: ${code}; use Node 22`)
}

function checkRuns(node: string): void {
  try {
    execFileSync(node, ['--version'], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const reason = (error as Error).message.replaceAll('\n', ' ')
    throw new Refusal('no-fitting-node', `${node} does not run here: ${reason}`)
  }
}

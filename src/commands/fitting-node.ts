/**
 * A command on a Node that no build of uWebSockets.js fits goes on in the same process with the pinned Node, which is
 * taken from npm the first time, and says so in one line.
 */

import { isSea } from 'node:sea'
import { Refusal } from '../problems.ts'
import { cacheDirectoriesOf } from '../process/cached-tool.ts'
import { pinnedNodePath, pinnedNodes } from '../process/pinned-node.ts'
import type { Progress, ProgressTerminal } from '../sync/progress.ts'

/** The process as it was started. */
export interface ProcessContext {
  /** `process.execPath`. */
  readonly execPath: string
  /** The machine as `process.platform`-`process.arch`. */
  readonly machine: string
  /** Directories in which a Node may be kept, best first. */
  readonly cacheDirectories: readonly string[]
  readonly userId: number
  /** Socket at which systemd takes the states of a service; undefined without systemd. */
  readonly notifySocket: string | undefined
  /**
   * Puts the given Node in the place of this one, with the same words, signals and process id; does
   * not return. Undefined if a process cannot be replaced: Node 23.0 to 23.10, the single file.
   */
  readonly replaceNode: ((node: string) => void) | undefined
  /** Sets a variable of the process, for code that reads the environment by itself. */
  readonly setVariable: (name: string, value: string) => void
}

/** The surroundings of this process. */
export function surroundingsOf(self: NodeJS.Process): ProcessContext {
  const userId = self.getuid?.() ?? 0
  const { NOTIFY_SOCKET: notifySocket } = self.env
  return {
    execPath: self.execPath,
    machine: `${self.platform}-${self.arch}`,
    cacheDirectories: cacheDirectoriesOf(self),
    userId,
    notifySocket,
    replaceNode: replacementIn(self),
    setVariable: (name, value) => {
      self.env[name] = value
    },
  }
}

/** Replaces the process instead of starting a child: no signal or exit code has to be passed on, no child orphaned. */
function replacementIn(self: NodeJS.Process): ProcessContext['replaceNode'] {
  // The types are those of Node 20, which has no `execve`.
  const { execve } = self as { execve?: (file: string, words: string[], env: object) => void }
  if (execve === undefined || isSea()) return undefined
  const words = [...self.execArgv, ...self.argv.slice(1)]
  return (node) => execve.call(self, node, [node, ...words], self.env)
}

/**
 * Goes on with a Node that fits; comes back only when it was interrupted while that was taken.
 * @throws Refusal `no-fitting-node`, `no-cache`.
 */
export async function goOnWithFittingNode(
  surroundings: ProcessContext,
  terminal: ProgressTerminal,
  interrupted: Promise<void>,
): Promise<void> {
  const { cacheDirectories: places, userId, machine } = surroundings
  const misfit = `no build of uWebSockets.js fits Node ${process.version} on this ${machine} machine`
  const { pinned, replaceNode } = fallback(surroundings, misfit)
  const controller = new AbortController()
  void interrupted.then(() => controller.abort())
  const { signal } = controller
  const line = `${misfit}: going on with Node ${pinned.version}`
  // Every command loads this file, and few draw a bar.
  const { createProgress } = await import('../sync/progress.ts')
  const phase = `taking Node ${pinned.version} from npm, once`
  const progress = progressAfter(line, terminal, () => createProgress(terminal), phase)
  try {
    const options = { places, userId, signal, onProgress: progress.update }
    const node = await pinnedNodePath(pinned, options)
    progress.stop()
    replaceNode(node)
  } catch (error) {
    progress.abandon()
    if (signal.aborted) return
    if (error instanceof Refusal) throw new Refusal(error.code, `${misfit}, and ${error.message}`)
    throw error
  }
}

/** The Node to go on with, and the way to it. @throws Refusal `no-fitting-node` if there is no way. */
function fallback(surroundings: ProcessContext, misfit: string) {
  const { machine, execPath, cacheDirectories, replaceNode } = surroundings
  const pinned = pinnedNodes[machine]
  if (cacheDirectories.some((place) => execPath.startsWith(place))) {
    throw new Refusal('no-fitting-node', misfit)
  }
  if (pinned !== undefined && replaceNode !== undefined) return { pinned, replaceNode }
  throw new Refusal('no-fitting-node', `${misfit}: run it with Node 22`)
}

/**
 * Progress that begins with a line, and does not begin before there is some: what fails at once says
 * so in one line of its own.
 */
function progressAfter(
  line: string,
  terminal: ProgressTerminal,
  create: () => Progress,
  phase: string,
) {
  let progress: Progress | undefined
  return {
    update: (fraction: number) => {
      if (progress === undefined) {
        terminal.report(line)
        progress = create()
        progress.phase(phase)
      }
      progress.update(fraction)
    },
    /** All is there, and the line is said. */
    stop: () => {
      if (progress === undefined) terminal.report(line)
      progress?.stop()
    },
    abandon: () => progress?.stop(),
  }
}

/**
 * What a command does on a Node that no build of uWebSockets.js fits: it goes on in the same process
 * with the pinned Node, which is taken from npm the first time, and says so in one line.
 */

import { homedir, tmpdir } from 'node:os'
import { isSea } from 'node:sea'
import { Refusal } from '../problems.ts'
import { cacheDirectories } from '../process/cache-directory.ts'
import { pinnedNodePath, pinnedNodes } from '../process/pinned-node.ts'
import { createProgress, type Progress, type ProgressTerminal } from '../sync/progress.ts'

/** The process as it was started. */
export interface Surroundings {
  /** `process.execPath`. */
  readonly execPath: string
  /** As `process.platform`-`process.arch` name it. */
  readonly machine: string
  /** Where a Node may be kept, best first. */
  readonly cacheDirectories: readonly string[]
  readonly userId: number
  /**
   * Puts the given Node in the place of this one, with the same words, signals and process id; does
   * not return. Undefined where a process cannot be replaced: Node 23.0 to 23.10, the single file.
   */
  readonly replaceNode: ((node: string) => void) | undefined
}

/** The surroundings of a process: of this one. */
export function surroundingsOf(self: NodeJS.Process): Surroundings {
  const userId = self.getuid?.() ?? 0
  const { XDG_CACHE_HOME: cacheHome } = self.env
  return {
    execPath: self.execPath,
    machine: `${self.platform}-${self.arch}`,
    cacheDirectories: cacheDirectories({ cacheHome, home: homedir(), temporary: tmpdir(), userId }),
    userId,
    replaceNode: replacementIn(self),
  }
}

/** In place of a child: nothing has to pass signals and exit codes on, and nobody is orphaned. */
function replacementIn(self: NodeJS.Process): Surroundings['replaceNode'] {
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
  surroundings: Surroundings,
  terminal: ProgressTerminal,
  interrupted: Promise<void>,
): Promise<void> {
  const { machine, cacheDirectories, userId, replaceNode } = surroundings
  const pinned = pinnedNodes[machine]
  const misfit = `no build of uWebSockets.js fits Node ${process.version} on this ${machine} machine`
  const isKept = cacheDirectories.some((place) => surroundings.execPath.startsWith(place))
  if (pinned === undefined || replaceNode === undefined || isKept) {
    throw new Refusal('no-fitting-node', isKept ? misfit : `${misfit}: run it with Node 22`)
  }
  const controller = new AbortController()
  void interrupted.then(() => controller.abort())
  const { signal } = controller
  const progress = latentProgress(terminal, pinned.version)
  try {
    const onProgress = progress.update
    const options = { places: cacheDirectories, userId, signal, onProgress }
    const node = await pinnedNodePath(pinned, options)
    progress.stop()
    terminal.report(`${misfit}: going on with ${node}`)
    replaceNode(node)
  } catch (error) {
    progress.stop()
    if (signal.aborted) return
    if (error instanceof Refusal) throw new Refusal(error.code, `${misfit}, and ${error.message}`)
    throw error
  }
}

/** Progress that is silent until there is some: what fails at once says so in one line. */
function latentProgress(
  terminal: ProgressTerminal,
  version: string,
): Pick<Progress, 'update' | 'stop'> {
  let progress: Progress | undefined
  return {
    update: (fraction) => {
      if (progress === undefined) {
        progress = createProgress(terminal)
        progress.phase(`taking Node ${version} from npm, once`)
      }
      progress.update(fraction)
    },
    stop: () => progress?.stop(),
  }
}

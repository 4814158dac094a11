/** Handles as they were sent, and what they mean. */
import { isMoreThanName } from '../../text/bare-names.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'

export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** An address costs up to 10 µs. */
export function readHandle(sent: string): SentHandle {
  return { sent, query: parseHandle(sent) }
}

const bareName = /^@?[\w.-]+$/

/** The key of a handle that is a name and nothing else, the same in any spelling; undefined for any other. */
export function nameIn(handle: string): string | undefined {
  if (!bareName.test(handle)) return undefined
  const key = handle.replace('@', '').toLowerCase()
  return isMoreThanName(key) ? undefined : key
}

/** Each different handle once, in any spelling, as it was sent first. */
export function distinctHandles(sent: readonly string[]): readonly SentHandle[] {
  const byIdentity = new Map<string, SentHandle>()
  for (const handle of sent.map(readHandle)) {
    const { platform = '', key } = handle.query
    const identity = `${platform}:${key}`
    if (!byIdentity.has(identity)) byIdentity.set(identity, handle)
  }
  return [...byIdentity.values()]
}

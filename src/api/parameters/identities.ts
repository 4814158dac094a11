/** Handles as requests send them, with their meaning. */
import { type HandleQuery, parseHandle } from '../../text/handle.ts'

export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** An address costs up to 10 µs. */
export function readHandle(sent: string): SentHandle {
  return { sent, query: parseHandle(sent) }
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

/**
 * An MCP tool call over HTTP beside the plain route that it asks, in both revisions of the protocol. One
 * connection asks in turn; the kinds take turns too.
 */
import { table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import { Caller, legacy, type Message, modern, plain } from './tool-calls.ts'

/** How one kind of request fared; times in microseconds, from sending to the end of the answer. */
export interface ToolRow {
  readonly kind: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  readonly ratio: number
}

const kinds: Readonly<Record<string, Message>> = {
  'plain route': plain,
  'tool call, 2026-07-28': modern,
  'tool call, 2025-11-25': legacy,
}

/** Asks each kind so often in each of some rounds, and in one more that warms up. */
export async function measureTools(
  port: number,
  key: string,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
): Promise<ToolRow[]> {
  const times = Object.keys(kinds).map(() => [] as number[])
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, message] of Object.values(kinds).entries()) {
      const caller = new Caller(port, key)
      for (let asked = 0; asked < requests; asked += 1) {
        const startedMs = performance.now()
        await caller.ask(message)
        if (round > 0) times[at]!.push((performance.now() - startedMs) * 1000)
      }
      caller.close()
    }
  }
  const plainUs = shareOf(
    times[0]!.sort((a, b) => a - b),
    0.5,
  )
  return Object.keys(kinds).map((kind, at) => {
    const sorted = times[at]!.sort((a, b) => a - b)
    const p50Us = shareOf(sorted, 0.5)
    const p99Us = shareOf(sorted, 0.99)
    return { kind, requests: sorted.length, p50Us, p99Us, ratio: p50Us / plainUs }
  })
}

export function toolLines(rows: readonly ToolRow[]): string[] {
  return table(rows, {
    request: ({ kind }) => kind,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
    'p50 ratio': ({ ratio }) => ratio.toFixed(1),
  })
}

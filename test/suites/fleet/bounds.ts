/**
 * What each node of a fleet may give away and lose, as docs/fleet.md states it: reckoned from what
 * customers saw of that node, and of no other.
 */

/** Something that was done to a node. Milliseconds since the epoch. */
export interface Disturbance {
  readonly node: number
  /** Killed, or stopped for longer than a lease lives. */
  readonly kind: 'kill' | 'stop'
  readonly atMs: number
  /** When it was back; until then come only answers that had been given before. */
  readonly untilMs: number
}

/** A 200, or an attempt that broke and may have been sold, when it was seen. */
export interface Answer {
  readonly node: number
  readonly atMs: number
}

/** Queries. */
interface Bounds {
  readonly givenAwayMax: number
  readonly lostMax: number
}

/** What a node may have sold and not told: the life of a lease. */
const untoldMs = 5_000
/** What a node may have sold and not written into its outbox, on a busy machine, and how often it looks. */
const unwrittenMs = 2_000 + 50
/** In what time a node that stood still has seen that it did. */
const noticedMs = 500

/** The bounds of one node. */
export function boundsOf(
  node: number,
  answers: readonly Answer[],
  disturbances: readonly Disturbance[],
): Bounds {
  const own = answers.filter((answer) => answer.node === node)
  const done = disturbances.filter((each) => each.node === node)
  const untold = done.map(({ kind, atMs, untilMs }) => ({
    // While the database is away it stops selling, and has that still to tell.
    fromMs: lastBefore(own, atMs) - untoldMs,
    untilMs: kind === 'stop' ? untilMs + noticedMs : untilMs,
  }))
  const unwritten = done
    .filter(({ kind }) => kind === 'kill')
    .map(({ atMs, untilMs }) => ({ fromMs: atMs - unwrittenMs, untilMs }))
  return { givenAwayMax: countWithin(own, untold), lostMax: countWithin(own, unwritten) }
}

function lastBefore(answers: readonly Answer[], atMs: number): number {
  const before = answers.filter((answer) => answer.atMs <= atMs)
  return Math.min(atMs, before.at(-1)?.atMs ?? atMs)
}

/** How many are within any of some times, each counted once. */
function countWithin(
  answers: readonly Answer[],
  times: readonly { readonly fromMs: number; readonly untilMs: number }[],
): number {
  const isWithin = ({ atMs }: Answer) =>
    times.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs <= untilMs)
  return answers.filter(isWithin).length
}

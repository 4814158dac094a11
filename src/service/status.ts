/** The facts of a service in metrics and `/readyz`. Figures that are not known are undefined. */
import type { Stability } from '../snapshot/changes/change.ts'
import type { MirroringState } from './mirror/mirroring.ts'

/** A text with file names only: full paths are for the log. */
export function withoutPaths(text: string): string {
  return text.replace(/(?:file:\/)?(?:[\w.~@%+-]*\/)+(?=[\w.])/g, '')
}

/** A time as ISO 8601; null where there is none. @param milliseconds since the epoch. */
export function timeText(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString()
}

/** Seconds since a time. @param atMs milliseconds since the epoch, as is `nowMs`. */
export function ageSeconds(atMs: number | undefined, nowMs: number): number | undefined {
  return atMs === undefined ? undefined : Math.max(0, nowMs - atMs) / 1000
}

export function mirrorFigures(state: MirroringState | undefined, nowMs: number) {
  return {
    mirror_behind: state && state.announced - state.number,
    mirror_contact_age_seconds: ageSeconds(state?.contactAtMs, nowMs),
    mirror_bytes_total: state?.bytes,
    mirror_failures_total: state?.failures,
  }
}

export function mirrorFacts(state: MirroringState | undefined) {
  if (state === undefined) return {}
  const { number, announced, share, contactAtMs, problem } = state
  const told = problem && {
    message: withoutPaths(problem.message),
    at: timeText(problem.atMs),
  }
  const facts = { number, announced, fetched: share ?? null, problem: told ?? null }
  return { mirror: { ...facts, last_contact: timeText(contactAtMs) } }
}

export function stabilityFigures(stability: Stability | null) {
  return {
    first_ten_stayed_mean: stability?.firstTen.mean,
    first_ten_stayed_min: stability?.firstTen.min,
    first_ten_stayed_share: stability?.firstTen.share,
    kendall_tau_mean: stability?.kendallTau.mean,
    kendall_tau_min: stability?.kendallTau.min,
  }
}

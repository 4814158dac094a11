/** The facts of a service in metrics and `/readyz`. Figures that are not known are no numbers. */
import type { Stability } from '../snapshot/changes/change.ts'
import type { MirroringState } from './mirror/mirroring.ts'

const unknown = Number.NaN

/** A text with file names only: full paths are for the log. */
export function withoutPaths(text: string): string {
  return text.replace(/(?:file:\/)?(?:[\w.~@%+-]*\/)+(?=[\w.])/g, '')
}

/** A time as ISO 8601; null where there is none. @param milliseconds since the epoch. */
export function timeText(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString()
}

const unfollowed = { announced: unknown, number: unknown, bytes: unknown, failures: unknown }

export function mirrorFigures(state: MirroringState | undefined) {
  const { announced, number, bytes, failures } = state ?? unfollowed
  return {
    mirror_behind: announced - number,
    mirror_contact_age_seconds: state ? (state.contactAtMs ?? 0) / 1000 : unknown,
    mirror_bytes_total: bytes,
    mirror_failures_total: failures,
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
    first_ten_stayed_mean: stability?.firstTen.mean ?? unknown,
    first_ten_stayed_min: stability?.firstTen.min ?? unknown,
    first_ten_stayed_share: stability?.firstTen.share ?? unknown,
    kendall_tau_mean: stability?.kendallTau.mean ?? unknown,
    kendall_tau_min: stability?.kendallTau.min ?? unknown,
  }
}

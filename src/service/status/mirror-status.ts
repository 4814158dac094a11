/** The facts of the followed object storage in metrics and `/readyz`; none where none is followed. */
import type { MirroringState } from '../mirror/mirroring.ts'
import { timeText, withoutPaths } from './status-texts.ts'

const nothing = Number.NaN

/** Figures of a mirror; of what is not followed they are no numbers. */
export function mirrorFigures(state: MirroringState | undefined) {
  if (state === undefined) {
    return {
      mirror_behind: nothing,
      mirror_contact_age_seconds: nothing,
      mirror_bytes_total: nothing,
      mirror_failures_total: nothing,
    }
  }
  const { announced, number, contactAtMs = 0, bytes, failures } = state
  return {
    mirror_behind: announced - number,
    mirror_contact_age_seconds: contactAtMs / 1000,
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

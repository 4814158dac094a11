/** The kinds of connections as numbers, and which of them endorse both ends. */
import type { ConnectionKind } from '../connection-kinds.ts'

/** For each kind whether both ends of such a connection endorse each other. */
const symmetry: Readonly<Record<ConnectionKind, boolean>> = {
  follows: false,
  mentions: false,
  co_membership: true,
  coauthor: true,
  collaborates: true,
}

/** The kinds in the order of their numbers. */
export const kindNames = Object.keys(symmetry) as readonly ConnectionKind[]

/** The values of `symmetry` by number. */
export const areSymmetric: readonly boolean[] = Object.values(symmetry)

/** The number of a kind. */
export function kindNumberOf(kind: ConnectionKind): number {
  return kindNames.indexOf(kind)
}

/** The kinds of connections that endorse both ends. */
import { type ConnectionKind, connectionKinds } from '../connection-kinds.ts'

/** For each kind whether both ends of such a connection endorse each other. */
const symmetry: Readonly<Record<ConnectionKind, boolean>> = {
  follows: false,
  mentions: false,
  co_membership: true,
  coauthor: true,
  collaborates: true,
}

/** The values of `symmetry` by the number of the kind. */
export const areSymmetric: readonly boolean[] = connectionKinds.map((kind) => symmetry[kind])

/** The kinds of connections, as records write, snapshots keep and answers show them. */

/** The kinds; `follows` and `mentions` are directed, the others hold both ways. */
export const connectionKinds = [
  'follows',
  'mentions',
  'co_membership',
  'coauthor',
  'collaborates',
] as const

/** One of `connectionKinds`. */
export type ConnectionKind = (typeof connectionKinds)[number]

/** The number of a kind: its place in `connectionKinds`. */
export function kindNumberOf(kind: ConnectionKind): number {
  return connectionKinds.indexOf(kind)
}

/** Which names of a graph are written: the greatest first, as long as none lies upon another. */
import { type GraphNode, halfWidth } from './network-graph.ts'

/** About what a letter takes at the size of the names, in units of the picture. */
const letterWidth = 7
const lineHeight = 16

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The indexes of the nodes whose names have room. */
export function labelled(nodes: readonly GraphNode[]): ReadonlySet<number> {
  const order = nodes.map((_, index) => index).sort((a, b) => nodes[b]!.radius - nodes[a]!.radius)
  const taken = nodes.map(circleBox)
  const found = new Set<number>()
  for (const index of order) {
    const box = labelBox(nodes[index]!)
    const own = taken[index]!
    if (box.right > halfWidth || taken.some((other) => other !== own && overlap(box, other)))
      continue
    found.add(index)
    taken.push(box)
  }
  return found
}

function circleBox({ x, y, radius }: GraphNode): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
}

function labelBox({ x, y, radius, name }: GraphNode): Box {
  const left = x + radius + 4
  const right = left + name.length * letterWidth
  return { left, right, top: y - lineHeight / 2, bottom: y + lineHeight / 2 }
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left
  return !isBeside && one.top < other.bottom && other.top < one.bottom
}

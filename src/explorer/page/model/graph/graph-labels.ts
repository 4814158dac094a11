/** The names of a graph that are written: the greatest first, as long as none lies upon another. */
import { type GraphNode, halfWidth } from './network-graph.ts'

/** Approximate width of a letter at the size of the names, in pixels. */
const letterWidth = 7
const lineHeight = 16

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The indexes of the nodes whose names have room. @param unit units of the picture in a pixel. */
export function labelled(nodes: readonly GraphNode[], unit: number): ReadonlySet<number> {
  const order = nodes.map((_, index) => index).sort((a, b) => nodes[b]!.radius - nodes[a]!.radius)
  const taken = nodes.map(circleBox)
  const found = new Set<number>()
  for (const index of order) {
    const box = labelBox(nodes[index]!, unit)
    const own = taken[index]!
    const isHidden = taken.some((other) => other !== own && overlap(box, other))
    if (isHidden || box.right > halfWidth) continue
    found.add(index)
    taken.push(box)
  }
  return found
}

function circleBox({ x, y, radius }: GraphNode): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
}

function labelBox({ x, y, radius, name }: GraphNode, unit: number): Box {
  const left = x + radius + 4
  const right = left + name.length * letterWidth * unit
  const half = (lineHeight * unit) / 2
  return { left, right, top: y - half, bottom: y + half }
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left
  return !isBeside && one.top < other.bottom && other.top < one.bottom
}

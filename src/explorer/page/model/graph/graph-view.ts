/**
 * The visible part of a network's picture, and its changes by fingers and buttons. The point under a finger stays under
 * it, and the part never leaves the picture.
 */
import { halfWidth } from './network-graph.ts'

/** The middle of the part that is seen, and how many times larger it is drawn. */
export interface GraphView {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** A point of the screen, in pixels from the middle of the picture. */
export interface Touch {
  readonly x: number
  readonly y: number
}

/** Maximum magnification; at 1 the whole network is seen. */
export const zoomMax = 6
/** All of a network, as it is seen at first. */
export const wholeView: GraphView = { x: 0, y: 0, zoom: 1 }

/** Units of the picture in a pixel, if the picture takes `pixels` pixels. */
export function unitOf({ zoom }: GraphView, pixels: number): number {
  return (2 * halfWidth) / zoom / pixels
}

/** Larger or smaller by a factor, around a point of the picture. */
export function zoomed({ zoom }: GraphView, { x, y }: Touch, factor: number): GraphView {
  return within({ x, y, zoom: zoom * factor })
}

/**
 * After fingers, or a mouse, have moved: one drags the picture, two also draw it larger by as much as they part.
 * @param from the earlier positions, @param to the present ones in the same order; only the first two count.
 * @param pixels the size of the picture on the screen.
 */
export function moved(
  view: GraphView,
  from: readonly Touch[],
  to: readonly Touch[],
  pixels: number,
): GraphView {
  const before = spanOf(from)
  const after = spanOf(to)
  const apart = before.length === 0 ? 1 : after.length / before.length
  const zoom = bounded(view.zoom * apart, 1, zoomMax)
  const unit = unitOf(view, pixels)
  const unitAfter = unitOf({ ...view, zoom }, pixels)
  const x = view.x + before.x * unit - after.x * unitAfter
  const y = view.y + before.y * unit - after.y * unitAfter
  return within({ x, y, zoom })
}

/** The middle of the first two, and their distance; 0 if there is only one. */
function spanOf([first, second = first]: readonly Touch[]) {
  const { x = 0, y = 0 } = first ?? {}
  const { x: otherX = x, y: otherY = y } = second ?? {}
  return { x: (x + otherX) / 2, y: (y + otherY) / 2, length: Math.hypot(otherX - x, otherY - y) }
}

function within({ x, y, zoom: wanted }: GraphView): GraphView {
  const zoom = bounded(wanted, 1, zoomMax)
  const room = halfWidth - halfWidth / zoom
  return { x: bounded(x, -room, room), y: bounded(y, -room, room), zoom }
}

function bounded(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}

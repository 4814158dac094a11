/**
 * The visible part of a network, as buttons, a mouse and fingers move it. A drag or a pinch is no click: it leads
 * nowhere. One finger on the whole picture scrolls the page.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { GraphWindow } from '../model/graph/graph-labels.ts'
import {
  type GraphView,
  moved,
  type Touch,
  unitOf,
  wholeView,
  zoomed,
} from '../model/graph/graph-view.ts'
import { type GraphNode, halfWidth } from '../model/graph/network-graph.ts'

/** Pixels that a pointer may move between down and up, and still click. */
const clickMovesMax = 8

/** The visible part of the picture: all of it at first, then as it is zoomed, dragged and pinched. */
export function useGraphWindow(nodes: readonly GraphNode[], lit: string) {
  const [view, setView] = useState(wholeView)
  const { svg, pixels } = usePixels()
  const unit = unitOf(view, pixels)
  const window = useMemo<GraphWindow>(
    () => ({ x: view.x, y: view.y, half: halfWidth / view.zoom, unit }),
    [view, unit],
  )
  const zoomBy = (factor: number) =>
    setView((last) => zoomed(last, nodes.find(({ id }) => id !== '' && id === lit) ?? last, factor))
  const onMoved = (from: readonly Touch[], to: readonly Touch[]) =>
    setView((last: GraphView) => moved(last, from, to, pixels))
  return { svg, window, zoom: view.zoom, zoomBy, gestures: useGestures(onMoved) }
}

/** The pixels that the picture, a square, takes of its element. */
function usePixels() {
  const svg = useRef<SVGSVGElement>(null)
  const [pixels, setPixels] = useState(2 * halfWidth)
  useEffect(() => {
    const element = svg.current
    if (element === null) return
    const measure = () =>
      setPixels(Math.min(element.clientWidth, element.clientHeight) || 2 * halfWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { svg, pixels }
}

/** Reports the movements of the pointers that are down. */
function useGestures(onMoved: (from: readonly Touch[], to: readonly Touch[]) => void) {
  const down = useRef(new Map<number, Touch>())
  const path = useRef(0)
  const lift = ({ pointerId }: PointerEvent) => void down.current.delete(pointerId)
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.isPrimary) {
        down.current.clear()
        path.current = 0
      }
      down.current.set(event.pointerId, touchOf(event))
    },
    onPointerMove: (event: PointerEvent) => {
      const before = down.current.get(event.pointerId)
      if (before === undefined) return
      if (event.buttons === 0) return lift(event)
      const from = [...down.current.values()]
      const now = touchOf(event)
      down.current.set(event.pointerId, now)
      path.current += Math.hypot(now.x - before.x, now.y - before.y)
      onMoved(from, [...down.current.values()])
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    // Two fingers are ours: the browser would scroll or enlarge the page.
    onTouchMove: (event: TouchEvent) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault()
    },
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onClickCapture: (event: MouseEvent) => {
      if (event.detail === 0 || path.current <= clickMovesMax) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** The position of a pointer, in pixels from the middle of the picture. */
function touchOf({ clientX, clientY, currentTarget }: PointerEvent): Touch {
  const { left, top, width, height } = (currentTarget as Element).getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

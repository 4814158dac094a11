/**
 * A network as a picture. Each node is a link to the network of its person: one stop of the Tab key, and arrow
 * keys from one to the next. It can be drawn larger and moved; the table beside it has the same facts.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf, type Place } from '../model/address.ts'
import { type GraphWindow, labelled } from '../model/graph-labels.ts'
import {
  type GraphLink,
  type GraphNode,
  halfWidth,
  type NetworkGraph,
} from '../model/network-graph.ts'
import { countText, isolated, scoreText } from '../model/wording.ts'
import { useSession } from '../page-session.ts'

interface Props {
  readonly graph: NetworkGraph
  /** The SDU of the person under the pointer; '' where there is none. */
  readonly lit: string
  readonly onLit: (sdu: string) => void
}

const zoomMax = 6

export function GraphPicture({ graph, lit, onLit }: Props) {
  const { nodes, links } = graph
  const { svg, window, zoom, zoomBy, drag } = useWindow(nodes, lit)
  const labels = useMemo(() => labelled(nodes, window), [nodes, window])
  const isNear = useMemo(() => nearTo(graph, lit), [graph, lit])
  const [stop, setStop] = useState(1)
  const { x, y, half, unit } = window
  const text = `A graph of ${countText(nodes.length - 1, 'peer', 'peers')} around ${isolated(nodes[0]?.name ?? '')}. Arrow keys lead from one to the next; the table has the same facts.`
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = 1 + ((stop - 1 + step + nodes.length - 1) % (nodes.length - 1))
    setStop(next)
    svg.current?.querySelectorAll<SVGAElement>('a.node')[next - 1]?.focus()
  }
  return (
    <div class="graph-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no set of fields */}
      <svg
        ref={svg}
        class={`graph-picture ${lit === '' ? '' : 'has-lit'} ${zoom > 1 ? 'is-zoomed' : ''}`}
        viewBox={`${x - half} ${y - half} ${2 * half} ${2 * half}`}
        role="group"
        aria-label={text}
        {...drag}
      >
        <g class="links">
          {links.map((link) => (
            <Line
              key={`${link.from} ${link.to} ${link.isSpoke}`}
              link={link}
              nodes={nodes}
              isLit={lit !== '' && (nodes[link.from]!.id === lit || nodes[link.to]!.id === lit)}
            />
          ))}
        </g>
        {nodes.map((node, index) => (
          <Node
            key={node.id}
            {...{ node, unit, onLit, onKeyDown }}
            isNear={isNear(index)}
            isNamed={labels.has(index) || node.id === lit}
            isStop={index === stop}
            onStop={() => setStop(index)}
          />
        ))}
      </svg>
      <div class="zoom">
        <button type="button" disabled={zoom >= zoomMax} onClick={() => zoomBy(1.5)}>
          <span aria-hidden="true">+</span>
          <span class="unseen">Larger</span>
        </button>
        <button type="button" disabled={zoom <= 1} onClick={() => zoomBy(1 / 1.5)}>
          <span aria-hidden="true">−</span>
          <span class="unseen">Smaller</span>
        </button>
      </div>
    </div>
  )
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
}

/** The part of the picture that is seen: all of it at first, then what is zoomed and dragged to. */
function useWindow(nodes: readonly GraphNode[], lit: string) {
  const svg = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(2 * halfWidth)
  const [view, setView] = useState({ x: 0, y: 0, zoom: 1 })
  const from = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined)
  useEffect(() => {
    const element = svg.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || 2 * halfWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { zoom } = view
  const half = halfWidth / zoom
  const unit = (2 * half) / width
  const window = useMemo<GraphWindow>(
    () => ({ x: view.x, y: view.y, half, unit }),
    [view, half, unit],
  )
  const show = (x: number, y: number, next: number) => {
    const room = halfWidth - halfWidth / next
    const within = (value: number) => Math.max(-room, Math.min(room, value))
    setView({ x: within(x), y: within(y), zoom: next })
  }
  const zoomBy = (factor: number) => {
    const near = nodes.find(({ id }) => id !== '' && id === lit) ?? view
    show(near.x, near.y, Math.min(zoomMax, Math.max(1, zoom * factor)))
  }
  const drag = {
    onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => {
      from.current = zoom > 1 ? { x, y } : undefined
    },
    onPointerMove: ({ clientX: x, clientY: y, buttons }: PointerEvent) => {
      const start = from.current
      if (start === undefined || buttons === 0) return
      from.current = { x, y }
      show(view.x - (x - start.x) * unit, view.y - (y - start.y) * unit, zoom)
    },
  }
  return { svg, window, zoom, zoomBy, drag }
}

interface NodeProps {
  readonly node: GraphNode
  readonly unit: number
  readonly isNear: boolean
  readonly isNamed: boolean
  /** Whether the Tab key stops at it. */
  readonly isStop: boolean
  readonly onStop: () => void
  readonly onLit: (sdu: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Half of what a finger needs, in pixels. */
const touchRadius = 12

function Node({ node, unit, isNear, isNamed, isStop, onStop, onLit, onKeyDown }: NodeProps) {
  const { go } = useSession()
  const { id, handle, name, topic, score, radius, color, x, y } = node
  const content = (
    <>
      <circle class="touch" r={Math.max(radius, touchRadius * unit)} />
      <circle r={radius} />
      <text
        x={radius + 4 * unit}
        dy="0.35em"
        style={{ fontSize: `${12 * unit}px` }}
        class={isNamed ? '' : 'is-hidden'}
      >
        {isolated(name)}
      </text>
    </>
  )
  const transform = `translate(${x} ${y})`
  if (id === '') {
    return (
      <g class="node is-middle" transform={transform}>
        {content}
      </g>
    )
  }
  const place: Place = handle === '' ? { view: 'person', sdu: id } : { view: 'network', handle }
  const title = `${isolated(name)}: ${isolated(topic)}, authority score ${scoreText(score)}`
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(place)
  }
  return (
    <g transform={transform}>
      <a
        href={addressOf({ place, snapshotId: '' })}
        class={`node color-${color} ${isNear ? 'is-near' : ''}`}
        tabIndex={isStop ? 0 : -1}
        aria-label={`${title}. Show their network`}
        onMouseEnter={() => onLit(id)}
        onMouseLeave={() => onLit('')}
        onFocus={() => {
          onStop()
          onLit(id)
        }}
        onBlur={() => onLit('')}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <title>{title}</title>
        {content}
      </a>
    </g>
  )
}

interface LineProps {
  readonly link: GraphLink
  readonly nodes: readonly GraphNode[]
  readonly isLit: boolean
}

function Line({ link, nodes, isLit }: LineProps) {
  const from = nodes[link.from]!
  const to = nodes[link.to]!
  const kind = link.isSpoke ? 'spoke' : 'endorsement'
  return (
    <line
      class={`${kind} ${isLit ? 'is-lit' : ''}`}
      x1={from.x}
      y1={from.y}
      x2={to.x}
      y2={to.y}
      stroke-width={link.isSpoke ? 1 : 0.8 + 2 * link.strength}
    />
  )
}

/** Whether a node is the person under the pointer, or linked with them. */
function nearTo({ nodes, links }: NetworkGraph, lit: string): (index: number) => boolean {
  const near = new Set<number>()
  for (const { from, to } of links) {
    if (nodes[from]!.id === lit || nodes[to]!.id === lit) near.add(from).add(to)
  }
  return (index) => lit !== '' && near.has(index)
}

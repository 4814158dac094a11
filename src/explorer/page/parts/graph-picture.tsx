/**
 * A network as a picture. Each node is a link to its person: one stop of the Tab key, and arrow
 * keys from one to the next. The table beside it has the same facts.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { addressOf } from '../model/address.ts'
import { labelled } from '../model/graph/graph-labels.ts'
import {
  type GraphLink,
  type GraphNode,
  halfWidth,
  type NetworkGraph,
} from '../model/graph/network-graph.ts'
import { countText, isolated, scoreText } from '../model/wording.ts'

interface Props {
  readonly graph: NetworkGraph
  /** The SDU of the person under the pointer; '' if there is none. */
  readonly lit: string
  readonly onLit: (sdu: string) => void
}

export function GraphPicture({ graph, lit, onLit }: Props) {
  const { nodes, links } = graph
  const { svg, unit } = useUnit()
  const labels = useMemo(() => labelled(nodes, unit), [nodes, unit])
  const isNear = useMemo(() => nearTo(graph, lit), [graph, lit])
  const [stop, setStop] = useState(1)
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
    // biome-ignore lint/a11y/useSemanticElements: a picture is no set of fields
    <svg
      ref={svg}
      class={`graph-picture ${lit === '' ? '' : 'has-lit'}`}
      viewBox={`${-halfWidth} ${-halfWidth} ${2 * halfWidth} ${2 * halfWidth}`}
      role="group"
      aria-label={text}
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
  )
}

/** Units of the picture, a square, in a pixel of its element. */
function useUnit() {
  const svg = useRef<SVGSVGElement>(null)
  const [unit, setUnit] = useState(1)
  useEffect(() => {
    const element = svg.current!
    const observer = new ResizeObserver(() => {
      const pixels = Math.min(element.clientWidth, element.clientHeight)
      if (pixels > 0) setUnit((2 * halfWidth) / pixels)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { svg, unit }
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
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

/** Half of the width that a finger needs, in pixels. */
const touchRadius = 12

function Node({ node, unit, isNear, isNamed, isStop, onStop, onLit, onKeyDown }: NodeProps) {
  const { route } = useLocation()
  const { id, name, topic, score, radius, color, x, y } = node
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
  const address = addressOf({ view: 'person', sdu: id })
  const title = `${isolated(name)}: ${isolated(topic)}, authority score ${scoreText(score)}`
  // The router follows links of HTML only.
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    route(address)
  }
  return (
    <g transform={transform}>
      <a
        href={address}
        class={`node color-${color} ${isNear ? 'is-near' : ''}`}
        tabIndex={isStop ? 0 : -1}
        aria-label={title}
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

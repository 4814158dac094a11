/**
 * A network as a picture, for eyes and pointers: each node leads to its person. Keys and screen readers have the table
 * beside it, which has the same facts and links.
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
import { isolated, scoreText } from '../model/wording.ts'

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
  return (
    <svg
      ref={svg}
      class={`graph-picture ${lit === '' ? '' : 'has-lit'}`}
      viewBox={`${-halfWidth} ${-halfWidth} ${2 * halfWidth} ${2 * halfWidth}`}
      aria-hidden="true"
    >
      {links.map((link) => (
        <Line
          key={`${link.from} ${link.to} ${link.isSpoke}`}
          link={link}
          nodes={nodes}
          isLit={lit !== '' && (nodes[link.from]!.id === lit || nodes[link.to]!.id === lit)}
        />
      ))}
      {nodes.map((node, index) => (
        <Node
          key={node.id}
          {...{ node, unit, onLit }}
          isNear={isNear(index)}
          isNamed={labels.has(index) || node.id === lit}
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

interface NodeProps {
  readonly node: GraphNode
  readonly unit: number
  readonly isNear: boolean
  readonly isNamed: boolean
  readonly onLit: (sdu: string) => void
}

/** Half of the width that a finger needs, in pixels. */
const touchRadius = 12

function Node({ node, unit, isNear, isNamed, onLit }: NodeProps) {
  const { route } = useLocation()
  const { id, name, topic, score, radius, color, x, y } = node
  const person =
    id === ''
      ? { class: 'node is-middle' }
      : {
          class: `node color-${color} ${isNear ? 'is-near' : ''}`,
          onMouseEnter: () => onLit(id),
          onMouseLeave: () => onLit(''),
          onClick: () => route(addressOf({ view: 'person', sdu: id })),
        }
  return (
    <g transform={`translate(${x} ${y})`} {...person}>
      {id !== '' && (
        <title>{`${isolated(name)}: ${isolated(topic)}, authority score ${scoreText(score)}`}</title>
      )}
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

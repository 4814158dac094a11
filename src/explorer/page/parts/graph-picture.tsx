/**
 * A network as a picture. It is one for those who see it; everything in it stands in the table beside
 * it too, which is what the keyboard and screen readers use.
 */
import { useMemo } from 'preact/hooks'
import { labelled } from '../model/graph-labels.ts'
import {
  type GraphLink,
  type GraphNode,
  halfWidth,
  type NetworkGraph,
} from '../model/network-graph.ts'
import { countText, isolated } from '../model/wording.ts'
import { useSession } from '../page-session.ts'

interface Props {
  readonly graph: NetworkGraph
  /** The SDU of the person under the pointer; '' where there is none. */
  readonly lit: string
  readonly onLit: (sdu: string) => void
}

export function GraphPicture({ graph, lit, onLit }: Props) {
  const { go } = useSession()
  const { nodes, links } = graph
  const labels = useMemo(() => labelled(nodes), [nodes])
  const isNear = useMemo(() => nearTo(graph, lit), [graph, lit])
  const size = 2 * halfWidth
  const text = `A graph of ${countText(nodes.length - 1, 'peer', 'peers')} around ${isolated(nodes[0]?.name ?? '')}; the table has the same facts.`
  return (
    <svg
      class={`graph-picture ${lit === '' ? '' : 'has-lit'}`}
      viewBox={`${-halfWidth} ${-halfWidth} ${size} ${size}`}
      role="img"
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
        // biome-ignore lint/a11y/noStaticElementInteractions: the links of the table do the same
        <g
          key={node.id}
          class={`node color-${node.color} ${isNear(index) ? 'is-near' : ''} ${node.id === '' ? 'is-middle' : ''}`}
          transform={`translate(${node.x} ${node.y})`}
          onMouseEnter={() => onLit(node.id)}
          onMouseLeave={() => onLit('')}
          onClick={() => node.id !== '' && go({ view: 'person', sdu: node.id })}
        >
          <circle r={node.radius} />
          <text
            x={node.radius + 4}
            y="4"
            class={labels.has(index) || node.id === lit ? '' : 'is-hidden'}
          >
            {isolated(node.name)}
          </text>
        </g>
      ))}
    </svg>
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

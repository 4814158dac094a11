/**
 * The network of a handle as a graph: the handle in the middle, its peers around it, and endorsements
 * between peers, as far as the explanations of their ranks name each other. The positions are computed
 * before anything is drawn, from fixed beginnings: the same network has the same picture, and nothing
 * moves.
 */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceRadial,
  forceSimulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import type { Person } from '../questions.ts'

export interface GraphNode {
  /** The SDU; '' for the middle. */
  readonly id: string
  readonly name: string
  readonly topic: string
  readonly score: number
  readonly radius: number
  /** The index of the colour of its topic; the last for all other topics. */
  readonly color: number
  readonly x: number
  readonly y: number
}

/** A line between two nodes, by their indexes. */
export interface GraphLink {
  readonly from: number
  readonly to: number
  /** The share that the endorser passes on to the peer, relative to the strongest link: 0 to 1. */
  readonly strength: number
  readonly isSpoke: boolean
}

export interface NetworkGraph {
  readonly nodes: readonly GraphNode[]
  readonly links: readonly GraphLink[]
  /** The topics that have a colour of their own, the commonest first. */
  readonly topics: readonly string[]
}

export const coloredTopicsMax = 6
/** The picture is a square from -half to half. */
export const halfWidth = 300

const middleRadius = 11
const layoutSteps = 240

interface Placed extends SimulationNodeDatum {
  readonly radius: number
}

export function networkGraph(handle: string, peers: readonly Person[]): NetworkGraph {
  const topics = commonestTopics(peers)
  const bare = [
    { id: '', name: handle, topic: '', score: 0, radius: middleRadius, color: -1 },
    ...peers.map((peer) => nodeOf(peer, topics, radiusIn(peers))),
  ]
  const links = [...spokes(peers), ...endorsements(peers)]
  const places = placesOf(bare, links)
  return { nodes: bare.map((node, index) => ({ ...node, ...places[index]! })), links, topics }
}

function nodeOf(
  { sdu, name, topic, authority_score: score }: Person,
  topics: readonly string[],
  radiusOf: (score: number) => number,
) {
  const known = topics.indexOf(topic)
  const color = known < 0 ? coloredTopicsMax : known
  return {
    id: sdu,
    name,
    topic,
    score,
    radius: radiusOf(score),
    color,
  }
}

/** Radii from the least to the greatest score in the picture, so that differences are seen. */
function radiusIn(peers: readonly Person[]): (score: number) => number {
  const scores = peers.map(({ authority_score: score }) => score)
  const least = Math.min(...scores)
  const range = Math.max(...scores) - least
  return (score) => 5 + (range === 0 ? 5 : 11 * ((score - least) / range))
}

function commonestTopics(peers: readonly Person[]): string[] {
  const counts = new Map<string, number>()
  for (const { topic } of peers) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return sorted.slice(0, coloredTopicsMax).map(([topic]) => topic)
}

function spokes(peers: readonly Person[]): GraphLink[] {
  return peers.map((_, index) => ({ from: 0, to: index + 1, strength: 0, isSpoke: true }))
}

function endorsements(peers: readonly Person[]): GraphLink[] {
  const places = new Map(peers.map(({ sdu }, index) => [sdu, index + 1]))
  const found = peers.flatMap(({ sdu, explanation }) =>
    (explanation?.endorsers ?? []).flatMap((endorser) => {
      const from = endorser.sdu === null ? undefined : places.get(endorser.sdu)
      return from === undefined ? [] : [{ from, to: places.get(sdu)!, strength: endorser.share }]
    }),
  )
  const strongest = Math.max(...found.map(({ strength }) => strength), Number.MIN_VALUE)
  return found.map((link) => ({ ...link, strength: link.strength / strongest, isSpoke: false }))
}

/** Computes the positions of the nodes: the more authority, the nearer to the middle. */
function placesOf(
  nodes: readonly { readonly score: number; readonly radius: number }[],
  links: readonly GraphLink[],
): { x: number; y: number }[] {
  const placed: Placed[] = nodes.map(({ radius }, index) =>
    index === 0 ? { radius, x: 0, y: 0, fx: 0, fy: 0 } : { radius, ...beginning(index) },
  )
  const among: SimulationLinkDatum<Placed>[] = links
    .filter(({ isSpoke }) => !isSpoke)
    .map(({ from, to }) => ({ source: from, target: to }))
  const distance = (_: Placed, index: number) =>
    index === 0 ? 0 : 90 + 1.5 * (100 - nodes[index]!.score)
  forceSimulation(placed)
    .force('apart', forceManyBody().strength(-60))
    .force('link', forceLink(among).distance(70).strength(0.15))
    .force('ring', forceRadial<Placed>(distance).strength(0.5))
    .force('collide', forceCollide<Placed>(({ radius }) => radius + 6).iterations(2))
    .stop()
    .tick(layoutSteps)
  return fitted(placed)
}

/** Along a spiral, so that no two begin at one place. */
function beginning(index: number): { x: number; y: number } {
  const angle = index * Math.PI * (3 - Math.sqrt(5))
  const radius = 40 + 20 * Math.sqrt(index)
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}

/** Shrunk to the picture, with the middle in its middle; to whole tenths. */
function fitted(placed: readonly Placed[]): { x: number; y: number }[] {
  const edge = Math.max(...placed.flatMap(({ x = 0, y = 0 }) => [Math.abs(x), Math.abs(y)]), 1)
  const scale = Math.min(1.6, (halfWidth - 30) / edge)
  const tenths = (value: number) => Math.round(value * scale * 10) / 10
  return placed.map(({ x = 0, y = 0 }) => ({ x: tenths(x), y: tenths(y) }))
}

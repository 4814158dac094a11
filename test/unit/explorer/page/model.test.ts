/** What the explorer makes of answers: words and graphs; what it shows again. */
import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../../src/client/client.ts'
import { effectOf, opened } from '../../../../src/explorer/page/model/choosing.ts'
import { labelled } from '../../../../src/explorer/page/model/graph/graph-labels.ts'
import {
  coloredTopicsMax,
  halfWidth,
  networkGraph,
} from '../../../../src/explorer/page/model/graph/network-graph.ts'
import type { Person } from '../../../../src/explorer/page/model/questions.ts'
import { SeenAnswers } from '../../../../src/explorer/page/model/seen.ts'
import {
  exactQuery,
  isolated,
  isolatedIn,
  shareText,
  type Understanding,
  understandingWords,
  usdText,
} from '../../../../src/explorer/page/model/wording.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('model.tsv', import.meta.url))

describe('numbers', () => {
  it.each(rowsOf('amounts in USD'))('%f USD reads %s', (amount, text) => {
    expect(usdText(Number(amount))).toBe(text)
  })

  it.each(rowsOf('shares'))('the share %f reads %s', (share, text) => {
    expect(shareText(Number(share))).toBe(text)
  })
})

describe('an understanding', () => {
  const understanding = (more: Partial<Understanding>): Understanding => ({
    way: 'words',
    words: ['rust', 'embedded'],
    corrected: [],
    left_out: [],
    country: null,
    topics: [],
    ...more,
  })
  const textOf = (more: Partial<Understanding>) =>
    understandingWords(understanding(more))
      .map(({ text }) => text)
      .join('')

  it.each(rowsOf('what was understood'))('%j reads as %j', (more, text) => {
    expect(textOf(JSON.parse(more))).toBe(text)
  })

  it('has a way back wherever more was understood than was typed', () => {
    const backOf = (query: string, more: Partial<Understanding>) =>
      exactQuery(query, understanding(more))
    expect(backOf(' ted crus ', { way: 'corrected' })).toBe('"ted crus"')
    expect(backOf('french', { country: 'France' })).toBe('"french"')
    expect(backOf('rust', { way: 'topic', topics: ['Rust'] })).toBe('"rust"')
    expect(backOf('a b', {})).toBeUndefined()
    expect(backOf('"ted crus"', { way: 'corrected' })).toBeUndefined()
    expect(backOf('@ted', { way: 'identity' })).toBeUndefined()
  })
})

describe('keys in a field with a list of two', () => {
  it.each(rowsOf('keys in a field with a list of two'))(
    '%s at %j gives %j',
    (key, choosing, effect) => {
      expect(effectOf(key, JSON.parse(choosing), 2)).toEqual(JSON.parse(effect))
    },
  )

  it('go nowhere where nothing is offered', () => {
    expect(effectOf('ArrowDown', opened, 0)).toEqual({ kind: 'none' })
  })
})

const explanation = (more: Partial<Schemas['Explanation']> = {}): Schemas['Explanation'] => ({
  topic: 'Rust',
  rank: 1,
  of: 9,
  share: 0.2,
  margin: 0.1,
  components: [
    { name: 'own', value: 0.1, share: 0.05 },
    { name: 'endorsement', value: 2, share: 0.15 },
  ],
  resilience: { by_1: null, by_10: null },
  endorsers: [],
  sources: [],
  sentence: '',
  ...more,
})

describe('a network', () => {
  const peers: Person[] = Array.from({ length: 50 }, (_, index) => ({
    sdu: String(index + 1),
    name: `Person ${index + 1}`,
    rank: index + 1,
    country_name: '',
    topic: `Topic ${index % 9}`,
    authority_score: 100 - 2 * index,
    explanation: explanation({
      endorsers: [
        {
          sdu: String(((index + 1) % 50) + 1),
          name: '',
          kind: 'follows',
          share: 0.01 * (index + 1),
        },
        { sdu: '999', name: '', kind: 'follows', share: 1 },
        { sdu: null, name: 'github:x', kind: 'follows', share: 1 },
      ],
    }),
  }))
  const graph = networkGraph('@x', peers)

  it('has everybody once, the handle in the middle, and all within the picture', () => {
    expect(graph.nodes.map(({ id }) => id)).toEqual(['', ...peers.map(({ sdu }) => sdu)])
    expect([graph.nodes[0]!.x, graph.nodes[0]!.y]).toEqual([0, 0])
    for (const { x, y, radius } of graph.nodes) {
      expect(Math.max(Math.abs(x), Math.abs(y)) + radius).toBeLessThanOrEqual(halfWidth)
    }
  })

  it('has the same picture every time', () => {
    expect(networkGraph('@x', peers)).toEqual(graph)
  })

  it('links peers with those of them that endorse them, and with nobody else', () => {
    const among = graph.links.filter(({ isSpoke }) => !isSpoke)
    expect(among.length).toBe(50)
    expect(among.every(({ from, to }) => from > 0 && to > 0 && from !== to)).toBe(true)
    expect(Math.max(...among.map(({ strength }) => strength))).toBe(1)
  })

  it('puts nobody upon another', () => {
    const { nodes } = graph
    nodes.forEach((one, index) => {
      for (const other of nodes.slice(index + 1)) {
        const apart = Math.hypot(one.x - other.x, one.y - other.y)
        expect(apart).toBeGreaterThan((one.radius + other.radius) * 0.9)
      }
    })
  })

  it('colours the commonest topics, and all others as one', () => {
    expect(graph.topics.length).toBe(coloredTopicsMax)
    expect(new Set(graph.nodes.slice(1).map(({ color }) => color)).size).toBe(coloredTopicsMax + 1)
  })

  it('writes names where they have room, the greatest first', () => {
    const labels = labelled(graph.nodes, 1)
    expect(labels.size).toBeGreaterThan(5)
    expect(labels.size).toBeLessThan(51)
    expect(labels.has(0)).toBe(true)
  })

  it('of nobody is only the handle', () => {
    expect(networkGraph('@x', [])).toMatchObject({ nodes: [{ id: '', x: 0, y: 0 }], links: [] })
  })
})

describe('a text of a record between other words', () => {
  it('is as it was where it turns nothing', () => {
    for (const text of ['Ada Lovelace', 'Žižek', '李 明', '@ada']) expect(isolated(text)).toBe(text)
  })

  it('stands between marks where it is written from right to left', () => {
    expect(isolated('עברית')).toBe('\u2068עברית\u2069')
    expect(isolatedIn('before عربي behind', ['عربي'])).toBe('before \u2068عربي\u2069 behind')
  })

  it('cannot end its marks itself', () => {
    expect(isolated('\u2069\u202ename')).toBe('\u2068name\u2069')
  })
})

describe('an answer that was seen', () => {
  it('is there for ten minutes, then asked for again', () => {
    let nowMs = 0
    const seen = new SeenAnswers(() => nowMs)
    seen.of('a').pages = [1]
    nowMs = 10 * 60_000
    expect([seen.of('a').pages, seen.of('b').pages]).toEqual([[1], []])
    nowMs += 1
    expect(seen.of('a').pages).toEqual([])
  })
})

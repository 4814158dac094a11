/** What the explorer makes of answers: words, charts, graphs. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  HistoryMoment,
  RankExplanation,
  Summary,
  Understanding,
} from '../../../../src/explorer/page/model/answers.ts'
import { closed, effectOf, opened } from '../../../../src/explorer/page/model/choosing.ts'
import { labelled } from '../../../../src/explorer/page/model/graph/graph-labels.ts'
import {
  type GraphView,
  moved,
  type Touch,
  unitOf,
  wholeView,
  zoomed,
  zoomMax,
} from '../../../../src/explorer/page/model/graph/graph-view.ts'
import {
  coloredTopicsMax,
  halfWidth,
  networkGraph,
} from '../../../../src/explorer/page/model/graph/network-graph.ts'
import { chartText, stepChart } from '../../../../src/explorer/page/model/moments.ts'
import {
  durationText,
  exactQuery,
  isolated,
  isolatedIn,
  proofTexts,
  shareText,
  understandingWords,
  usdText,
} from '../../../../src/explorer/page/model/wording.ts'

describe('numbers', () => {
  it.each([
    [49.999, '$49.999'],
    [0.001, '$0.001'],
    [50, '$50.00'],
    [0, '$0.00'],
    [1234.5, '$1,234.50'],
    [0.000001, '$0.000001'],
  ])('%f USD reads %s', (amount, text) => {
    expect(usdText(amount)).toBe(text)
  })

  it.each([
    [0.000021, '21 µs'],
    [0.0214, '21.4 ms'],
    [0.5, '500 ms'],
    [2, '2.00 s'],
  ])('%f seconds read %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  it.each([
    [0.1018966388, '10.2 %'],
    [0.0137, '1.37 %'],
    [0.00064, '0.064 %'],
    [0, '0 %'],
  ])('the share %f reads %s', (share, text) => {
    expect(shareText(share)).toBe(text)
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

  it.each([
    [{ way: 'topic', topics: ['Rust'] }, 'Understood as the topic Rust.'],
    [{}, 'Everybody who holds the words rust, embedded.'],
    [{ topics: ['Rust'], country: 'Germany' }, 'People in Rust, from Germany.'],
    [{ country: 'Germany' }, 'People from Germany.'],
    [{ way: 'corrected', corrected: [{ from: 'crus', to: 'cruz' }] }, 'Corrected: crus → cruz. '],
    [{ way: 'name', left_out: ['who', 'is'] }, 'People of this name. Left out: who, is.'],
  ] as [Partial<Understanding>, string][])('%j reads as %j', (more, text) => {
    expect(textOf(more)).toBe(text)
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

describe('keys in a field with a list', () => {
  it('go down and up through what is offered, and back to what was typed', () => {
    expect(effectOf('ArrowDown', opened, 2)).toMatchObject({ choosing: { index: 0 } })
    expect(effectOf('ArrowDown', { isOpen: true, index: 1 }, 2)).toMatchObject({
      choosing: { index: -1 },
    })
    expect(effectOf('ArrowUp', opened, 2)).toMatchObject({ choosing: { index: 1 } })
    expect(effectOf('ArrowUp', { isOpen: true, index: 0 }, 2)).toMatchObject({
      choosing: { index: -1 },
    })
    expect(effectOf('ArrowDown', opened, 0)).toEqual({ kind: 'none' })
  })

  it('take what is chosen, else what was typed', () => {
    expect(effectOf('Enter', { isOpen: true, index: 1 }, 2)).toEqual({ kind: 'accept', index: 1 })
    expect(effectOf('Enter', opened, 2)).toEqual({ kind: 'submit' })
    expect(effectOf('Enter', { isOpen: false, index: 1 }, 2)).toEqual({ kind: 'submit' })
  })

  it('close the list first and clear the field then', () => {
    expect(effectOf('Escape', opened, 2)).toEqual({ kind: 'choose', choosing: closed })
    expect(effectOf('Escape', closed, 2)).toEqual({ kind: 'clear' })
    expect(effectOf('a', opened, 2)).toEqual({ kind: 'none' })
  })
})

describe('a history', () => {
  const moment = (id: string, rank: number | null, score: number | null): HistoryMoment => ({
    sdu: '1',
    snapshot_id: id,
    at: null,
    topic: 'Rust',
    rank,
    authority_score: score,
  })

  it('is charted from the oldest to the last, the best rank on top', () => {
    const chart = stepChart([moment('b', 1, 20), moment('a', 3, 10)], 'rank')
    expect(chart).toMatchObject({ least: 1, most: 3, end: { x: 234, y: 6 } })
    expect(chart.path).toBe('M6 42H120H120V6H234')
    expect(stepChart([moment('b', 1, 20), moment('a', 3, 10)], 'authority_score').end?.y).toBe(6)
  })

  it('is broken where somebody was not there', () => {
    const chart = stepChart([moment('c', 2, 2), moment('b', null, null), moment('a', 2, 2)], 'rank')
    expect(chart.path.match(/M/g)?.length).toBe(2)
    expect(stepChart([moment('b', null, null)], 'rank')).toMatchObject({ path: '', end: undefined })
  })

  it('is told in words, too', () => {
    expect(chartText([moment('b', 1, 20)], 'rank')).toBe('The rank: 1 since snapshot b.')
  })
})

const explanation = (more: Partial<RankExplanation> = {}): RankExplanation => ({
  topic: 'Rust',
  rank: 1,
  of: 9,
  share: 0.2,
  margin: 0.1,
  components: [
    { name: 'own', value: 0.1, share: 0.05 },
    { name: 'endorsement', value: 2, share: 0.15 },
  ],
  endorsers: [],
  sources: [],
  sentence: '',
  ...more,
})

describe('a network', () => {
  const peers: Summary[] = Array.from({ length: 50 }, (_, index) => ({
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
    const labels = labelled(graph.nodes)
    expect(labels.size).toBeGreaterThan(5)
    expect(labels.size).toBeLessThan(51)
    expect(labels.has(0)).toBe(true)
  })

  it('of nobody is only the handle', () => {
    expect(networkGraph('@x', [])).toMatchObject({ nodes: [{ id: '', x: 0, y: 0 }], links: [] })
  })
})

describe('the part of a network that is seen', () => {
  const pixels = 300
  /** The unit of the picture below a point of the screen. */
  const below = (view: GraphView, { x, y }: Touch) => {
    const unit = unitOf(view, pixels)
    return [view.x + x * unit, view.y + y * unit].map((value) => Math.round(value * 1e6) / 1e6)
  }

  it('grows as two fingers part, and what is below each stays below it', () => {
    const from = [point(-20, 10), point(20, -10)]
    const to = [point(-10, 40), point(70, 0)]
    const view = moved({ x: 0, y: 0, zoom: 1.5 }, from, to, pixels)
    expect(view.zoom).toBeCloseTo(3)
    expect(below(view, to[0]!)).toEqual(below({ x: 0, y: 0, zoom: 1.5 }, from[0]!))
    expect(below(view, to[1]!)).toEqual(below({ x: 0, y: 0, zoom: 1.5 }, from[1]!))
  })

  it('follows one finger, and two that keep apart as they are', () => {
    const view = { x: 10, y: -20, zoom: 3 }
    const dragged = { x: 10 - 20 * unitOf(view, pixels), y: -20, zoom: 3 }
    expect(moved(view, [point(5, 5)], [point(25, 5)], pixels)).toEqual(dragged)
    const two = moved(view, [point(0, 0), point(9, 9)], [point(20, 0), point(29, 9)], pixels)
    expect(two).toEqual(dragged)
  })

  it('never leaves the picture, and is never smaller than it or too large', () => {
    const any = fc.integer({ min: -1_000, max: 1_000 })
    const touch = fc.record({ x: any, y: any })
    const pair = fc.tuple(touch, touch)
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 3 }), any, (touches, x) => {
        const from = touches.map(([before]) => before)
        const to = touches.map(([, after]) => after)
        const view = moved(zoomed(wholeView, { x, y: -x }, 2), from, to, pixels)
        expect(view.zoom).toBeGreaterThanOrEqual(1)
        expect(view.zoom).toBeLessThanOrEqual(zoomMax)
        const edge = Math.max(Math.abs(view.x), Math.abs(view.y)) + halfWidth / view.zoom
        expect(edge).toBeLessThanOrEqual(halfWidth + 1e-6)
      }),
    )
  })

  it('keeps its size where two fingers lie upon each other', () => {
    const view = moved(wholeView, [point(3, 3), point(3, 3)], [point(0, 0), point(9, 9)], pixels)
    expect(view.zoom).toBe(1)
    expect(Math.abs(view.x) + Math.abs(view.y)).toBe(0)
  })

  function point(x: number, y: number): Touch {
    return { x, y }
  }
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

describe('the proofs of a record', () => {
  const record = { source: 'https://a.example', licence: null, updated_at: null }

  it('say how the person and each handle were found to be theirs, and when', () => {
    const handles = [
      { platform: 'github', handle: 'ann', verified_by: 'rel=me', verified_at: null },
      { platform: 'orcid', handle: '1', verified_by: 'orcid', verified_at: '2026-10-02T10:00:00Z' },
    ]
    const proven = { ...record, verified_by: 'register', verified_at: '2026-11-01', handles }
    expect(proofTexts([proven])).toEqual([
      'The person: register, 2026-11-01.',
      'github ann: rel=me.',
      'orcid 1: orcid, 2026-10-02.',
    ])
  })

  it('are none where no record says', () => {
    expect(proofTexts([record])).toEqual([])
  })
})

/** Making a snapshot ready: what is made anew, and what serves again. */
import { expect, it } from 'vitest'
import { prepareServed, type Served } from '../../src/api/served.ts'
import { snapshotOf } from '../built.ts'
import { authority, topic } from '../records.ts'

function prepared(topics: readonly string[], before?: Served): { served: Served; steps: number } {
  const authorities = topics.map((label, index) =>
    authority({ sdu: String(index + 1), topics: [topic(label)] }),
  )
  const work = prepareServed(snapshotOf({ authorities }), { before })
  for (let steps = 0; ; steps += 1) {
    const step = work.next()
    if (step.done) return { served: step.value, steps }
  }
}

/** The topic that a text is likely to mean, or undefined. */
function likely({ search }: Served, text: string): number | undefined {
  const { way, topic: found } = search.find(text, 10)
  return way === 'likely-topic' ? found : undefined
}

it('takes a step for each topic, and none where the topics are those served before', () => {
  const first = prepared(['Rust scripts', 'Java'])
  expect(first.steps).toBe(2)
  const same = prepared(['Rust scripts', 'Java', 'Java'], first.served)
  expect(same.steps).toBe(0)
  expect(likely(same.served, 'rus scr')).toBe(0)
  expect(prepared(['Rust', 'Go'], first.served).steps).toBe(2)
})

it('wants the larger of equal topics by the sizes of the snapshot that is served', () => {
  const first = prepared(['Data art maps', 'Data art maps', 'Data law maps'])
  expect(likely(first.served, 'dat map')).toBe(0)
  const second = prepared(['Data art maps', 'Data law maps', 'Data law maps'], first.served)
  expect(second.steps).toBe(0)
  expect(likely(second.served, 'dat map')).toBe(1)
})

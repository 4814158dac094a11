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

it('takes a step for each topic, and none where the topics are those served before', () => {
  const first = prepared(['Rust', 'Java'])
  expect(first.steps).toBe(2)
  const same = prepared(['Rust', 'Java', 'Java'], first.served)
  expect(same.steps).toBe(0)
  expect(same.served.search.find('rustt', 10)).toEqual({ way: 'resolved', topic: 0 })
  expect(prepared(['Rust', 'Go'], first.served).steps).toBe(2)
})

it('wants the larger of equal topics by the sizes of the snapshot that is served', () => {
  const first = prepared(['Data art', 'Data art', 'Data law'])
  expect(first.served.search.find('dta', 10)).toEqual({ way: 'resolved', topic: 0 })
  const second = prepared(['Data art', 'Data law', 'Data law'], first.served)
  expect(second.steps).toBe(0)
  expect(second.served.search.find('dta', 10)).toEqual({ way: 'resolved', topic: 1 })
})

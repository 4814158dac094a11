/** Positions of records, most of which end in a number. */
import { expect, it } from 'vitest'
import { Positions } from '../../../src/indexer/positions.ts'

const texts = [
  'authorities.ndjson:1',
  'authorities.ndjson:2',
  'authorities.ndjson:4294967296',
  'authorities.ndjson:007',
  'people.parquet row 0',
  'people.parquet row 100',
  'authorities sdu 123456789012345678901234567890',
  'no number',
  '',
  '0',
  '12',
  'ä٣',
]

it('gives every position back as it was', () => {
  const positions = new Positions()
  for (const text of texts) positions.push(text)
  expect(texts.map((_, person) => positions.textOf(person))).toEqual(texts)
})

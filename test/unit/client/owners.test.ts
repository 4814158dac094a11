/** Which handles of a batch are asked for again because they may be another spelling of an owned one. */
import { expect, test } from 'vitest'
import { ownersByHandle, possibleSpellings } from '../../../src/client/lists/owners.ts'

test('handles that share a word with an owned one are asked for again, the owned one not', () => {
  const handles = ['@Ann', 'https://x.com/ann', 'other', 'twitter:ANN', 'ａｎｎ']
  const owners = ownersByHandle(handles, [{ handle: '@Ann' }])
  expect(possibleSpellings(owners)).toEqual(['https://x.com/ann', 'twitter:ANN', 'ａｎｎ'])
})

test('nothing is asked for again where no handle is owned, so that asking ends', () => {
  expect(possibleSpellings(ownersByHandle(['é', 'É', '%41'], []))).toEqual([])
})

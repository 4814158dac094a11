/** The recipe: that nobody changes what is made of the same records without saying so. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { recipeVersion } from '../../../src/indexer/recipe.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'

/** What the recipe of this number makes of the records of the fixture. */
const made = { recipe: 2101, sections: '7b3f32b53ab02bf6' }

it('has another number whenever the same records give other sections', () => {
  const { recipe, sections } = fixtureSnapshot().header
  const parts = sections.map(({ name, type, length, checksum }) => [name, type, length, checksum])
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  // If this fails, raise `recipeVersion`, and write here what it makes.
  expect({ recipe, sections: digest.slice(0, 16) }).toEqual(made)
  expect(recipe).toBe(recipeVersion)
})

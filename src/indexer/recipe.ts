/**
 * The recipe: a number for the way in which this program turns records into sections. A sync
 * rebuilds a snapshot of another recipe, even if its source has not changed. A service accepts any:
 * the format version (`src/snapshot/header.ts`) says which files it can read.
 */
import { itemsVersion } from './items.ts'

/**
 * To be raised by one whenever the same records give other sections and their items are as before: a
 * formula of `ranking/` gives other numbers, the analyzer finds other terms
 * (`src/text/analyzer.ts`), a field of the records is used that was not. A test fails until it is.
 */
const sectionsVersion = 21

/** The number of the recipe: of the sections, and behind it two digits of the items' version. */
export const recipeVersion = sectionsVersion * 100 + itemsVersion

/**
 * The recipe: in which way this program makes sections of records. A snapshot carries the number of
 * the recipe that it was made by; a sync makes a snapshot of another recipe anew, though its source
 * has not changed. Whoever serves takes any recipe: what a file must have to be readable at all is
 * its format version (`src/snapshot/header.ts`).
 */
import { itemsVersion } from './items.ts'

/**
 * To be raised by one whenever the same records give other sections and their items are as before: a
 * formula of `ranking/` gives other numbers, the analyzer finds other terms
 * (`src/text/analyzer.ts`), a field of the records is used that was not. A test fails until it is.
 */
const sectionsVersion = 12

/** The number of the recipe: of the sections, and behind it two digits of the items' version. */
export const recipeVersion = sectionsVersion * 100 + itemsVersion

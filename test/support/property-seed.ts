/**
 * The seed of property tests: one for all, so that a run of CI tells of the change and not of luck.
 * `PROPERTY_SEED=random` draws one for each property, and a number repeats another.
 */
import fc from 'fast-check'

const { PROPERTY_SEED = '1' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

/** The formulas by name: before, with each bound, with all, and the defences that were tried. */
import { limits } from '../../src/limits.ts'
import type { Formula } from './formulas.ts'

const bounds = { boundsOwn: true, pairMax: limits.pairWeightMax, followersAt: 0.99 } as const
/** Symmetric ties are those of a register; what anybody else claims endorses the other end only. */
const registers = { ...bounds, oneSided: 0, registered: 1 } as const

/** The formula up to recipe 1301. */
export const former = 'up to 13xx'
/** The one that ranks now. */
export const served = 'served'

/** All formulas that are compared. */
export const formulas: Readonly<Record<string, Formula>> = {
  [former]: {},
  'topic weights at most 1': { boundsOwn: true },
  'pairs at most 10': { pairMax: limits.pairWeightMax },
  'followers at the 99th percentile': { followersAt: 0.99 },
  [served]: bounds,
  'served, followers at the 90th': { ...bounds, followersAt: 0.9 },
  'one-sided ties half': { ...bounds, oneSided: 0.5 },
  'one-sided ties nothing': { ...bounds, oneSided: 0 },
  'ties of a register only': registers,
  'connectivity decay': { ...bounds, decays: true },
  'returned ties nothing': { ...bounds, returned: 0 },
  'a source 90 % at most': { ...bounds, sourceShareMax: 0.9 },
  'a source 80 % at most': { ...bounds, sourceShareMax: 0.8 },
  'a source half at most': { ...bounds, sourceShareMax: 0.5 },
  'vetted 20 % only': { ...registers, vetted: 0.2 },
  'bound by trust of 20 %': { ...registers, vetted: 0.2, isBound: true },
  'bound by one step of 20 %': { ...registers, vetted: 0.2, isBound: true, trustRounds: 1 },
  'SybilRank of 20 %': { ...registers, vetted: 0.2, isSybilRank: true },
  'vetted 50 % only': { ...registers, vetted: 0.5 },
  'bound by trust of 50 %': { ...registers, vetted: 0.5, isBound: true },
  'bound by one step of 50 %': { ...registers, vetted: 0.5, isBound: true, trustRounds: 1 },
  'one step of 50 %, returned nothing': {
    ...{ ...registers, vetted: 0.5, isBound: true, trustRounds: 1, returned: 0 },
  },
  'vetted all': { ...registers, vetted: 1 },
}

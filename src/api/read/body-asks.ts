/** What the body of a POST asks for: as its GET would, for many at once, and sources in their order. */
import type { PostRouteName } from '../../operations.ts'
import type { ApiRequest } from '../exchange.ts'
import type { Served } from '../served.ts'
import { inCoreTopic } from '../write/explanations.ts'
import {
  writeAlignedMatches,
  writeAlignedProfiles,
  writeMatches,
  writeProfiles,
} from '../write/item-lists.ts'
import { writeRankedSources } from '../write/ranked-sources.ts'
import { type Ask, formOf } from './asks.ts'
import { type BodyValues, readBody } from './bodies.ts'
import type { HandleList } from './handle-list.ts'
import type { Parsed } from './pairs.ts'

/**
 * Reads the body of a request: what it asks for, or what is wrong with it.
 * @param served the snapshot that is to answer, by which topics are read.
 * @param list takes the handles of the body: what is asked is good until the next body is read.
 */
export function readBodyAsk<R extends PostRouteName>(
  route: R,
  request: ApiRequest,
  { names }: Pick<Served, 'names'>,
  list: HandleList,
): Parsed<Ask> {
  const { value, problem } = readBody(route, request, { names, list })
  return problem === undefined ? { value: asks[route](value) } : { problem }
}

/** Whatever is sent twice is charged once, as it is by a GET. */
const asks: { readonly [R in PostRouteName]: (values: BodyValues<R>) => Ask } = {
  detail: ({ sdus, aligned, ...values }) => {
    const form = formOf(values, inCoreTopic)
    const distinct = [...new Set(sdus)]
    return {
      queries: distinct.length,
      write: ({ catalog }, body) => {
        const ordinals = (aligned ? sdus : distinct).map((sdu) => catalog.findSdu(sdu))
        if (aligned) writeAlignedProfiles(catalog, ordinals, body, form)
        else writeProfiles(catalog, ordinals, body, form)
        return undefined
      },
    }
  },

  /** Every item says which handle it answers. */
  match: ({ handles, aligned, ...values }) => {
    const form = formOf(values, inCoreTopic)
    return {
      queries: handles.count,
      write: ({ catalog }, body) => {
        if (aligned) writeAlignedMatches(catalog, handles, body, form)
        else writeMatches(catalog, handles, true, body, form)
        return undefined
      },
    }
  },

  rank: ({ sources, topic }) => ({
    get queries() {
      return sources.countTo(Number.POSITIVE_INFINITY)
    },
    countTo: (most) => sources.countTo(most),
    write: (served, body) => {
      writeRankedSources(served, sources.all(), topic, body)
      return undefined
    },
  }),
}

/** The people whom the press calls by a short name: `AOC`, `FDR`. */
import { publicNameOf } from '../../../text/speech/nicknames.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import { foundPeople, textsWithout, type WayOfSearch } from './way.ts'

/** People of such a name whose names are read: the top ones by authority. */
const peopleMax = 64

/** See the file's comment. */
export const calledShort: WayOfSearch = {
  name: 'called-short',
  find: (tools, text, limit) => {
    const [only, another] = text.core
    if (only === undefined || another !== undefined || only.isExact) return undefined
    const name = publicNameOf(only.text)
    const holders = name?.map((word) => tools.words.formNamed(word)) ?? []
    if (holders.length === 0 || holders.some(({ size }) => size === 0)) return undefined
    const people = firstOf(holders, peopleMax).filter(
      (each) => tools.nameWords(each)[0] === name![0],
    )
    return people.length === 0
      ? undefined
      : foundPeople('name', people, limit, {
          words: text.core,
          leftOut: textsWithout(text.lastReading, text.core),
        })
  },
}

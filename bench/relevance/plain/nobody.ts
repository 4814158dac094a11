/** Questions that mean no person: each person they find is a stranger. */
import type { Random } from '../../../test/support/random.ts'
import type { Kinds, Question, World } from '../question.ts'
import { wordsOf } from '../truth.ts'
import { typedAddress, typedHandle } from './identities.ts'

/**
 * What people ask about that is nobody's occupation, no topic of the default data and no part of one:
 * what a table or the data calls another word for a topic (climate change) finds its members.
 */
const subjects = [
  'quantum computing, electric vehicles, supply chain management, venture capital, real estate',
  'cryptocurrency, blockchain, gene therapy, vaccine hesitancy, immigration reform, gun control',
  'data privacy, net neutrality, space tourism, organic farming, urban gardening, school vouchers',
  'cyber warfare, drone strikes, human trafficking, animal welfare, sourdough baking, speed chess',
].flatMap((line) => line.split(', '))

/** A text that means nobody, unless some record explains it. */
function forNobody({ truth }: World, text: string): Question | undefined {
  return truth.mayMean(text) ? undefined : { text, right: new Set(), sure: 0 }
}

/** Words that nobody has and that are no slip of a word that somebody has. */
function nonsense(world: World, random: Random): Question | undefined {
  const { truth, inventions, alphabets } = world
  const alphabet = random.pick(alphabets)
  const made = () =>
    random.chance(0.5)
      ? random.pick(inventions)
      : Array.from({ length: random.between(6, 10) }, () => random.pick(alphabet)).join('')
  const text = Array.from({ length: random.between(1, 3) }, made).join(' ')
  const isMeaningless = wordsOf(text).every((word) => truth.near(word, 2).length === 0)
  return isMeaningless ? forNobody(world, text) : undefined
}

/** The kinds, by their names. */
export const nobodyKinds: Kinds = {
  'people who are not there': (world, random) => forNobody(world, random.pick(world.absent).name),
  'handles and addresses of people who are not there': (world, random) => {
    const type = random.pick([typedHandle, typedAddress])
    const typed = type(random.pick(world.absent), random)
    const isOwned = typed !== undefined && world.truth.owning(typed.key).size > 0
    return typed === undefined || isOwned ? undefined : forNobody(world, typed.text)
  },
  'subjects that nobody has': (world, random) => forNobody(world, random.pick(subjects)),
  'words that mean nothing': nonsense,
}

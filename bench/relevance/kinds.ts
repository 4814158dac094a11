/** All kinds of question, in the order of the tables. */
import type { Random } from '../../test/support/random.ts'
import { identityKinds } from './identity-kinds.ts'
import { nameKinds } from './name-kinds.ts'
import { nobodyKinds } from './nobody-kinds.ts'
import type { Kind, Kinds, Question, World } from './question.ts'
import { topicKinds } from './topic-kinds.ts'

/** Every kind, by its name. */
export const kinds: Kinds = { ...nameKinds, ...identityKinds, ...topicKinds, ...nobodyKinds }

/** How often a kind is asked for each question that is wanted, before it is given up. */
const drawsPerQuestion = 20

/** Up to so many different questions of a kind; fewer where the records do not give more. */
export function questionsOf(
  { ask }: Kind,
  world: World,
  random: Random,
  count: number,
): readonly Question[] {
  const questions = new Map<string, Question>()
  for (let draw = 0; draw < drawsPerQuestion * count && questions.size < count; draw += 1) {
    const question = ask(world, random)
    if (question !== undefined) questions.set(question.text, question)
  }
  return [...questions.values()]
}

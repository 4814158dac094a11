/** The offices that people hold: their titles, those of a state and of a chamber, from one table. */
import { offices } from '../tables/tables.made.ts'

const officeOfTitle = new Map<string, string>()
const officeOfChamber = new Map<string, string>()
const ofPlaces = new Set<string>()
const ofState: string[] = []

for (const line of offices().split('\n')) {
  const [office = '', titles = '', kind, chamber] = line.split(' | ')
  for (const title of titles.split(' ')) {
    if (kind === 'place') ofPlaces.add(title)
    else officeOfTitle.set(title, office)
  }
  if (kind === 'state') ofState.push(office)
  if (chamber !== undefined) officeOfChamber.set(chamber, office)
}

/** Offices of a state: who holds one of them does not hold the title of another. */
export const stateOffices: readonly string[] = ofState

export const officeTitles: readonly string[] = [...officeOfTitle.keys()]

/** The word by which records say that somebody holds the office of a title; undefined for courtesy. */
export function officeOf(title: string): string | undefined {
  return officeOfTitle.get(title)
}

/** The office of those who sit in a chamber: house, senate. */
export function officeInChamber(chamber: string): string | undefined {
  return officeOfChamber.get(chamber)
}

/** Whether a word asks for the people who stand for a place: represents, delegation. */
export function standsForPlace(word: string): boolean {
  return ofPlaces.has(word)
}

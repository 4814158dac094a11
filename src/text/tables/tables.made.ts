/** The tables of words beside this file, each as its lines. The build keeps what these functions give. */
import { tableText } from './table-text.ts'

export const abbreviations = () => tableText('abbreviations')
export const asides = () => tableText('asides')
export const englishWords = () => tableText('english-words')
export const families = () => tableText('families')
export const nameParts = () => tableText('name-parts')
export const nicknames = () => tableText('nicknames')
export const nouns = () => tableText('nouns')
export const offices = () => tableText('offices')
export const particles = () => tableText('particles')
export const platforms = () => tableText('platforms')
export const publicNames = () => tableText('public-names')
export const regions = () => tableText('regions')
export const roles = () => tableText('roles')
export const stopWords = () => tableText('stop-words')
export const surnameFirst = () => tableText('surname-first')
export const valueNames = () => tableText('value-names')

/** What stands around a name in a form of its own, left out where letters or digits remain. */

const sites =
  'wikipedia|twitter|x|github|instagram|facebook|linkedin|orcid|wikidata|youtube|medium|threads'

const forms: readonly RegExp[] = [
  // (R), [D-CA], (D-N.Y.), (I-Vt.), (d-ny); , D-N.Y.; R-TX
  /[\s,]+[([]?[RDI](?:[-–][A-Z][A-Za-z.]{0,6}(?:-\d{1,2})?)?[)\]](?=\W|$)/g,
  /[\s,]+[([][rdi][-–][a-z][a-z.]{0,6}(?:-\d{1,2})?[)\]](?=\W|$)/g,
  /,\s*[RDI][-–][A-Z][A-Za-z.]{1,6}(?=\W|$)/g,
  /[\s,]+[RDI][-–][A-Z]{2}(?:-\d{1,2})?(?!\S)/g,
  // (@tedcruz); / X; on X
  /(?<=\w.*)\(@[\w.]+\)/g,
  /\s(?:\/|on)\sX\s*$/g,
  // Addresses of a page about somebody.
  new RegExp(
    `(?:https?://)?\\b(?:www\\.|m\\.)?(?:[a-z]+\\.)?(?:${sites})\\.(?:com|org|net)/(?:in/|wiki/|entity/)?`,
    'gi',
  ),
  /\?[a-z]+=.*$/g,
  /https?:\/\/(?:www\.)?|^www\./gi,
  // <ted@example.org>; a page's title
  /<\S+@\S+>/g,
  /\s[-–—|]\s(?:Google Scholar|ResearchGate|Scholar)\s*$/gi,
  // Questions of two words of which one is a name, too: Polish.
  /^\s*kim (?:jest|by[lł]a?)\s/i,
  // Names of fields.
  /\b(?:topic|name|country):/gi,
]
/** Signs of which no form is without one. */
const mayHave = /[(<|[\-–—:/?]|www|\sX\s*$|^\s*kim /i
const said = /[\p{L}\p{N}]/u

export function withoutSurroundings(text: string): string {
  if (!mayHave.test(text)) return text
  let rest = text
  for (const form of forms) {
    const shorter = rest.replace(form, ' ')
    if (said.test(shorter)) rest = shorter
  }
  return rest
}

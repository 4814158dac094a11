/**
 * Registers of researchers and of works, where handles are written in one way only.
 * The rows are explained in src/text/platforms/platform.ts.
 */
import { didKey, isniKey, orcidKey, wikidataKey } from '../registers.ts'
import { type Platforms, slug, unicodeName } from './platform.ts'

/** Their rows, by key. */
export const research: Platforms = {
  orcid: { at: { 'orcid.org': '/my-orcid?orcid={name} /{name}' }, register: orcidKey },
  isni: {
    at: { 'isni.org': '/isni/{name} /page/{name} /{name}' },
    name: /^[\dx -]{16,19}$/i,
    register: isniKey,
  },
  wikidata: {
    aliases: 'wd',
    at: {
      'wikidata.org':
        '/wiki/special:entitypage/{name} /wiki/special:entitydata/{item} /wiki/{name} /entity/{name}',
    },
    name: /^q\d{1,16}$/i,
    register: wikidataKey,
  },
  did: { at: {}, register: didKey },
  googlescholar: {
    aliases: 'scholar gscholar',
    at: { 'scholar.google.com scholar.google.{tld}': '/citations?user={name}' },
    name: slug,
    cased: slug,
  },
  researchgate: { at: { 'researchgate.net': '/profile/{name}' }, name: unicodeName },
  academia: {
    aliases: 'academiaedu',
    at: { 'academia.edu': '', '*.academia.edu': '/{name}' },
    name: unicodeName,
    never: /^\d+$/,
    kept: 'departments documents people',
  },
  semanticscholar: { at: { 'semanticscholar.org': '/author/{id} /author/*/{id}' } },
  openalex: { at: { 'openalex.org': '/authors/{name} /{name}' }, name: /^a\d{1,12}$/i },
  scopus: { at: { 'scopus.com': '/authid/detail.uri?authorId={id}' } },
  viaf: { at: { 'viaf.org': '/viaf/{id}' } },
  imdb: { at: { 'imdb.com': '/name/{name} /*/name/{name}' }, name: /^nm\d{7,10}$/i },
}

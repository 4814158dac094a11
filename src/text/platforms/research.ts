/**
 * Registers of researchers and of works, where handles are written in one way only.
 * The rows are explained in src/text/platforms/platform.ts.
 */
import { didKey, isniKey, orcidKey, wikidataKey } from '../registers.ts'
import { type Platforms, slug, unicodeName } from './platform.ts'

/** Their rows, by key. */
export const research: Platforms = {
  orcid: {
    aliases: 'orcidid',
    at: {
      'orcid.org': '/my-orcid?orcid={name} /{name}',
      'pub.orcid.org api.orcid.org': '/{name} /*/{name}',
    },
    name: /^\d{4}(?:-?\d{4}){2}-?\d{3}[\dx]$/i,
    register: orcidKey,
  },
  isni: {
    aliases: 'isniid',
    at: { 'isni.org': '/isni/{name} /page/{name} /{name}' },
    name: /^[\dx -]{16,19}$/i,
    register: isniKey,
  },
  wikidata: {
    aliases: 'wd wikidataid wikidataitem',
    at: {
      'wikidata.org':
        '/wiki/special:entitypage/{name} /wiki/special:entitydata/{item} /wiki/{name} /entity/{name} /w/index.php?title={name}',
    },
    name: /^q\d{1,16}$/i,
    register: wikidataKey,
  },
  did: { at: {}, register: didKey },
  googlescholar: {
    aliases: 'scholar gscholar googlescholarid',
    at: { 'scholar.google.com scholar.google.{tld}': '/citations?user={cased}' },
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
  semanticscholar: {
    at: {
      'semanticscholar.org': '/author/{id} /author/*/{id}',
      'api.semanticscholar.org': '/author/{id} /graph/v1/author/{id}',
    },
  },
  openalex: {
    aliases: 'openalexid',
    at: {
      'openalex.org api.openalex.org explore.openalex.org':
        '/authors/{name} /people/{name} /{name}',
    },
    name: /^a\d{1,12}$/i,
  },
  dblp: {
    at: {
      'dblp.org dblp.uni-trier.de dblp.dagstuhl.de': '/pid/{pair}',
      'dblp://': '/{pair}',
    },
  },
  scopus: {
    at: { 'scopus.com': '/authid/detail.uri?authorId={id}' },
    aliases: 'scopusid scopusauthorid',
  },
  viaf: { at: { 'viaf.org': '/viaf/{id} /*/viaf/{id}' }, aliases: 'viafid' },
  imdb: {
    aliases: 'imdbid',
    at: { 'imdb.com': '/name/{name} /*/name/{name}' },
    name: /^nm\d{7,10}$/i,
  },
}

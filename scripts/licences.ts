/**
 * The licences of what the build bundles: of each package of which esbuild has read a file, as they lie in the
 * packages. A licence that may not let code be passed on stops the build.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const root = join(import.meta.dirname, '..')

const allowed = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', '0BSD', 'BSD-3-Clause']

/**
 * Our own first; packages with the same text stand above it together.
 * @param more folders of packages that go along as they are. @throws Error for a package whose licence is not
 * allowed.
 */
export function licenceTexts(metafiles: readonly Metafile[], more: readonly string[] = []): string {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs))
  const folders = new Set([
    ...inputs.flatMap((input) => packageFolder(input) ?? []),
    ...dataPackages.map((name) => join(root, 'node_modules', name)),
    ...more,
  ])
  const namesByText = new Map([[readFileSync(join(root, 'LICENSE'), 'utf8'), ['authority-index']]])
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    if (!allowed.includes(license)) throw new Error(`${name} ${version} has licence ${license}`)
    const text = textsIn(folder)
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}, ${license}`])
  }
  for (const [name, file] of tables) {
    namesByText.set(readFileSync(join(root, 'src/text/tables', file), 'utf8'), [name])
  }
  return [...namesByText]
    .map(([text, names]) => `${names.map((name) => `==== ${name}\n`).join('')}\n${text}`)
    .join('\n')
}

const tables = [
  ['WordNet 3.1, nouns', 'nouns.license.txt'],
  ['SCOWL, common English words', 'english-words.license.txt'],
] as const

/** What tables are made from: their values go along, and no import of what is bundled names them. */
const dataPackages = 'any-ascii diacritics i18n-iso-countries i18n-nationality unhomoglyph'.split(
  ' ',
)

/** The folder of the package that a file is of; undefined for a file of ours. */
function packageFolder(input: string): string | undefined {
  const [, folder] = /(?:^|\/)((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+)/.exec(input) ?? []
  return folder && join(root, folder)
}

const textShape = /^(licen[cs]e|copying|copyright|notice)/i

/** The licences in a folder, those of what was compiled into it too, but not of other packages. */
function textsIn(folder: string): string {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textShape.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(folder.length).includes('node_modules'))
  if (texts.length === 0)
    return 'The package carries no text; its package.json names the licence.\n'
  return texts
    .sort()
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

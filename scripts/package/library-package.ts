/**
 * The package `authority-index`: the library and its sub-paths as ES modules and as CommonJS, types for both, and the
 * command. It depends on nothing; the service of each platform is an optional dependency.
 *
 * What starts threads exists once, as CommonJS, and its ES module only names the exports: a program that imports and
 * requires it has one set of classes. What is a file by itself exists in both forms.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, transform } from 'esbuild'
import { aloneOptions } from '../bundle.ts'
import { licencesOf, licenceTexts } from '../licences.ts'
import { madeTables } from '../made.ts'
import { declarationOf, declareTypes, type Entry, entries, isAlone, nameOf } from './entries.ts'
import { manifestOf } from './manifest.ts'
import { packageOf, platforms } from './platforms.ts'

const root = join(import.meta.dirname, '..', '..')

const shared = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  target: 'node20',
  entryNames: '[name]',
  legalComments: 'none',
  // An accelerator that msgpackr does without.
  external: ['msgpackr-extract'],
  logLevel: 'error',
} as const satisfies BuildOptions

/** Builds the package into a directory. */
export async function buildLibraryPackage(directory: string): Promise<void> {
  const metafiles: Metafile[] = []
  for (const entry of entries) {
    const bundleEntry = isAlone(entry) ? bundleTwice : bundleOnce
    metafiles.push(...(await bundleEntry(entry, directory)))
  }
  await bundleCommand(directory)
  for (const [form, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    declareTypes(join(directory, form, 'types'))
    write(join(directory, form, 'package.json'), JSON.stringify({ type }))
  }
  write(join(directory, 'package.json'), JSON.stringify(manifest(), null, 2))
  write(join(directory, 'LICENSES.txt'), licenceTexts(licencesOf(...metafiles)))
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  copyFileSync(join(import.meta.dirname, 'readme.md'), join(directory, 'README.md'))
}

/** Writes a text file that ends with a line feed, and the directories above it. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text.endsWith('\n') ? text : `${text}\n`)
}

/** A module with its threads. esbuild shares code among ES modules only: each becomes CommonJS afterwards. */
async function bundleOnce(entry: Entry, directory: string): Promise<Metafile[]> {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: [entry.module, ...entry.threads],
    outdir: join(directory, 'cjs'),
    format: 'esm',
    platform: 'node',
    splitting: true,
    write: false,
    plugins: [madeTables(join(directory, 'cjs'))],
  })
  for (const { path, text } of outputFiles) write(path, await asCommonJs(text))
  const names = Object.values(metafile.outputs).find(
    ({ entryPoint }) => entryPoint === entry.module,
  )!.exports
  const name = `${nameOf(entry)}.js`
  write(join(directory, 'esm', name), `export { ${names.join(', ')} } from '../cjs/${name}'`)
  return [metafile, await bundledOfTables(metafile)]
}

/** What the tables are made from: it has its licences in the package, too. */
async function bundledOfTables({ inputs }: Metafile): Promise<Metafile> {
  const makers = Object.keys(inputs).filter((input) => input.endsWith('.made.ts'))
  const { metafile } = await build({
    ...shared,
    entryPoints: makers,
    outdir: 'made',
    format: 'esm',
    platform: 'node',
    write: false,
  })
  return metafile
}

/** Without spaces, but with all names, so that a stack says where it was. */
async function asCommonJs(text: string): Promise<string> {
  const { code, warnings } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': 'moduleUrl',
      'import.meta.dirname': '__dirname',
      // Else the SDK of S3 warns of Node 20.
      'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"',
    },
    banner: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;",
  })
  if (warnings.length > 0) throw new Error(warnings.map((warning) => warning.text).join('\n'))
  return code
}

/** A module by itself, for any runtime. */
async function bundleTwice(entry: Entry, directory: string): Promise<Metafile[]> {
  const metafiles: Metafile[] = []
  for (const format of ['esm', 'cjs'] as const) {
    const { metafile } = await build({
      ...aloneOptions,
      entryPoints: [entry.module],
      outdir: join(directory, format),
      format,
    })
    metafiles.push(metafile)
  }
  return metafiles
}

async function bundleCommand(directory: string): Promise<void> {
  await build({
    ...shared,
    entryPoints: [join(import.meta.dirname, 'command.ts')],
    outdir: join(directory, 'cjs'),
    format: 'cjs',
    platform: 'node',
    banner: { js: '#!/usr/bin/env node' },
  })
}

function manifest(): Record<string, unknown> {
  const facts = manifestOf(
    'authority-index',
    'An index of verified human authorities: search, detail, peers and match, in your process or as a service',
  )
  const [main] = entries.map((entry) => formsOf(entry).require)
  const optional = platforms.map((platform) => [packageOf(platform), facts.version])
  return {
    ...facts,
    type: 'module',
    bin: { 'authority-index': 'cjs/command.js' },
    main: main!.default,
    types: main!.types,
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry.path, formsOf(entry)])),
      './package.json': './package.json',
    },
    // For `moduleResolution: node10`, which does not read `exports`.
    typesVersions: {
      '*': Object.fromEntries(
        entries.slice(1).map((entry) => [entry.path.slice(2), [formsOf(entry).require.types]]),
      ),
    },
    sideEffects: false,
    files: ['esm', 'cjs', 'LICENSES.txt'],
    optionalDependencies: Object.fromEntries(optional),
  }
}

/** Where the two forms of a sub-path lie, each with types of its own kind. */
function formsOf(entry: Entry) {
  const form = (folder: 'esm' | 'cjs') => ({
    types: `./${folder}/types/${declarationOf(entry)}`,
    default: `./${folder}/${nameOf(entry)}.js`,
  })
  return { import: form('esm'), require: form('cjs') }
}

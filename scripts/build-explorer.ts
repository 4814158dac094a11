/**
 * The explorer's pages as they are served: bundled, named by content, and as gzip, which every browser takes.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const root = join(import.meta.dirname, '..')
const page = join(root, 'src', 'explorer', 'page')

export async function buildExplorer(directory: string): Promise<Metafile> {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['page.tsx', 'page.css', 'docs.ts', 'docs.css', 'mark.svg'].map((name) =>
      join(page, name),
    ),
    outdir: directory,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
  })
  const names = outputFiles.map(({ path }) => basename(path))
  for (const name of ['page.html', 'docs.html']) {
    const html = readFileSync(join(page, name), 'utf8')
    writeEncoded(join(directory, name), Buffer.from(withNames(html, names)))
  }
  for (const { path, contents } of outputFiles) writeEncoded(path, Buffer.from(contents))
  return metafile
}

/** The page with the names of its parts: `{{page.css}}` becomes `page-AB12CD34.css`. */
function withNames(html: string, names: readonly string[]): string {
  return html.replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, stem: string, ending: string) => {
    const name = names.find((each) => each.startsWith(`${stem}-`) && each.endsWith(`.${ending}`))
    if (name === undefined) throw new Error(`the page names ${stem}.${ending}, which was not built`)
    return name
  })
}

function writeEncoded(path: string, content: Buffer): void {
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}

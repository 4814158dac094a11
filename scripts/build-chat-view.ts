/**
 * The view inside a chat as one HTML file without anything to load: script and style stand in it, and its policy allows
 * these two and nothing else. Built from the explorer's parts.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { programVersion } from '../src/version.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src', 'explorer', 'page', 'chat')

/** The file. */
export async function chatView(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, 'chat.tsx'), join(folder, 'chat.css')],
    outdir: root,
    bundle: true,
    minify: true,
    write: false,
    // A script without a type may stand in a page whose origin is none.
    format: 'iife',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { programVersion: JSON.stringify(programVersion) },
    legalComments: 'none',
  })
  const textOf = (ending: string) =>
    outputFiles.find(({ path }) => path.endsWith(ending))!.text.trim()
  const script = textOf('.js').replaceAll('</script', '<\\/script')
  const style = withThemes(textOf('.css'))
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="light dark"><title>Authority Index</title><style>${style}</style></head>`,
    `<body><script>${script}</script></body></html>`,
  ].join('\n')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Colours go by what the host says, and by the system where it says nothing. */
function withThemes(style: string): string {
  const dark = /@media screen and \(prefers-color-scheme: ?dark\)\{:root\{([^}]*)\}\}/
  const [whole, colours] = dark.exec(style) ?? []
  if (whole === undefined) throw new Error('the styles of the explorer have no dark colours')
  const bySystem = `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${colours}}}`
  const byHost = `:root[data-theme=dark]{color-scheme:dark;${colours}}:root[data-theme=light]{color-scheme:light}`
  return style.replace(whole, `${bySystem}${byHost}`)
}

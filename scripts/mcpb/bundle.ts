/**
 * The MCP bundle (`.mcpb`): one file that a desktop client installs, with a proxy from stdin and stdout to a service elsewhere.
 *
 *     npx tsx scripts/mcpb/bundle.ts [FILE]        writes release/authority-index.mcpb, or FILE
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { operations, toolNames } from '../../src/operations.ts'
import { programVersion } from '../../src/version.ts'
import { zipOf } from './zip.ts'

const root = join(import.meta.dirname, '..', '..')

/** What the client puts in the place of a name. */
function filledIn(name: string): string {
  return `\${${name}}`
}

/** The manifest, as the schema of version 0.3 describes it. */
export function manifest(): object {
  const words = toolNames.map((name) => operations[name].tool)
  return {
    manifest_version: '0.3',
    name: 'authority-index',
    display_name: 'Authority Index',
    version: programVersion,
    description: 'Verified human authorities, ranked per topic, from a running service.',
    author: { name: 'Authority Index' },
    license: 'MIT',
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/proxy.mjs',
      mcp_config: {
        command: 'node',
        args: [`${filledIn('__dirname')}/server/proxy.mjs`],
        env: {
          AUTHORITY_INDEX_URL: filledIn('user_config.url'),
          AUTHORITY_INDEX_KEY: filledIn('user_config.key'),
        },
      },
    },
    tools: words.map(({ name, description }) => ({ name, description })),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.15' } },
    user_config: {
      url: {
        type: 'string',
        title: 'Address of the service',
        description: 'Such as https://index.example.com',
        required: true,
      },
      key: {
        type: 'string',
        title: 'API key',
        description: 'A key of an account of the service',
        required: true,
        sensitive: true,
      },
    },
  }
}

/** The files of the bundle, by their paths in it. */
export async function bundleFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(import.meta.dirname, 'proxy.ts')],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    legalComments: 'eof',
    // What is CommonJS inside asks for modules of Node.js by a function that modules do not have.
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  })
  return new Map([
    ['manifest.json', Buffer.from(`${JSON.stringify(manifest(), null, 2)}\n`)],
    ['server/proxy.mjs', outputFiles[0]!.contents],
    ['icon.png', readFileSync(join(root, 'docs', 'images', 'icon.png'))],
    ['LICENSE', readFileSync(join(root, 'LICENSE'))],
  ])
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file = join(root, 'release', 'authority-index.mcpb')] = process.argv.slice(2)
  const bundle = zipOf(await bundleFiles())
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bundle)
  console.log(`${file}: ${bundle.length} bytes`)
}

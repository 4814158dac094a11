/**
 * The MCP bundle as a desktop client has it: unpacked from its file into an empty directory, its proxy run without anything
 * else of this checkout. Where no service answers, the proxy still names itself and its tools.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A bundle is below this. */
export const bundleBytesMax = 1_000_000

/** Nothing answers there. */
const nowhere = 'http://127.0.0.1:9'

const tryMsMax = 60_000

/** What a client says first, in a revision with a handshake. */
const messages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'release', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** Unpacks and runs a bundle. @throws Error that says what is wrong with it. */
export function tryBundle(file: string, version: string): void {
  const { size } = statSync(file)
  if (size >= bundleBytesMax) throw new Error(`${file} has ${size} bytes`)
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'))
  try {
    const { status, stderr } = spawnSync('unzip', ['-q', file, '-d', directory])
    if (status !== 0) throw new Error(`${file} cannot be unpacked: ${stderr}`)
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    const native = names.find((name) => name.endsWith('.node'))
    if (native !== undefined) throw new Error(`${file} holds ${native}`)
    compare(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')), directory, version)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Manifest {
  readonly version: string
  readonly server: { readonly entry_point: string }
  readonly tools: readonly { readonly name: string }[]
}

/** What the manifest says is what the proxy says. */
function compare(manifest: Manifest, directory: string, version: string): void {
  refuseOther(manifest.version, version)
  const answers = answersOf(join(directory, manifest.server.entry_point))
  refuseOther(answers[0]?.result.serverInfo?.version, version)
  const [named, offered] = [manifest.tools, answers[1]?.result.tools ?? []].map((tools) =>
    tools.map(({ name }) => name).join(', '),
  )
  if (named !== offered) throw new Error(`the bundle names ${named} and offers ${offered}`)
}

function refuseOther(found: string | undefined, version: string): void {
  if (found !== version) throw new Error(`the bundle has version ${found}, not ${version}`)
}

interface Answered {
  readonly result: {
    readonly serverInfo?: { readonly version: string }
    readonly tools?: readonly { readonly name: string }[]
  }
}

function answersOf(proxy: string): Answered[] {
  const env = { PATH: process.env.PATH, AUTHORITY_INDEX_URL: nowhere, AUTHORITY_INDEX_KEY: 'none' }
  const options = { env, encoding: 'utf8', timeout: tryMsMax, input: messages.join('') } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [proxy], options)
  if (status !== 0) throw new Error(`the proxy ended with ${status}: ${stderr}`)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Answered)
}

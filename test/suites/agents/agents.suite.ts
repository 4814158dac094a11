/** The tools as three clients of agents call them. */
import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toolNames } from '../../../src/operations.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { Shop } from '../../support/shop.ts'
import { installed } from './installed.ts'

const packages = [
  '@langchain/mcp-adapters@1.1.4',
  '@langchain/core@1.4.0',
  '@openai/agents@0.20.0',
  '@ai-sdk/mcp@1.0.102',
  'zod@4',
]

interface Asked {
  readonly client: string
  readonly names: readonly string[]
  readonly answers: Readonly<Record<string, { readonly got?: unknown; readonly thrown?: string }>>
}

test('three clients of agents list the tools, get answers, and take what is not found for one', async () => {
  const directory = installed(packages)
  const program = join(directory, 'agent-clients.mjs')
  copyFileSync(join(import.meta.dirname, 'agent-clients.mjs'), program)
  const shop = await Shop.open(temporaryDirectory())
  try {
    const { stdout } = await promisify(execFile)('node', [program, `${shop.address}/mcp`, shop.key])
    const all = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Asked)
    expect(all.map(({ client }) => client)).toEqual([
      '@langchain/mcp-adapters',
      '@openai/agents',
      '@ai-sdk/mcp',
    ])
    for (const { client, names, answers } of all) {
      expect([client, names.length]).toEqual([client, toolNames.length])
      const said = (name: string) => {
        expect([client, name, answers[name]?.thrown]).toEqual([client, name, undefined])
        const text = JSON.stringify(answers[name]?.got)
        expect(text).not.toContain('"isError":true')
        return text
      }
      expect(said('search_authorities')).toContain('David Wood')
      expect(said('match_handle')).toContain('No authority owns @nobody-at-all')
      expect(said('get_authority_detail')).toContain('No authority has SDU 404')
      expect(said('find_peers')).toContain('No authority is known to be connected')
      expect(said('get_history')).toContain('No history is known of SDU 404')
      expect(said('list_changes')).toContain('Data from records')
    }
  } finally {
    await shop.end()
  }
})

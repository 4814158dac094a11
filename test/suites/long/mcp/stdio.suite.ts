/** MCP over stdin and stdout: the built program beside the official client. */
import { describe, expect, it } from 'vitest'
import { announce, publish } from '../../../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from '../../../support/built.ts'
import { endOf, run, start } from '../../../support/program.ts'
import { connectStdio, eras, people, startMcpService, textOf } from '../../../unit/mcp/served.ts'
import { expectWholeSession } from '../../../unit/mcp/session.ts'

function publishedSnapshot(): string {
  const directory = temporaryDirectory()
  const snapshot = snapshotOf(people)
  publish(directory, snapshot)
  announce(directory, snapshot.header.id)
  return directory
}

describe('a session over stdio', () => {
  it.each(eras)('over a snapshot needs no key and does everything (%s)', async (era) => {
    const words = ['--snapshots', publishedSnapshot()]
    await expectWholeSession(await connectStdio(words, era))
  })

  it.each(eras)('speaks for a remote service, with its prices (%s)', async (era) => {
    const service = await startMcpService(100_000)
    const variables = { AUTHORITY_INDEX_KEY: service.key }
    const client = await connectStdio(['--url', `${service.address}/`], era, variables)
    await expectWholeSession(client)
    expect(service.balanceMicroUsd()).toBeLessThan(100_000)
  })

  it('tells a model what to do when the remote service refuses or is not there', async () => {
    const service = await startMcpService(0)
    const call = { name: 'match_handle', arguments: { handles: ['ann'] } }
    const ask = async (url: string, key: string) => {
      const client = await connectStdio(['--url', url, '--key', key], 'modern')
      const result = await client.callTool(call)
      return { isError: result.isError, text: textOf(result) }
    }
    const poor = await ask(service.address, service.key)
    expect(poor.isError).toBe(true)
    expect(poor.text).toContain('top up')
    const wrong = await ask(service.address, 'aik_wrong')
    expect(wrong.text).toContain('The API key is not valid')
    expect(wrong.text).not.toContain('aik_wrong')
    const gone = await ask('http://127.0.0.1:9', service.key)
    expect(gone).toMatchObject({ isError: true })
    expect(gone.text).toContain('http://127.0.0.1:9 did not answer')
  })
})

describe('the command', () => {
  it('ends with its input, and prints nothing that is not of the protocol', async () => {
    const child = start(['mcp', '--snapshots', publishedSnapshot()])
    const ended = endOf(child)
    child.stdin!.end()
    expect(await ended).toEqual({ exitCode: 0, signal: null, stdout: '', stderr: '' })
  })

  it('ends with a signal', async () => {
    const child = start(['mcp', '--snapshots', publishedSnapshot()])
    const ended = endOf(child)
    const hello = { jsonrpc: '2.0', id: 1, method: 'ping' }
    child.stdin!.write(`${JSON.stringify(hello)}\n`)
    child.stdout!.once('data', () => child.kill('SIGTERM'))
    const { exitCode, stdout } = await ended
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('refuses to start without a snapshot, a usable address or a key', async () => {
    const empty = temporaryDirectory()
    const outcomes = await Promise.all([
      run(['mcp', '--snapshots', empty]),
      run(['mcp', '--url', 'index.example.com', '--key', 'aik_secret']),
      run(['mcp', '--url', 'http://index.example.com']),
    ])
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([1, 2, 2])
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(['', '', ''])
    const [nothing, address, key] = outcomes.map(({ stderr }) => stderr)
    expect(nothing).toContain('no snapshot is announced')
    expect(address).toContain('--url takes an address such as')
    expect(address).not.toContain('aik_secret')
    expect(key).toContain('AUTHORITY_INDEX_KEY')
  })
})

/** The first key of a started service: shown by a terminal, else in a file; and starts that make no account. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { defaultSnapshots, endOf, entry, run, start } from '../../../support/program.ts'

/** Starts a service and returns what it printed first, how it ended after that, and its data directory. */
async function startedOnce(words: readonly string[] = [], before: readonly string[] = []) {
  const data = join(temporaryDirectory(), 'data')
  const places = ['--snapshots', defaultSnapshots, '--data', data]
  const child = start(['serve', '--port', '0', '--threads', '1', ...places, ...words], { before })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  const line = String((await once(createInterface(child.stdout!), 'line'))[0])
  const answers = async (key: string, address: string) => {
    const headers = { authorization: `Bearer ${key}`, connection: 'close' }
    return (await fetch(`${address}/api/v1/match?handle=a`, { headers })).status
  }
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { data, line, answers, stop }
}

async function accountsIn(data: string) {
  return JSON.parse((await run(['account', 'list', '--data', data, '--json'])).stdout)
}

describe('the first key', () => {
  it('is in a file that the line and the log name, and in neither of them', async () => {
    const { data, line, answers, stop } = await startedOnce(['--json', '--opening-credit', '7.5'])
    const { address, keyFile } = JSON.parse(line)
    expect(keyFile).toBe(join(data, 'first-key'))
    const key = readFileSync(keyFile, 'utf8').trim()
    expect(await answers(key, address)).toBe(200)
    const { stdout, stderr } = await stop()
    const logged = stderr.split('\n').find((each) => each.includes('"event":"first-key"'))
    expect(logged).toContain(keyFile)
    expect(stdout + stderr).not.toContain('aik_')
    expect(await accountsIn(data)).toMatchObject([{ account: 'default', balance_usd: 7.499 }])
  })

  it('is not made, and no account, with --first-account none', async () => {
    const { data, line, stop } = await startedOnce(['--json', '--first-account', 'none'])
    expect(Object.keys(JSON.parse(line))).not.toContain('keyFile')
    await stop()
    expect(await accountsIn(data)).toEqual([])
    expect(existsSync(join(data, 'first-key'))).toBe(false)
  })
})

it.runIf(existsSync('/usr/bin/script') && process.env.AUTHORITY_INDEX_COMMAND === undefined)(
  'a terminal shows the first key, and an address of the explorer whose code is exchanged for it once',
  async () => {
    const data = join(temporaryDirectory(), 'data')
    const places = `--snapshots '${defaultSnapshots}' --data '${data}'`
    const command = `'${process.execPath}' '${entry}' serve --port 0 --threads 1 ${places}`
    const { spawn } = await import('node:child_process')
    const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'])
    onTestFinished(() => void child.kill('SIGKILL'))
    let shown = ''
    for await (const line of createInterface(child.stdout!)) {
      shown += `${line}\n`
      if (line.includes('serving snapshot')) break
    }
    const key = /only now: (aik_\w+)/.exec(shown)?.[1]
    const [, address = '', code = ''] = /open: (http:\S+)\/#code=([\w-]{32})\s/.exec(shown) ?? []
    const exchange = async (body: string, contentType = 'application/json') => {
      const headers = { 'content-type': contentType, connection: 'close' }
      const response = await fetch(`${address}/explorer/key`, { method: 'POST', headers, body })
      return [response.status, ((await response.json()) as { key?: string }).key]
    }
    expect(await exchange(JSON.stringify({ code: `${code.slice(1)}x` }))).toEqual([401, undefined])
    expect(await exchange('{"code":1}')).toEqual([401, undefined])
    expect(await exchange(JSON.stringify({ code }), 'text/plain')).toEqual([415, undefined])
    const both = await Promise.all([1, 2].map(() => exchange(JSON.stringify({ code }))))
    expect(both).toHaveLength(2)
    expect(both).toContainEqual([200, key])
    expect(both).toContainEqual([401, undefined])
    // Ctrl-C: a signal to `script` would leave the service behind.
    child.stdin!.write('\u0003')
    await once(child, 'close')
    expect(shown).not.toContain('#key=')
    expect(existsSync(join(data, 'first-key'))).toBe(false)
  },
)

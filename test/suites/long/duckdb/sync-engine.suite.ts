/** `sync --engine duckdb` of the built program: without its package, and ended by a signal. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { entry } from '../../../support/program.ts'

function sourceOf(connections: number): string {
  const source = temporaryDirectory()
  const person = (sdu: string) => JSON.stringify({ sdu, name: `Person ${sdu}`, topics: ['Topic'] })
  writeFileSync(join(source, 'authorities.ndjson'), `${person('1')}\n${person('2')}\n`)
  const line = '{"from":"1","to":"2"}\n'
  writeFileSync(join(source, 'connections.ndjson'), line.repeat(connections))
  return source
}

it('is refused without its package, with the command that installs it', () => {
  const alone = temporaryDirectory()
  cpSync(dirname(entry), join(alone, 'dist'), { recursive: true })
  writeFileSync(join(alone, 'package.json'), '{"type":"module"}')
  const snapshots = join(alone, 'snapshots')
  const words = ['sync', '--source', sourceOf(1), '--snapshots', snapshots, '--engine', 'duckdb']
  const main = join(alone, 'dist', 'main.js')
  const { status, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/npm install @duckdb\/node-api@\d+\.\d+\.\d+-r\.\d+ /)
  expect(existsSync(join(snapshots, 'CURRENT'))).toBe(false)
})

it('leaves no directory behind when a signal ends it', async () => {
  const snapshots = temporaryDirectory()
  const words = ['sync', '--source', sourceOf(2_000_000), '--snapshots', snapshots]
  const child = spawn(process.execPath, [entry, ...words, '--engine', 'duckdb'])
  const ended = once(child, 'exit')
  let isAsked = false
  for await (const chunk of child.stderr) {
    if (isAsked || !String(chunk).includes('reading connections')) continue
    isAsked = true
    expect(readdirSync(snapshots)).toContain('engine.tmp')
    child.kill('SIGINT')
  }
  expect(await ended).toEqual([null, 'SIGINT'])
  expect(readdirSync(snapshots)).not.toContain('engine.tmp')
})

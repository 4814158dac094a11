/** Commands as they are typed: what they print, and the code they exit with. */
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adminOperations } from '../../../src/admin/operations.ts'
import { recipeVersion } from '../../../src/indexer/recipe.ts'
import { formatVersion } from '../../../src/snapshot/header.ts'
import { pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { copyDefaultSnapshot, defaultSnapshots, endOf, run, start } from '../../support/program.ts'
import { sectionsOf } from '../../support/table-sections.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const id = readPointer(defaultSnapshots, 'CURRENT') ?? ''

describe('wrong usage exits with 2 and says why, or what was meant, in one line on stderr:', () => {
  const [usages] = sectionsOf(new URL('command-line.tsv', import.meta.url))

  it.each(usages!.rows)('%s', async (words, message) => {
    const { exitCode, stdout, stderr } = await run(words!.split(' '))
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(message)
  })

  it('a variable whose text is no such value, by its name', async () => {
    const { exitCode, stderr } = await run(['serve'], {
      variables: { AUTHORITY_INDEX_PORT: 'http' },
    })
    expect(exitCode).toBe(2)
    expect(stderr).toBe("AUTHORITY_INDEX_PORT takes a whole number from 0 to 65535, not 'http'\n")
  })
})

describe('a command without what it needs leaves nothing behind:', () => {
  it.each([
    [['ledger', 'restore', 'nowhere'], 1, 'there is no ledger in nowhere\n'],
    [['snapshot', 'push', 's3://bucket/'], 1, 'snapshots: no snapshot is announced\n'],
    [['forget', '7'], 2, 'forget needs --reason, which is kept with the removal\n'],
    [
      ['key', 'issue', '--account', 'acme', '--data', 'DIRECTORY'],
      1,
      'there is no ledger in DIRECTORY\n',
    ],
  ])('%j', async (words, code, line) => {
    const directory = temporaryDirectory()
    const inDirectory = (text: string) => text.replace('DIRECTORY', directory)
    // The program may run as another user, who may not look into a private directory.
    chmodSync(directory, 0o755)
    const { exitCode, stderr } = await run(words.map(inDirectory), { directory })
    expect([exitCode, stderr, readdirSync(directory)]).toEqual([code, inDirectory(line), []])
  })
})

describe('the version', () => {
  it('is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect((await run(['--version'])).stdout).toBe(`authority-index ${version}\n`)
  })
})

describe('admin', () => {
  it('without a name lists every operation with what it takes', async () => {
    const { stdout } = await run(['admin'])
    expect(stdout).toContain('\nadjustAccount account=… amount_usd=… reference=… reason=…\n')
    expect(stdout).toContain('\nlistAudit [limit=…] [cursor=…] [subject=…]\n')
    const listed = JSON.parse((await run(['admin', '--json'])).stdout)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(Object.keys(adminOperations))
  })

  it('makes no key for administrators over the admin API', async () => {
    const words = ['admin', 'issueAdminKey', 'scopes=read', '--url', 'http://127.0.0.1:9']
    const variables = { AUTHORITY_INDEX_ADMIN_KEY: 'aik_admin_x' }
    const { exitCode, stdout, stderr } = await run(words, { variables })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('on the machine of the ledger only')
  })
})

describe('help', () => {
  it.each([
    [['account', '--help'], 'account top-up NAME USD', 'sync '],
    [['account', '-h'], 'account create NAME', 'sync '],
    [['serve', '-h'], '--port PORT', 'account create'],
  ])('of %j holds what it is about and no more', async (words, held, other) => {
    const { exitCode, stdout } = await run(words)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(held)
    expect(stdout).not.toContain(other)
  })

  it.each([[[]], [['--help']], [['-h']], [['help']]])(
    'of the whole is printed by %j',
    async (words) => {
      const { exitCode, stdout, stderr } = await run(words)
      expect([exitCode, stderr]).toEqual([0, ''])
      for (const name of ['serve', 'sync', 'snapshot list', 'get PATH'])
        expect(stdout).toContain(name)
    },
  )

  it('of a command names its settings, their defaults and variables', async () => {
    const { exitCode, stdout } = await run(['serve', '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/--port PORT .*\(8080\); AUTHORITY_INDEX_PORT\n/)
  })
})

describe('get', () => {
  it('prints the answer that the service would give', async () => {
    const target = '/api/v1/index?query=rust&limit=2'
    const { exitCode, stdout, stderr } = await run(['get', target, '--snapshots', defaultSnapshots])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ rank: 1 }, { rank: 2 }] })
  })

  it('prints a problem and exits with 1 when the answer is one', async () => {
    const words = ['get', '/api/v1/index', '--snapshots', defaultSnapshots]
    const { exitCode, stdout, stderr } = await run(words)
    expect([exitCode, stderr]).toEqual([1, 'answered with status 400\n'])
    expect(JSON.parse(stdout)).toMatchObject({ status: 400, results: [] })
  })

  it('answers 503 where no snapshot is announced', async () => {
    const { exitCode, stdout } = await run(['get', '/api/v1/index?query=a'], {
      variables: { AUTHORITY_INDEX_SNAPSHOTS: temporaryDirectory() },
    })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout).status).toBe(503)
  })

  it('is quiet when nobody reads what it prints', async () => {
    const words = [
      'get',
      '/api/v1/index?query=us+politics&limit=50',
      '--snapshots',
      defaultSnapshots,
    ]
    const child = start(words)
    child.stdout!.destroy()
    await once(child.stdout!, 'close')
    const { exitCode, stderr } = await endOf(child)
    expect([exitCode, stderr]).toEqual([0, ''])
  })
})

describe('snapshot', () => {
  it('list tells what lies in the directory and what is announced', async () => {
    const snapshots = copyDefaultSnapshot(temporaryDirectory())
    const json = await run(['snapshot', 'list', '--json', '--snapshots', snapshots])
    expect(JSON.parse(json.stdout)).toMatchObject([
      { snapshot_id: id, current: true, pinned: false, authorities: expect.any(Number) },
    ])
    const text = await run(['snapshot', 'list', '--snapshots', snapshots])
    expect(text.stdout).toMatch(new RegExp(`^SNAPSHOT ID .*\n${id} .* true +false\n$`))
  })

  it('list marks a damaged file', async () => {
    const snapshots = copyDefaultSnapshot(temporaryDirectory())
    writeFileSync(pathOf(snapshots, id), 'damaged')
    const { stdout } = await run(['snapshot', 'list', '--json', '--snapshots', snapshots])
    expect(JSON.parse(stdout)).toMatchObject([{ snapshot_id: id, authorities: null }])
  })

  it('inspect tells the header of the announced one, or of the one whose id begins so', async () => {
    const at = ['--json', '--snapshots', defaultSnapshots]
    const announced = await run(['admin', 'inspectSnapshot', ...at])
    const facts = JSON.parse(announced.stdout)
    expect(facts).toMatchObject({
      id,
      current: true,
      version: formatVersion,
      recipe: recipeVersion,
      format: 'authority-index-snapshot',
    })
    expect(facts.counts.authorities).toBeGreaterThan(1000)
    const words = ['admin', 'inspectSnapshot', `snapshot_id=${id.slice(0, 8)}`, ...at]
    expect((await run(words)).stdout).toBe(announced.stdout)
  })

  it('inspect exits with 1 and one line when there is none', async () => {
    const { exitCode, stderr } = await run([
      'admin',
      'inspectSnapshot',
      '--snapshots',
      temporaryDirectory(),
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^[^\n]+: no snapshot is announced\n$/)
  })

  it('verify proves a file whole', async () => {
    const file = pathOf(defaultSnapshots, id)
    const { exitCode, stdout } = await run(['snapshot', 'verify', file, '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ file, id, whole: true })
  })

  it('verify exits with 1 and names the file and the section that is damaged', async () => {
    const file = join(temporaryDirectory(), 'copy.msgpack')
    const bytes = readFileSync(pathOf(defaultSnapshots, id))
    const half = bytes.length >> 1
    bytes[half] = bytes[half]! ^ 1
    writeFileSync(file, bytes)
    const { exitCode, stdout, stderr } = await run(['snapshot', 'verify', file])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^${file}: section [a-z0-9.-]+: checksum does not match\n$`))
  })

  it.each(['', 'none.msgpack'])(
    'verify exits with 1 and one line for what is no file: %j',
    async (name) => {
      const { exitCode, stderr } = await run([
        'snapshot',
        'verify',
        join(temporaryDirectory(), name),
      ])
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/^[^\n]+\n$/)
    },
  )
})

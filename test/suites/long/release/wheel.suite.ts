/** The wheel of the Python client: importable as it is, with right digests, and the same bytes each time. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { versionsIn } from '../../../../scripts/release/version.ts'
import { temporaryDirectory } from '../../../support/built.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const hasPython = spawnSync('python3', ['-c', 'import tomllib'], { stdio: 'ignore' }).status === 0
if (!hasPython) console.error('skipped: no Python 3.11')

function makeWheel(): string {
  const words = [join(root, 'scripts', 'release', 'wheel.py'), join(root, 'clients', 'python')]
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' }
  const options = { encoding: 'utf8', env } as const
  return execFileSync('python3', [...words, temporaryDirectory()], options).trim()
}

/** Opens the wheel as pip would: every file is in RECORD with its digest and length. */
const check = `
import base64, csv, hashlib, importlib.metadata, io, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
[record] = [name for name in archive.namelist() if name.endswith("/RECORD")]
rows = {path: (digest, length) for path, digest, length in csv.reader(io.StringIO(archive.read(record).decode()))}
assert sorted(rows) == sorted(archive.namelist()), rows
for path, (digest, length) in rows.items():
    data = archive.read(path)
    expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert path == record or (digest, length) == ("sha256=" + expected, str(len(data))), path
sys.path.insert(0, sys.argv[1])
import authority_index
assert authority_index.Client
print(importlib.metadata.version("authority-index"))
`

describe.runIf(hasPython)('the wheel', () => {
  it('holds the client and its version, and what it lists', () => {
    const printed = execFileSync('python3', ['-c', check, makeWheel()], { encoding: 'utf8' })
    expect(printed.trim()).toBe(versionsIn(root)[0]!.version)
  })

  it('has the same bytes each time', () => {
    expect(readFileSync(makeWheel()).equals(readFileSync(makeWheel()))).toBe(true)
  })
})

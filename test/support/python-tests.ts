/** The tests of the Python client, with a service and a server that breaks exchanges. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryDirectory } from './built.ts'
import { compiled } from './processes/compiled.ts'
import { type Ended, endOf, startService } from './program.ts'

const root = join(import.meta.dirname, '..', '..')

/** A python3 that has httpx, of the path or of Debian; undefined where there is none, which is said. */
export function findPython(): string | undefined {
  const hasHttpx = (python: string) => spawnSync(python, ['-c', 'import httpx']).status === 0
  const found = ['python3', '/usr/bin/python3'].find(hasHttpx)
  const packages = 'python3-httpx python3-pandas'
  if (found === undefined)
    console.error(`skipped: no httpx for python3 (apt-get install ${packages})`)
  return found
}

export async function runPythonTests(): Promise<Ended> {
  const service = await startService(temporaryDirectory(), ['--lookup-rate-limit', '0'])
  const program = join(root, 'test', 'support', 'faults', 'serve.ts')
  const faults = spawn(process.execPath, [compiled(program), service.address], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const faultsEnded = once(faults, 'close')
  try {
    const [line] = await once(createInterface(faults.stdout!), 'line')
    const { address, control } = JSON.parse(line)
    const place = JSON.stringify({
      address: service.address,
      key: service.headers.authorization!.replace('Bearer ', ''),
      snapshot: service.snapshotId,
      faults: address,
      control,
    })
    const module = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    const python = spawn(findPython()!, module, {
      cwd: join(root, 'clients', 'python'),
      env: { ...process.env, AUTHORITY_INDEX_TEST: place },
    })
    return await endOf(python)
  } finally {
    faults.stdin!.end()
    await faultsEnded
    await service.stop('SIGTERM')
  }
}

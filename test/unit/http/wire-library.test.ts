/** The builds of uWebSockets.js: which is taken, and that they are those that npm installs. */
import { describe, expect, it } from 'vitest'
import {
  loadWireLibrary,
  type WireCandidate,
  type WireLibrary,
  wireBuilds,
} from '../../../src/http/wire-library.ts'
import { nativePackages } from '../../../src/version.ts'

function candidate(name: string, load: WireCandidate['load']): WireCandidate {
  return { name, version: '1.0.0', load }
}

const library = {} as WireLibrary
const loads = candidate('loads', () => library)
const throws = candidate('throws', () => {
  throw new Error('GLIBC_2.38 not found')
})
const rejects = candidate('rejects', () => Promise.reject(new Error('Node 26')))

describe('the build that is taken', () => {
  it.each([[[loads, throws]], [[throws, loads]], [[rejects, throws, loads]]])(
    'is the first that loads',
    async (candidates) => {
      const build = { name: 'loads', version: '1.0.0' }
      expect(await loadWireLibrary(candidates)).toEqual({ build, library })
    },
  )

  it('is none where none loads', async () => {
    expect(await loadWireLibrary([throws, rejects])).toBeUndefined()
  })

  it('is refused where no package of them is there', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'MODULE_NOT_FOUND' })
    const absent = candidate('absent', () => Promise.reject(missing))
    await expect(loadWireLibrary([absent, absent])).rejects.toBe(missing)
    expect(await loadWireLibrary([absent, rejects])).toBeUndefined()
  })

  it('has here what a server calls', async () => {
    const wire = await loadWireLibrary()
    const names = ['App', 'SSLApp', 'us_listen_socket_close', 'us_socket_local_port'] as const
    expect(names.map((name) => typeof wire?.library[name])).toEqual(Array(4).fill('function'))
  })
})

describe('each build', () => {
  it.each(wireBuilds)('$name has the version that npm installs', ({ name, version }) => {
    expect(nativePackages).toContain(`${name}@${version}`)
  })
})

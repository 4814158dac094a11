/** A registry of npm on this machine, which has the packages that lie in some files and no other. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A registry that answers until it is closed. */
export interface NpmRegistry {
  /** For `npm --registry`. */
  readonly url: string
  readonly close: () => void
}

interface Served {
  readonly name: string
  readonly manifest: { readonly name: string; readonly version: string }
  readonly bytes: Buffer
}

/** Serves packages. @param tarballs the paths of files that `npm pack` has made. */
export async function serveNpmRegistry(tarballs: readonly string[]): Promise<NpmRegistry> {
  const packages = tarballs.map(readTarball)
  const server = createServer(({ url: path = '' }, response) => {
    const asked = decodeURIComponent(path.slice(1))
    const listed = packages.find(({ name }) => name === asked)
    const file = packages.find(({ name }) => `${name}.tgz` === asked)
    if (listed !== undefined) response.end(JSON.stringify(documentOf(listed, url())))
    else if (file !== undefined) response.end(file.bytes)
    else response.writeHead(404).end('{}')
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: url(), close }
}

function readTarball(path: string): Served {
  const text = execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text)
  return { name: manifest.name, manifest, bytes: readFileSync(path) }
}

/** What a registry says of a package: its one version. */
function documentOf({ name, manifest, bytes }: Served, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const version = { ...manifest, dist: { tarball: `${url}${name}.tgz`, integrity } }
  return {
    name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: version },
  }
}

/**
 * The bill of materials in CycloneDX: what npm reads from the lock file, without packages that only development
 * needs, and Node.js, which is in the single file.
 * Invariant: the same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { type Shipped, shippedPackages } from '../licences.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly properties?: readonly { readonly name: string }[]
}

interface Bill {
  serialNumber: string
  readonly metadata: { timestamp: string; readonly component: { name: string; 'bom-ref': string } }
  components: Component[]
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * The bill of the checkout that this file is part of, as JSON.
 * @param root of a checkout with a lock file; nothing has to be installed.
 * @param epoch seconds since 1970 that stand for its time.
 */
export function billOfMaterials(root: string, epoch: number): string {
  const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error']
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const
  const bill: Bill = JSON.parse(execFileSync('npm', words, options))
  const idOf = ({ name, version }: { name: string; version: string }) => `${name} ${version}`
  const shipped = shippedPackages()
  const shippedIds = new Set(shipped.map(idOf))
  const isOfDevelopment = ({ properties = [] }: Component) =>
    properties.some(({ name }) => name === 'cdx:npm:package:development')
  const kept = bill.components.filter(
    (each) => !isOfDevelopment(each) || shippedIds.has(idOf(each)),
  )
  const node = shipped.filter(({ folder }) => folder === undefined)
  bill.components = [...kept, ...node.map(programOf)]
  const references = new Set([bill.metadata.component, ...kept].map((each) => each['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => references.has(each)),
    }))
  bill.metadata.component.name = 'authority-index'
  bill.metadata.timestamp = new Date(epoch * 1000).toISOString()
  bill.serialNumber = ''
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** What is no package of the lock file: Node.js. */
function programOf({ name, version, licence }: Shipped) {
  const licenses = [{ license: { id: licence } }]
  const purl = `pkg:npm/${name}@${version}`
  return { 'bom-ref': `${name}@${version}`, type: 'platform', name, version, purl, licenses }
}

/** An identifier (UUID, version 8) of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = (8 + (Number.parseInt(hex[16]!, 16) % 4)).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

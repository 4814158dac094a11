/** The command line over the admin API: the same changes as on the ledger itself. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { administered } from '../../../support/administered-service.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

describe('the command line with --url', () => {
  it('does the same over a Unix socket of mode 600, with the admin key as the actor', async () => {
    const socket = join(temporaryDirectory(), 'admin.sock')
    const { adminKey, admin } = await administered(`unix:${socket}`)
    expect(admin).toBe(`unix:${socket}`)
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    const variables = { AUTHORITY_INDEX_ADMIN_KEY: adminKey }
    const over = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await run([...words, '--url', admin, '--json'], {
        variables,
      })
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
      return JSON.parse(stdout)
    }
    expect(await over('account', 'create', 'acme')).toMatchObject({ balance_usd: 50 })
    const credit = ['account', 'top-up', 'acme', '0.1', '--reference', 'r']
    expect(await over(...credit)).toMatchObject({ balance_usd: 50.1, credited: true })
    expect(await over(...credit)).toMatchObject({ balance_usd: 50.1, credited: false })
    expect(
      await over('account', 'adjust', 'acme', '-5', '--reference', 'a', '--reason', 'b'),
    ).toMatchObject({
      balance_usd: 45.1,
    })
    const { key_id: id } = await over('key', 'issue', '--account', 'acme', '--label', 'web')
    expect(await over('key', 'rotate', id)).toMatchObject({ key_id: id })
    const keys: { key_id: string; secrets: object[] }[] = await over('key', 'list')
    expect(keys.find(({ key_id }) => key_id === id)!.secrets).toHaveLength(2)
    expect(await over('key', 'revoke', id)).toEqual({ key_id: id, revoked: true })
    expect(await over('account', 'suspend', 'acme')).toEqual({ account: 'acme', suspended: true })
    expect(await over('account', 'list')).toHaveLength(2)
    expect((await over('account', 'statement', 'acme')).credits).toHaveLength(3)
    expect(await over('account', 'usage', 'acme', '--by', 'key')).toEqual([])
    expect(await over('admin-key', 'list')).toMatchObject([
      { scopes: ['read', 'keys', 'money', 'data'], revoked: null },
    ])
    expect(await over('ledger', 'verify')).toMatchObject({ contradictions: [] })
    const log: { actor: string; action: string }[] = await over('ledger', 'log', 'acme')
    expect(log.map(({ action }) => action)).toEqual([
      ...['account.suspend', 'account.adjust', 'account.top-up', 'account.create'],
    ])
    expect(log.every(({ actor }) => actor.startsWith('adm_'))).toBe(true)
    const refused = await run(['account', 'show', 'nobody', '--url', admin], { variables })
    expect(refused).toMatchObject({ exitCode: 1, stderr: "there is no account 'nobody'\n" })
    const keyless = await run(['account', 'list', '--url', admin])
    expect(keyless).toMatchObject({ exitCode: 2 })
    expect(keyless.stderr).toContain('AUTHORITY_INDEX_ADMIN_KEY')
  })

  it('corrects and removes a person, undoes both, and says what is served', async () => {
    const { adminKey, admin } = await administered()
    const url = `http://${admin}`
    const variables = { AUTHORITY_INDEX_ADMIN_KEY: adminKey }
    const over = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await run([...words, '--url', url, '--json'], {
        variables,
      })
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
      return JSON.parse(stdout)
    }
    const fields = ['correction', 'add', '404', '{"name":"Ann"}', '--evidence', 'letter']
    const known = await run([...fields, '--url', url], { variables })
    expect(known).toMatchObject({ exitCode: 1 })
    expect(known.stderr).toContain('no snapshot has this SDU')
    const { correction_id } = await over(...fields, '--force')
    expect(await over(...fields, '--force')).toEqual({ correction_id, recorded: false })
    expect(await over('correction', 'undo', correction_id)).toEqual({ correction_id, undone: true })
    await over(...fields, '--force')
    const reason = ['--reason', 'asked', '--force']
    const { removal_id } = await over('removal', 'add', '404', ...reason)
    expect(await over('correction', 'list')).toEqual([])
    expect(await over('removal', 'list', '404')).toMatchObject([{ removal_id, undone: null }])
    expect(await over('removal', 'undo', removal_id)).toEqual({ removal_id, undone: true })
    const [{ snapshot_id }] = await over('snapshot', 'list')
    expect(await over('snapshot', 'pin', snapshot_id)).toEqual({ id: snapshot_id, pinned: true })
    expect(await over('snapshot', 'unpin')).toEqual({ pinned: false, removed: true })
    expect(await over('snapshot', 'held-back')).toEqual({ held_back: null, released: false })
    expect(await over('prices')).toMatchObject({ prices_usd: { search: 0.001 } })
    const log: { action: string; subject: string }[] = await over('ledger', 'log')
    expect(JSON.stringify(log)).not.toMatch(/404|Ann/)
    expect(await over('ledger', 'verify')).toMatchObject({ contradictions: [] })
  })
})

/** The command line over the admin API: the same changes as on the ledger itself. */
import { describe, expect, it } from 'vitest'
import { administered } from '../../../support/administered-service.ts'
import { run } from '../../../support/program.ts'

function commandsOver(url: string, adminKey: string) {
  const variables = { AUTHORITY_INDEX_ADMIN_KEY: adminKey }
  const over = async (...words: string[]) => {
    const ended = await run([...words, '--url', url, '--json'], { variables })
    expect(ended).toMatchObject({ stderr: '', exitCode: 0 })
    return JSON.parse(ended.stdout)
  }
  return { over, variables }
}

describe('the command line with --url', () => {
  it('does the same, with the admin key as the actor', async () => {
    const { adminKey, admin: place } = await administered()
    const admin = `http://${place}`
    const { over, variables } = commandsOver(admin, adminKey)
    expect(await over('account', 'create', 'acme')).toMatchObject({ balance_usd: 50 })
    const credit = ['account', 'top-up', 'acme', '0.1', '--reference', 'r']
    expect(await over(...credit)).toMatchObject({ balance_usd: 50.1, credited: true })
    expect(await over(...credit)).toMatchObject({ balance_usd: 50.1, credited: false })
    const adjustment = ['account=acme', 'amount_usd=-5', 'reference=a', 'reason=b']
    expect(await over('admin', 'adjustAccount', ...adjustment)).toMatchObject({ balance_usd: 45.1 })
    const { key_id: id } = await over('key', 'issue', '--account', 'acme', '--label', 'web')
    expect(await over('key', 'rotate', id)).toMatchObject({ key_id: id })
    const keys: { key_id: string; secrets: object[] }[] = await over('key', 'list')
    expect(keys.find(({ key_id }) => key_id === id)!.secrets).toHaveLength(2)
    expect(await over('key', 'revoke', id)).toEqual({ revoked: true })
    expect(await over('admin', 'suspendAccount', 'account=acme')).toEqual({
      state: 'suspended',
      changed: true,
    })
    expect(await over('account', 'list')).toHaveLength(2)
    expect((await over('admin', 'getStatement', 'account=acme')).credits).toHaveLength(3)
    const usage = ['getUsage', 'account=acme', 'by=key']
    expect(await over('admin', ...usage)).toEqual({ account: 'acme', results: [] })
    expect((await over('admin', 'listAdminKeys')).results).toMatchObject([
      { scopes: ['read', 'keys', 'money', 'data'], revoked: null },
    ])
    expect(await over('ledger', 'verify')).toMatchObject({ contradictions: [] })
    const [{ snapshot_id }] = await over('snapshot', 'list')
    expect(await over('snapshot', 'pin', snapshot_id)).toEqual({ snapshot_id, changed: true })
    expect(await over('snapshot', 'unpin')).toEqual({ snapshot_id: null, changed: true })
    const fields = ['admin', 'addCorrection', 'sdu=404', 'set={"name":"Ann"}', 'source=letter']
    const unknown = await run([...fields, '--url', admin], { variables })
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('no snapshot has this SDU'),
    ])
    const { correction_id } = await over(...fields, 'force=true')
    expect(await over(...fields, 'force=true')).toEqual({ correction_id, recorded: false })
    expect(JSON.stringify(await over('admin', 'listAudit'))).not.toMatch(/404|Ann/)
    const { results } = await over('admin', 'listAudit', 'subject=acme')
    const log: { actor: string; action: string }[] = results
    expect(log.map(({ action }) => action)).toEqual([
      ...['account.suspend', 'account.adjust', 'account.top-up', 'account.create'],
    ])
    expect(log.every(({ actor }) => actor.startsWith('adm_'))).toBe(true)
    const refused = await run(['admin', 'getAccount', 'account=nobody', '--url', admin], {
      variables,
    })
    expect(refused).toMatchObject({ exitCode: 1, stderr: "there is no account 'nobody'\n" })
    const keyless = await run(['account', 'list', '--url', admin])
    expect(keyless).toMatchObject({ exitCode: 2 })
    expect(keyless.stderr).toContain('AUTHORITY_INDEX_ADMIN_KEY')
  })
})

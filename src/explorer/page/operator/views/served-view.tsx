/**
 * The view of the served data: the sync that was held back, the snapshots of the directory, corrections and removals.
 */
import { bytesText, wholeText } from '../../model/wording.ts'
import {
  type CorrectionRow,
  type HeldBackAnswer,
  minuteText,
  type RemovalRow,
  type StoredSnapshotRow,
} from '../model/admin-answers.ts'
import {
  addCorrection,
  addRemoval,
  correctionUndo,
  releaseOf,
  removalUndo,
  snapshotChanges,
  unpin,
} from '../model/changes.ts'
import { usePagesOf, useRead } from '../operator-session.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { AdminTrouble } from '../parts/trouble.tsx'
import { MoreRows, WideTable } from '../parts/wide-table.tsx'

export function ServedView() {
  return (
    <>
      <h1>What is served</h1>
      <HeldBackPart />
      <Snapshots />
      <Corrections />
      <Removals />
    </>
  )
}

function HeldBackPart() {
  const asked = useRead<HeldBackAnswer>('/held-back')
  const { shown } = asked
  return (
    <section aria-labelledby="held">
      <h2 id="held">Last sync</h2>
      <AdminTrouble asked={asked} />
      {shown?.held_back === null && <p class="muted">Nothing is held back.</p>}
      {shown?.held_back != null && (
        <div class="notice is-alert">
          <p>
            Held back at {minuteText(shown.held_back.at)}: <bdi>{shown.held_back.reason}</bdi>
          </p>
          {shown.released ? (
            <p>It is released: the next sync of the same source publishes it.</p>
          ) : (
            <ChangeButton change={releaseOf(shown.held_back.source_fingerprint)} />
          )}
        </div>
      )}
    </section>
  )
}

function Snapshots() {
  const asked = useRead<{ readonly results: readonly StoredSnapshotRow[] }>('/snapshots')
  const rows = asked.shown?.results ?? []
  return (
    <section aria-labelledby="snapshots">
      <div class="head-line">
        <h2 id="snapshots">Snapshots</h2>
        {rows.some(({ pinned }) => pinned) && <ChangeButton change={unpin} />}
      </div>
      <AdminTrouble asked={asked} />
      {rows.length > 0 && (
        <WideTable
          label="snapshots"
          names={['Snapshot', 'State', 'People', 'Size', 'Published', 'Changes']}
          ofNumbers={['People', 'Size']}
        >
          {rows.map(({ snapshot_id: id, ...row }) => (
            <tr key={id}>
              <th scope="row">
                <code title={id}>{id.slice(0, 12)}</code>
              </th>
              <td>
                {[row.current && 'current', row.pinned && 'pinned'].filter(Boolean).join(', ')}
              </td>
              <td class="number">
                {row.authorities === null ? 'cannot be served' : wholeText(row.authorities)}
              </td>
              <td class="number">{bytesText(row.bytes)}</td>
              <td>{minuteText(row.published)}</td>
              <td>
                <div class="row-actions">
                  {snapshotChanges(id).map((change) => (
                    <ChangeButton key={change.short} change={change} />
                  ))}
                </div>
              </td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  )
}

function Corrections() {
  const list = usePagesOf<CorrectionRow>('/corrections?limit=50')
  return (
    <section aria-labelledby="corrections">
      <div class="head-line">
        <h2 id="corrections">Corrections</h2>
        <ChangeButton change={addCorrection} />
      </div>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && (
        <p class="muted">None is recorded here; those of the source are not listed.</p>
      )}
      {list.items.length > 0 && (
        <WideTable
          label="corrections"
          names={['Id', 'SDU', 'What is set', 'From', 'Date', 'Undone', 'Changes']}
        >
          {list.items.map(({ correction_id: id, sdu, set, source, date, undone }) => (
            <tr key={id}>
              <th scope="row">
                <code title={id}>{id.slice(0, 12)}</code>
              </th>
              <td>{sdu}</td>
              <td class="text small">
                <bdi>{JSON.stringify(set)}</bdi>
              </td>
              <td class="text">
                <bdi>{source}</bdi>
              </td>
              <td>{date}</td>
              <td>{minuteText(undone)}</td>
              <td>{undone === null && <ChangeButton change={correctionUndo(id)} />}</td>
            </tr>
          ))}
        </WideTable>
      )}
      <MoreRows more={list.more} />
    </section>
  )
}

function Removals() {
  const asked = useRead<{ readonly results: readonly RemovalRow[] }>('/removals')
  const rows = asked.shown?.results ?? []
  return (
    <section aria-labelledby="removals">
      <div class="head-line">
        <h2 id="removals">Removals</h2>
        <ChangeButton change={addRemoval} />
      </div>
      <AdminTrouble asked={asked} />
      {asked.shown !== undefined && rows.length === 0 && <p class="muted">No one was removed.</p>}
      {rows.length > 0 && (
        <WideTable label="removals" names={['Id', 'Time (UTC)', 'Reason', 'Undone', 'Changes']}>
          {rows.map(({ removal_id: id, at, reason, undone }) => (
            <tr key={id}>
              <th scope="row">
                <code title={id}>{id.slice(0, 12)}</code>
              </th>
              <td>{minuteText(at)}</td>
              <td class="text">
                <bdi>{reason}</bdi>
              </td>
              <td>{minuteText(undone)}</td>
              <td>{undone === null && <ChangeButton change={removalUndo(id)} />}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  )
}

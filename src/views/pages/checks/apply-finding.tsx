import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import { type Expectation, type Finding, settingChanges } from '../../../core/checks/findings/index.js'
import { findingShape } from '../../../core/wire/finding.js'
import { statusWord } from '../../components/checks/status-glyph.js'
import { Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { type PageContext, zoneOf } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'
import { ConfirmPage } from '../confirm.js'

interface Props {
  page: PageContext
  check: Check
  finding: Finding
  /** When the check is expected, now and with the proposed settings. */
  before: Expectation
  after: Expectation
  action: string
  back: string
}

/** The value by which a form identifies the proposal that was shown. */
export function proposalText(finding: Finding): string {
  return JSON.stringify(findingShape(finding).patch)
}

/**
 * Asks for confirmation before a finding's settings are applied: the changes, and their effect on the next deadline.
 */
export function ApplyFindingPage({ page, check, finding, before, after, action, back }: Props) {
  return (
    <ConfirmPage
      page={page}
      parent={checkPage(check)}
      title={`Change ${checkLabel(check)}?`}
      text={finding.evidence}
      action={action}
      button="Apply"
      danger={false}
      back={back}
      fields={
        <>
          <input type="hidden" name="proposal" value={proposalText(finding)} />
          <Table
            caption="What changes"
            class="changes"
            columns={[{ title: '', silent: true }, { title: 'Now' }, { title: 'After' }]}
          >
            {settingChanges(check, finding.patch ?? {}).map(change => (
              <Row label={change.label} before={change.before} after={<strong>{change.after}</strong>} />
            ))}
            {before.status === after.status ? null : (
              <Row
                label="Status"
                before={statusWord(before.status)}
                after={<strong>{statusWord(after.status)}</strong>}
              />
            )}
            <Instants
              page={page}
              label="Next ping expected"
              before={before.expectedAt}
              after={after.expectedAt}
            />
            <Instants page={page} label="Down without it" before={before.downAt} after={after.downAt} />
          </Table>
          <p class="help">Times in {zoneOf(page)}</p>
        </>
      }
    />
  )
}

type Cell = string | ReturnType<typeof Time>

function Row({ label, before, after }: { label: string; before: Cell; after: Cell }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{before}</td>
      <td>{after}</td>
    </tr>
  )
}

interface InstantsProps {
  page: PageContext
  label: string
  before: number | null
  after: number | null
}

function Instants({ page, label, before, after }: InstantsProps) {
  if (before === null && after === null) return null
  const shown = (at: number | null) => <Time page={page} at={at} show="clock" otherwise="–" />
  return <Row label={label} before={shown(before)} after={shown(after)} />
}

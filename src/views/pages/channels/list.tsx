import { plural } from '../../../core/text/plural.js'
import { type ChannelHealth, ChannelState } from '../../components/channels/channel-state.js'
import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { IntegrationTabs } from '../../components/incidents/integration-tabs.js'
import { LiveMark } from '../../components/live-mark.js'
import { Logo } from '../../components/logo.js'
import { PageHead } from '../../components/page-head.js'
import { cellClass, Table } from '../../components/table.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { type KindCard, KindGallery } from './gallery.js'

export interface ChannelRow extends ChannelHealth {
  uuid: string
  /** Its name, or its destination if it has none. */
  title: string
  /** Its destination, if the title is not the destination. */
  detail: string
  kindLabel: string
  logo: string
  checks: number
}

interface Props {
  page: PageContext
  projectUuid: string
  /** See http/web/live/live.ts. */
  version: string
  rows: readonly ChannelRow[]
  totalChecks: number
  kinds: readonly KindCard[]
}

/** The channels of a project, and the kinds that can be added. */
export function ChannelsPage({ page, projectUuid, version, rows, totalChecks, kinds }: Props) {
  const live = { path: `/projects/${projectUuid}/integrations/live/`, version }
  return (
    <Layout page={page} title="Integrations" section="integrations" scripts={['live', 'gallery']}>
      <LiveMark page={page} live={live} />
      <PageHead title="Integrations" lead={summary(rows)}>
        {mayWrite(page) && rows.length > 0 ? (
          <ButtonLink look="primary" href={link(page, `/projects/${projectUuid}/integrations/add/`)}>
            Add integration
          </ButtonLink>
        ) : null}
      </PageHead>
      <IntegrationTabs page={page} projectUuid={projectUuid} current="integrations" />
      <ChannelRows page={page} rows={rows} totalChecks={totalChecks} />
      {mayWrite(page) && rows.length === 0 ? (
        <section class="section">
          <h2>Add an integration</h2>
          <KindGallery page={page} projectUuid={projectUuid} kinds={kinds} search="" />
        </section>
      ) : null}
    </Layout>
  )
}

/** The channels of a project, or if there are none, what channels are for. */
export function ChannelRows(props: Pick<Props, 'page' | 'rows' | 'totalChecks'>) {
  return (
    <div id="channels" data-part>
      {props.rows.length === 0 ? (
        <EmptyState title="No integrations yet">
          <p>
            An integration alerts people when a check goes down and when it comes back. When you add one, you
            choose whether it alerts for all checks of the project.
          </p>
        </EmptyState>
      ) : (
        <Rows {...props} />
      )}
    </div>
  )
}

function Rows({ page, rows, totalChecks }: Pick<Props, 'page' | 'rows' | 'totalChecks'>) {
  return (
    <Table
      caption="Integrations of this project"
      class="stacks"
      columns={[
        { title: 'Kind', silent: true },
        { title: 'Integration' },
        { title: 'Checks', align: 'right', wide: true },
        { title: 'Last notification', name: 'state-cell' },
      ]}
    >
      {rows.map(row => (
        <tr>
          <td>
            <Logo svg={row.logo} />
          </td>
          <td>
            <a class="name" href={link(page, `/integrations/${row.uuid}/`)}>
              {row.title}
            </a>
            <span class="under">
              {row.kindLabel}
              {row.detail ? ` · ${row.detail}` : ''}
            </span>
          </td>
          <td class={cellClass({ align: 'right', wide: true })}>
            {row.checks} of {totalChecks}
          </td>
          <td class="state-cell">
            <ChannelState page={page} health={row} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function summary(rows: readonly ChannelRow[]): string {
  if (rows.length === 0) return 'No integrations, so no one is alerted when a check goes down.'
  const bad = rows.filter(row => row.disabled || !row.confirmed || row.lastError !== '').length
  const count = plural(rows.length, 'integration')
  if (bad === 0) return `${count}, all working.`
  return `${count}, ${bad} failing.`
}

import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { type Live, LiveMark } from '../../components/live-mark.js'
import { PageHead } from '../../components/page-head.js'
import { type ListedSilence, SilenceTable } from '../../components/silences/silence-table.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  projectUuid: string
  /** Those that are not over: the active ones first. */
  silences: readonly ListedSilence[]
  past: readonly ListedSilence[]
  /** The address of older ones; null if there are none. */
  older: string | null
  live: Live
}

/** The silences of a project: what is silenced now, what comes, and what was. */
export function SilencesPage(props: Props) {
  const { page, projectUuid, live } = props
  return (
    <Layout page={page} title="Silences" section="silences" scripts={['live']}>
      <LiveMark page={page} live={live} />
      <PageHead
        title="Silences"
        lead="Periods in which alerts are held. Checks, logs and badges still show the real status."
      >
        {mayWrite(page) ? (
          <ButtonLink look="primary" href={link(page, `/projects/${projectUuid}/silences/add/`)}>
            New silence
          </ButtonLink>
        ) : null}
      </PageHead>
      <SilenceLists {...props} />
    </Layout>
  )
}

/** The lists of the page. */
export function SilenceLists({ page, projectUuid, silences, past, older }: Omit<Props, 'live'>) {
  const active = silences.filter(({ state }) => state === 'active')
  const coming = silences.filter(({ state }) => state !== 'active')
  const table = (caption: string, some: readonly ListedSilence[]) => (
    <section class="section">
      <h2>{caption}</h2>
      <SilenceTable page={page} projectUuid={projectUuid} silences={some} caption={caption} />
    </section>
  )
  return (
    <div id="silences" data-part>
      {silences.length === 0 ? (
        <EmptyState title="Nothing is silenced">
          <p>
            Silence checks during maintenance or at night. Checks that are still down when a silence ends are
            alerted then.
          </p>
        </EmptyState>
      ) : null}
      {active.length > 0 ? table('Now', active) : null}
      {coming.length > 0 ? table('Coming', coming) : null}
      {past.length > 0 ? table('Past', past) : null}
      {older ? (
        <p class="spaced">
          <ButtonLink href={older}>Older</ButtonLink>
        </p>
      ) : null}
    </div>
  )
}

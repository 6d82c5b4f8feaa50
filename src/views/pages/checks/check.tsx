import { checkLabel } from '../../../core/alerts/alert.js'
import type { CheckPageProps } from '../../check-page.js'
import { ChannelSigns } from '../../components/channels/channel-signs.js'
import { CheckAbout } from '../../components/checks/check-about.js'
import { CheckActions } from '../../components/checks/check-actions.js'
import { Days, Durations } from '../../components/checks/check-charts.js'
import { CheckFigures } from '../../components/checks/check-figures.js'
import { CheckIncidents } from '../../components/checks/check-incidents.js'
import { CheckHead } from '../../components/checks/check-state.js'
import { HowToPing } from '../../components/checks/how-to-ping.js'
import { Findings } from '../../components/findings.js'
import { RunSection } from '../../components/pings/run-section.js'
import { Layout } from '../../layout.js'
import { link } from '../../page-context.js'
import { runsSearch } from '../../timeline-query.js'

/** The page of one check. */
export function CheckPage(props: CheckPageProps) {
  const { page, check, shown } = props
  const fresh = check.nPings === 0
  const live = `/checks/${check.uuid}/live/${runsSearch(shown)}`
  return (
    <Layout title={checkLabel(check)} page={page} section="checks" scripts={['live', 'output']}>
      <ChannelSigns logos={props.logos} />
      <div class="check-top" data-live={link(page, live)} data-version={props.version}>
        <CheckHead {...props} />
        <CheckActions {...props} />
      </div>
      <div class="check-page">
        <div class="check-main">
          <Findings {...props} />
          {fresh ? <HowToPing {...props} /> : null}
          <CheckFigures {...props} />
          <CheckIncidents {...props} />
          <Days {...props} />
          <Durations {...props} />
          <RunSection {...props} />
        </div>
        <aside class="check-aside" aria-label="Settings">
          {fresh ? null : <HowToPing {...props} />}
          <CheckAbout {...props} />
        </aside>
      </div>
    </Layout>
  )
}

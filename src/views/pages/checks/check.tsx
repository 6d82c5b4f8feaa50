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
import { Setup } from '../../components/checks/setup/setup.js'
import { Findings } from '../../components/findings.js'
import { CHECK_KEYS } from '../../components/keys.js'
import { RunSection } from '../../components/pings/run-section.js'
import { Layout } from '../../layout.js'
import { link } from '../../page-context.js'
import { runsSearch } from '../../timeline-query.js'

/** The page of one check. */
export function CheckPage(props: CheckPageProps) {
  const { page, check, shown } = props
  const isFresh = check.nPings === 0
  const isInSetup = props.setup !== null && isFresh
  const isDown = check.status === 'down'
  const live = `/checks/${check.uuid}/live/${runsSearch(shown)}`
  return (
    <Layout
      title={checkLabel(check)}
      page={page}
      section="checks"
      parent="checks"
      scripts={['live', 'output']}
      keys={CHECK_KEYS}
    >
      <ChannelSigns logos={props.logos} />
      <div class="check-top" data-live={link(page, live)} data-version={props.version}>
        <CheckHead {...props} />
        <CheckActions {...props} />
      </div>
      <div class="check-page">
        <div class="check-main">
          {isDown ? <CheckIncidents {...props} /> : null}
          <Setup {...props} />
          <Findings {...props} />
          {isFresh && !isInSetup ? <HowToPing {...props} /> : null}
          <CheckFigures {...props} />
          {isDown ? null : <CheckIncidents {...props} />}
          <Days {...props} />
          <Durations {...props} />
          <RunSection {...props} />
        </div>
        <aside class="check-aside" aria-label="Settings">
          {isFresh ? null : <HowToPing {...props} />}
          <CheckAbout {...props} />
        </aside>
      </div>
    </Layout>
  )
}

import { checkLabel } from '../../../core/alerts/alert.js'
import { cursorText, TIMELINE_KINDS, type TimelineKind } from '../../../core/checks/timeline.js'
import type { CheckPageProps } from '../../check-page.js'
import { ChannelSigns } from '../../components/channels/channel-signs.js'
import { CheckAbout } from '../../components/checks/check-about.js'
import { CheckActions } from '../../components/checks/check-actions.js'
import { Days, Durations } from '../../components/checks/check-charts.js'
import { CheckFigures } from '../../components/checks/check-figures.js'
import { CheckHead } from '../../components/checks/check-state.js'
import { HowToPing } from '../../components/checks/how-to-ping.js'
import { inZone, Timeline } from '../../components/checks/timeline.js'
import { Findings } from '../../components/findings.js'
import { Layout } from '../../layout.js'
import { link, zoneOf } from '../../page-context.js'
import { TIMELINE_ZONES, timelineSearch } from '../../timeline-query.js'

/** The page of one check. */
export function CheckPage(props: CheckPageProps) {
  const { page, check, shown } = props
  const fresh = check.nPings === 0
  const live = `/checks/${check.uuid}/live/${timelineSearch(shown)}`
  return (
    <Layout title={checkLabel(check)} page={page} section="checks" scripts={['live']}>
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
          <Days {...props} />
          <Durations {...props} />
          <TimelineSection {...props} />
        </div>
        <aside class="check-aside" aria-label="Settings">
          {fresh ? null : <HowToPing {...props} />}
          <CheckAbout {...props} />
        </aside>
      </div>
    </Layout>
  )
}

const KIND_WORDS: Record<TimelineKind, string> = {
  success: 'OK',
  fail: 'Failures',
  start: 'Starts',
  log: 'Logs',
  ign: 'Ignored',
  flip: 'Changes',
  notification: 'Notifications',
}

function TimelineSection(props: CheckPageProps) {
  const { page, check, timeline, shown } = props
  const here = `/checks/${check.uuid}/details/`
  return (
    <section class="section" id="events">
      <h2>What happened</h2>
      <form class="kinds" method="get" action={link(page, `${here}#events`)}>
        {TIMELINE_KINDS.map(kind => (
          <label>
            <input type="checkbox" name="show" value={kind} checked={shown.kinds.includes(kind)} />
            {KIND_WORDS[kind]}
          </label>
        ))}
        {shown.zone === 'own' ? null : <input type="hidden" name="zone" value={shown.zone} />}
        <button type="submit" class="button button-plain button-small">
          Show
        </button>
        <Zones {...props} />
      </form>
      <Timeline page={inZone(props)} checkUuid={check.uuid} events={timeline.events} />
      <nav class="pager" aria-label="Pages of events">
        {shown.before === '' ? null : (
          <a href={link(page, `${here}${timelineSearch({ ...shown, before: '' })}#events`)}>Newest</a>
        )}
        {timeline.next ? (
          <a
            href={link(
              page,
              `${here}${timelineSearch({ ...shown, before: cursorText(timeline.next) })}#events`,
            )}
          >
            Older
          </a>
        ) : null}
      </nav>
    </section>
  )
}

/** In which zone the times of the timeline stand, where there is a choice. */
function Zones({ page, check, shown }: CheckPageProps) {
  const names = { own: zoneOf(page), utc: 'UTC', check: check.tz }
  const zones = TIMELINE_ZONES.filter((zone, index) =>
    TIMELINE_ZONES.slice(0, index).every(other => names[other] !== names[zone]),
  )
  if (zones.length < 2) return null
  return (
    <span class="zones">
      <span class="muted">Times in</span>
      {zones.map(zone => (
        <a
          href={link(page, `/checks/${check.uuid}/details/${timelineSearch({ ...shown, zone })}#events`)}
          aria-current={zone === shown.zone ? 'true' : undefined}
        >
          {names[zone]}
        </a>
      ))}
    </span>
  )
}

import { runLength } from '../../../core/time/duration.js'
import type { CheckPageProps } from '../../check-page.js'
import { link } from '../../page-context.js'
import { Elapsed } from '../elapsed.js'
import { Acknowledgement, incidentPath } from '../incidents/acknowledgement.js'
import { CheckAlerts } from '../incidents/check-alerts.js'
import { causeWords, otherEnd } from '../incidents/incident-words.js'
import { Time } from '../time.js'

/** The latest incidents of a check; an open one can be acknowledged. Nothing if there was none. */
export function CheckIncidents({
  page,
  incidents,
  alerts,
}: Pick<CheckPageProps, 'page' | 'incidents' | 'alerts'>) {
  const open = incidents.find(({ closedAt }) => closedAt === null)
  return (
    <section class="section" id="check-incidents" data-part hidden={incidents.length + alerts.length === 0}>
      <h2>Incidents</h2>
      {open ? <Acknowledgement page={page} incident={open} isSaid /> : null}
      {alerts.length > 0 ? (
        <>
          <h3>Alerts now</h3>
          <CheckAlerts page={page} channels={alerts} />
        </>
      ) : null}
      <ul class="plain-list">
        {incidents.map(incident => (
          <li>
            <a href={link(page, incidentPath(page, incident.id))}>
              <Time page={page} at={incident.openedAt} show="clock" />
            </a>
            , <Length page={page} incident={incident} />
            {otherEnd(incident)}. <span class="muted">{causeWords(page, incident)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Length({
  page,
  incident: { openedAt, downAt, closedAt },
}: {
  page: CheckPageProps['page']
  incident: CheckPageProps['incidents'][number]
}) {
  if (closedAt !== null) return <>{runLength(closedAt - openedAt)}</>
  return (
    <>
      down for <Elapsed page={page} since={downAt} />
      {downAt > openedAt ? ', again' : ''}
    </>
  )
}

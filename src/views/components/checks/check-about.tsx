import { tagList } from '../../../core/checks/check.js'
import { formOf, usesPart } from '../../../core/checks/check-form.js'
import { alertWords } from '../../../core/checks/health/alert-words.js'
import { silenceLabel } from '../../../core/silences/silence-words.js'
import { periodWords } from '../../../core/time/duration.js'
import type { CheckPageProps } from '../../check-page.js'
import { link, mayWrite, zoneOf } from '../../page-context.js'
import { CheckChannels } from '../channels/check-channels.js'
import { CheckDependencies } from '../incidents/check-dependencies.js'
import { ManagedBy } from '../managed-by.js'
import { SilenceWhen } from '../silences/silence-when.js'
import { Time } from '../time.js'
import { scheduleWords } from './schedule-words.js'
import { Tags } from './tags.js'

/** The settings of a check: schedule, channels, rules, description and tags. */
export function CheckAbout(props: CheckPageProps) {
  return (
    <>
      <ManagedBy file={props.managedBy} />
      <CheckSchedule {...props} />
      <CheckChannels {...props} />
      <CheckDependencies {...props} />
      <CheckFacts {...props} />
    </>
  )
}

type Props = Pick<CheckPageProps, 'page' | 'check'>

/** When the check is expected. */
export function CheckSchedule({ page, check, silences }: Props & Pick<CheckPageProps, 'silences'>) {
  const edit = link(page, `/checks/${check.uuid}/edit/`)
  return (
    <section class="section" id="schedule" data-part>
      <h2>Schedule {mayWrite(page) ? <a href={`${edit}#schedule`}>Edit</a> : null}</h2>
      <dl class="facts">
        {check.kind === 'simple' ? (
          <>
            <dt>Period</dt>
            <dd>{periodWords(check.periodSeconds)}</dd>
          </>
        ) : (
          <>
            <dt>{check.kind === 'cron' ? 'Cron' : 'OnCalendar'}</dt>
            <dd>
              <code class="lines">{check.schedule}</code>
              <span class="help">{scheduleWords(check, zoneOf(page))}</span>
            </dd>
            <dt>Time zone</dt>
            <dd>{check.tz}</dd>
          </>
        )}
        <dt>Grace</dt>
        <dd>
          {periodWords(check.graceSeconds)}
          {check.maxDurationSeconds === null ? <span class="help">also the maximum run time</span> : null}
        </dd>
        {usesPart('runs', formOf(check)) ? (
          <>
            <dt>Runs and tolerance</dt>
            <dd>{alertWords(check)}</dd>
          </>
        ) : null}
        {silences.length > 0 ? (
          <>
            <dt>Silences</dt>
            <dd>
              {silences.map(silence => (
                <p>
                  {silenceLabel(silence)}, <SilenceWhen page={page} silence={silence} />
                </p>
              ))}
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

/** The description and tags of the check, and its rules. */
export function CheckFacts({ page, check }: Props) {
  const edit = link(page, `/checks/${check.uuid}/edit/`)
  return (
    <section class="section" id="about" data-part>
      <h2>About {mayWrite(page) ? <a href={edit}>Edit</a> : null}</h2>
      <dl class="facts">
        {check.desc === '' ? null : (
          <>
            <dt>Description</dt>
            <dd class="prose">
              <Linked text={check.desc} />
            </dd>
          </>
        )}
        {check.tags === '' ? null : (
          <>
            <dt>Tags</dt>
            <dd>
              <Tags tags={tagList(check.tags)} />
            </dd>
          </>
        )}
        <dt>Slug</dt>
        <dd>{check.slug === '' ? <span class="muted">none</span> : <code>{check.slug}</code>}</dd>
        <dt>Pings</dt>
        <dd>
          {check.nPings} since <Time page={page} at={check.createdAt} show="clock" />
        </dd>
        <dt>Rules</dt>
        <dd>
          <Rules check={check} />
        </dd>
      </dl>
    </section>
  )
}

function Rules({ check }: Pick<Props, 'check'>) {
  const filters = [
    check.filterSubject && 'subjects of e-mails',
    check.filterBody && 'bodies of e-mails',
    check.filterHttpBody && 'bodies of HTTP pings',
  ].filter(part => typeof part === 'string')
  const rules = [
    check.methods === 'POST' ? 'Only POST requests count as pings.' : null,
    check.manualResume ? 'Once paused it waits to be resumed.' : null,
    filters.length > 0 ? `Keywords are looked for in ${filters.join(', ')}.` : null,
  ].filter(rule => rule !== null)
  return <>{rules.length > 0 ? rules.join(' ') : 'Any HTTP method counts as a ping.'}</>
}

const ADDRESS = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/

/** A text in which web addresses are links. */
function Linked({ text }: { text: string }) {
  return (
    <>
      {text.split(ADDRESS).map((part, index) =>
        index % 2 === 1 ? (
          <a href={part} rel="noopener noreferrer nofollow">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}

import { tagList } from '../../core/check.js'
import { periodWords } from '../../core/duration.js'
import type { CheckPageProps } from '../check-page.js'
import { link, mayWrite } from '../page-context.js'
import { ChannelSign } from './channel-toggle.js'
import { PostForm } from './post-form.js'
import { scheduleWords } from './schedule-words.js'
import { Tags } from './tags.js'
import { Time } from './time.js'

/** What is set: schedule, integrations, rules, and what people wrote about the check. */
export function CheckAbout(props: CheckPageProps) {
  const { page, check } = props
  const edit = link(page, `/checks/${check.uuid}/edit/`)
  return (
    <>
      <section class="section">
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
                <span class="help">{scheduleWords(check)}</span>
              </dd>
              <dt>Time zone</dt>
              <dd>{check.tz}</dd>
            </>
          )}
          <dt>Grace</dt>
          <dd>
            {periodWords(check.graceSeconds)}
            <span class="help">also the longest that a run may take</span>
          </dd>
        </dl>
      </section>
      <Integrations {...props} />
      <section class="section">
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
            <Rules {...props} />
          </dd>
        </dl>
      </section>
    </>
  )
}

function Integrations({ page, check, channels }: CheckPageProps) {
  return (
    <section class="section" id="integrations">
      <h2>Integrations</h2>
      {channels.length === 0 ? (
        <p class="notice">
          Nobody is told when this check goes down.{' '}
          {page.project ? (
            <a href={link(page, `/projects/${page.project.uuid}/integrations/`)}>Add an integration</a>
          ) : null}
        </p>
      ) : (
        <ul class="switches">
          {channels.map(channel => (
            <li>
              <ChannelSign kind={channel.kind} />
              <span class="clip">{channel.name || channel.label}</span>
              {channel.disabled ? <span class="muted small">disabled</span> : null}
              {mayWrite(page) ? (
                <PostForm page={page} action={`/checks/${check.uuid}/channels/${channel.uuid}/enabled`}>
                  <input type="hidden" name="from" value="check" />
                  <button
                    type="submit"
                    class={channel.on ? 'switch on' : 'switch'}
                    name="state"
                    value={channel.on ? 'off' : 'on'}
                    aria-pressed={channel.on ? 'true' : 'false'}
                  >
                    <span class="sr-only">{channel.name || channel.label}: </span>
                    {channel.on ? 'On' : 'Off'}
                  </button>
                </PostForm>
              ) : (
                <span class="muted">{channel.on ? 'On' : 'Off'}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Rules({ check }: CheckPageProps) {
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
  return <>{rules.length > 0 ? rules.join(' ') : 'Every request to its address counts.'}</>
}

const ADDRESS = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/

/** A text with its web addresses as links. */
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

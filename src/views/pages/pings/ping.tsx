import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import type { TimelinePing } from '../../../core/checks/history/timeline.js'
import { isLate, timeOf } from '../../../core/pings/back-dated.js'
import { exactWords } from '../../../core/time/instant.js'
import { Duration } from '../../components/duration.js'
import { type FormattedOutput, OutputViewer } from '../../components/pings/output-viewer.js'
import { pingWords } from '../../components/pings/timeline.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { checkPage } from '../../site-pages.js'

interface Props {
  page: PageContext
  check: Check
  ping: Omit<TimelinePing, 'preview' | 'bodySize'>
  /** An e-mail's subject; null for other pings. */
  subject: string | null
  /** Null if there is no body, or if it cannot be read. */
  output: FormattedOutput | null
  bodySize: number
  older: number | null
  newer: number | null
}

/** The details of a ping. */
export function PingPage(props: Props) {
  const { page, check, ping, subject, output, bodySize, older, newer } = props
  const at = (n: number | string) => link(page, `/checks/${check.uuid}/pings/${n}/`)
  const own = check.kind !== 'simple' && check.tz !== zoneOf(page) ? check.tz : null
  return (
    <Layout
      title={`Ping #${ping.n} of ${checkLabel(check)}`}
      page={page}
      section="checks"
      parent={checkPage(check)}
      scripts={['output']}
    >
      <header class="page-head">
        <div>
          <h1>
            Ping #{ping.n}: <span class={`kind-${ping.action}`}>{pingWords(ping)}</span>
          </h1>
        </div>
        <nav class="actions" aria-label="Other pings">
          {ping.action === 'success' || ping.action === 'fail' ? (
            <a href={link(page, `/checks/${check.uuid}/compare/?b=${ping.n}`)}>Compare</a>
          ) : null}
          {older === null ? null : (
            <a href={at(older)} rel="prev">
              Older
            </a>
          )}
          {newer === null ? null : (
            <a href={at(newer)} rel="next">
              Newer
            </a>
          )}
        </nav>
      </header>
      <dl class="facts">
        {isLate(ping) ? (
          <>
            <dt>Ran at</dt>
            <dd>
              <Time page={page} at={timeOf(ping)} show="exact" /> (<Time page={page} at={timeOf(ping)} />)
            </dd>
          </>
        ) : null}
        <dt>{isLate(ping) ? 'Reported at' : 'When'}</dt>
        <dd>
          <Time page={page} at={ping.at} show="exact" /> (<Time page={page} at={ping.at} />)
          {own ? <span class="help">{exactWords(ping.at, own)}</span> : null}
        </dd>
        {ping.durationMs === null ? null : (
          <>
            <dt>Run took</dt>
            <dd>
              <Duration ms={ping.durationMs} />
            </dd>
          </>
        )}
        {ping.exitStatus === null ? null : (
          <>
            <dt>Exit status</dt>
            <dd>{ping.exitStatus}</dd>
          </>
        )}
        {ping.rid === null ? null : (
          <>
            <dt>Run ID</dt>
            <dd>
              <code>{ping.rid}</code>
            </dd>
          </>
        )}
        <dt>Source</dt>
        <dd>
          {ping.scheme === 'email' ? 'E-mail' : `${ping.scheme.toUpperCase()} ${ping.method}`}
          {ping.remoteAddr ? ` from ${ping.remoteAddr}` : ''}
        </dd>
        {ping.ua === '' ? null : (
          <>
            <dt>{ping.scheme === 'email' ? 'Sender' : 'User agent'}</dt>
            <dd>{ping.ua}</dd>
          </>
        )}
        {subject === null ? null : (
          <>
            <dt>Subject</dt>
            <dd>{subject}</dd>
          </>
        )}
      </dl>
      <section class="section">
        <h2>Body</h2>
        {bodySize === 0 ? <p class="muted">This ping had no body.</p> : null}
        {bodySize > 0 && output === null ? <p class="muted">The body cannot be read at the moment.</p> : null}
        {output === null ? null : (
          <OutputViewer output={output} name="body" download={at(`${ping.n}/body`)} />
        )}
      </section>
    </Layout>
  )
}

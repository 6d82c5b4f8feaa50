import type { ArrivalHint } from '../../../../core/checks/setup/arrival.js'
import { agentWords } from '../../../../core/pings/agent-words.js'
import { plural } from '../../../../core/text/plural.js'
import { clockWithSeconds } from '../../../../core/time/instant.js'
import { roughLength } from '../../../../core/time/relative-time.js'
import type { CheckPageProps } from '../../../check-page.js'
import { zoneOf } from '../../../page-context.js'
import { Time } from '../../time.js'

type Props = Pick<CheckPageProps, 'page' | 'check' | 'state' | 'setup'>

const DAY_MS = 86_400_000

/** Whether the first ping has arrived, from where, and what is noticeable about it. It changes live. */
export function SetupArrival(props: Props) {
  const { check, setup } = props
  if (setup === null) return null
  if (check.nPings === 0) {
    return (
      <div class="arrival" id="arrival" data-part>
        <p>
          <span class="listening" aria-hidden="true" />
          <span>Waiting for the first ping…</span>
        </p>
        <noscript>
          <p class="help">Reload this page after the job has run.</p>
        </noscript>
      </div>
    )
  }
  return (
    <div class="arrival is-received" id="arrival" data-part>
      <p>
        <span class="setup-number" aria-hidden="true">
          ✓
        </span>
        <span>
          <Received {...props} />
        </span>
      </p>
      {setup.arrival && setup.arrival.hints.length > 0 ? (
        <ul>
          {setup.arrival.hints.map(hint => (
            <li>
              <Hint {...props} hint={hint} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Received({ page, check, state, setup }: Props) {
  const first = setup?.arrival?.first
  const next = state.expectedAt && (
    <>
      {' '}
      Next expected <Time page={page} at={state.expectedAt} show="clock" />.
    </>
  )
  if (!first) {
    return (
      <>
        <strong>{plural(check.nPings, 'ping')} received</strong>, the last{' '}
        <Time page={page} at={check.lastPing} />.{next}
      </>
    )
  }
  const agent = first.scheme === 'email' ? 'by e-mail' : agentWords(first.ua)
  const isToday = page.now - first.at < DAY_MS
  return (
    <>
      <strong>
        Received{' '}
        <time datetime={new Date(first.at).toISOString()}>
          {isToday ? (
            clockWithSeconds(first.at, zoneOf(page))
          ) : (
            <Time page={page} at={first.at} show="clock" />
          )}
        </time>
      </strong>
      {first.remoteAddr ? ` from ${first.remoteAddr}` : ''}
      {agent ? `, ${agent}` : ''}, {roughLength(first.at - check.createdAt)} after the check was created.
      {next}
    </>
  )
}

function Hint({ page, check, state, setup, hint }: Props & { hint: ArrivalHint }) {
  switch (hint.hint) {
    case 'browser':
      return (
        <>
          It came from a browser ({agentWords(setup?.arrival?.first.ua ?? '')}). Was it you? Then the job
          itself has not pinged yet.
        </>
      )
    case 'failed':
      return (
        <>
          {hint.exitStatus === null
            ? 'The job reported a failure'
            : `The job exited with status ${hint.exitStatus}`}
          {state.status === 'down' ? ', so the check is down.' : '.'}
        </>
      )
    case 'unfinished':
      return (
        <>
          The job has started, but not finished. Call the URL without <code>/start</code> when it ends
          {state.running ? (
            <>
              ; otherwise the check goes down <Time page={page} at={state.running.limitAt} />
            </>
          ) : null}
          .
        </>
      )
    case 'only-log':
      return <>It was a log entry, which does not count as a success.</>
    case 'ignored':
      return (
        <>
          It was ignored
          {check.methods === 'POST'
            ? ': this check counts only POST requests.'
            : ' by the rules of the check.'}
        </>
      )
    case 'addresses':
      return <>Pings came from {hint.addresses.join(' and ')}. Does the job run on more than one machine?</>
  }
}

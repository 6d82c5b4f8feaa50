import { checkLabel } from '../../../core/alerts/alert.js'
import { silencedBy } from '../../../core/silences/silenced.js'
import type { CheckPageProps } from '../../check-page.js'
import { zoneOf } from '../../page-context.js'
import { AckWords } from '../incidents/incident-words.js'
import { LastOutput } from '../pings/last-output.js'
import { SilenceSentence } from '../silences/silence-mark.js'
import { otherZone } from './schedule-words.js'
import { StateSentence } from './state-sentence.js'
import { StatusGlyph } from './status-glyph.js'

type Props = Pick<
  CheckPageProps,
  'page' | 'check' | 'state' | 'exitStatus' | 'tookMs' | 'output' | 'silences' | 'incidents' | 'alerts'
>

/** The head of a check's page: symbol, name, the state as a sentence, and if the check is down, its last output. */
export function CheckHead(props: Props) {
  const { page, check, state, exitStatus, tookMs, output, silences, incidents, alerts } = props
  const down = state.status === 'down'
  const ack = incidents.find(({ closedAt }) => closedAt === null)?.acknowledged ?? null
  const parents = alerts.flatMap(({ holds }) => holds.filter(({ reason }) => reason === 'dependency'))
  return (
    <div id="state" data-part class={`state is-${state.status}`}>
      <h1>
        <StatusGlyph status={state.status} running={state.running !== null} />
        <span>{checkLabel(check)}</span>
      </h1>
      <p class="state-words">
        <StateSentence
          page={page}
          check={check}
          state={state}
          exitStatus={exitStatus}
          tookMs={tookMs}
          scheduleZone={otherZone(check, zoneOf(page))}
        />
      </p>
      {ack ? (
        <p>
          <AckWords page={page} ack={ack} />
        </p>
      ) : null}
      <SilenceSentence page={page} silenced={silencedBy(silences, check)} />
      {parents.length === 0 ? null : (
        <p>
          <strong>Alerts are held</strong> as long as a check on which it depends is in trouble:{' '}
          {[...new Set(parents.map(({ name }) => name))].join(', ')}.
        </p>
      )}
      {down && output ? <LastOutput page={page} checkUuid={check.uuid} output={output} /> : null}
    </div>
  )
}

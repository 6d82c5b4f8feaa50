import { Choice } from '../forms/choice.js'
import { errorOf } from '../forms/form-problem.js'
import { Picks } from '../forms/picks.js'
import type { SilenceFormProps } from './form-props.js'

/** What a silence does, and to which integrations. */
export function SilenceHowPart({ form, problem, channels }: SilenceFormProps) {
  return (
    <section class="form-part">
      <h2>What happens</h2>
      <div class="form">
        <div>
          <Choice
            name="mode"
            value="hold"
            now={form.mode}
            label="Hold alerts"
            help="Checks that are still down at the end are alerted then. Recoveries of checks that were alerted before are sent at once."
          />
          <Choice
            name="mode"
            value="expect_nothing"
            now={form.mode}
            label="Hold alerts, and expect no runs"
            help="Runs due in this time do not count as missed."
          />
        </div>
        {channels.length > 0 ? (
          <div>
            <Choice name="held" value="all" now={form.held} label="For all integrations" />
            <Choice name="held" value="some" now={form.held} label="Only for some">
              <Picks
                legend="Integrations"
                name="channel"
                options={channels}
                chosen={form.channels}
                error={errorOf(problem, 'channels')}
              />
            </Choice>
          </div>
        ) : null}
      </div>
    </section>
  )
}

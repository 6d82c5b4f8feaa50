import { Choice } from '../forms/choice.js'
import { Tick } from '../forms/field.js'
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
          <Tick
            type="radio"
            name="mode"
            value="hold"
            checked={form.mode === 'hold'}
            label="Hold alerts"
            help="What is still down at the end is sent then. Recoveries of what was sent before are sent at once."
          />
          <Tick
            type="radio"
            name="mode"
            value="expect_nothing"
            checked={form.mode === 'expect_nothing'}
            label="Hold alerts, and expect no runs"
            help="A run that should have begun in this time is not missed."
          />
        </div>
        {channels.length > 0 ? (
          <div>
            <Tick
              type="radio"
              name="held"
              value="all"
              checked={form.held === 'all'}
              label="For all integrations"
            />
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

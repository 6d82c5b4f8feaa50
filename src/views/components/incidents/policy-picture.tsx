import type { PolicyRules } from '../../../core/incidents/policy.js'
import { type PolicyLane, type PolicyLine, policyLine } from '../../../core/incidents/policy-line.js'
import { type PolicyNames, policySentence } from '../../../core/incidents/policy-words.js'
import { runLength } from '../../../core/time/duration.js'

interface Props {
  policy: PolicyRules
  names: PolicyNames
}

/** Who is alerted when, in a sentence and on a line of time, which is to scale. */
export function PolicyPicture({ policy, names }: Props) {
  const line = policyLine(policy, names)
  if (line.lanes.length === 0) {
    return <p class="notice">No one is alerted: the integrations of its steps were deleted.</p>
  }
  return (
    <div class="policy-picture">
      <p class="policy-words">{policySentence(policy, names)}</p>
      <dl class="policy-lanes">
        {line.lanes.map(lane => (
          <div>
            <dt>{lane.who}</dt>
            <dd>
              <span class="sr-only">{lane.words}</span>
              <Lane lane={lane} line={line} />
            </dd>
          </div>
        ))}
      </dl>
      <Axis line={line} />
    </div>
  )
}

/** How far to the right the last instant is that is drawn, if further repeats follow. */
const CUT_AT = 88

/** The place of an instant on the line, in percent. */
function placeOf(seconds: number, line: PolicyLine): number {
  if (line.seconds === 0) return 0
  const place = (seconds / line.seconds) * (line.untilSeconds === null ? 100 : CUT_AT)
  return Math.round(place * 100) / 100
}

function Lane({ lane, line }: { lane: PolicyLane; line: PolicyLine }) {
  const all = [...lane.steps, ...lane.repeats].map(seconds => placeOf(seconds, line))
  return (
    <svg class="policy-lane" width="100%" height="18" aria-hidden="true">
      <line class="track" x1="0" x2="100%" y1="9" y2="9" />
      <line x1={`${all[0]}%`} x2={`${all.at(-1)}%`} y1="9" y2="9" />
      {line.untilSeconds === null ? null : (
        <line class="more" x1={`${all.at(-1)}%`} x2="100%" y1="9" y2="9" />
      )}
      {all.map((place, index) => (
        <circle class={index < lane.steps.length ? 'step' : 'repeat'} cx={`${place}%`} cy="9" r="5" />
      ))}
    </svg>
  )
}

/** The nearest that two labels may be, in percent. */
const APART = 22

/** The labels of the line: the beginning, the end, and between them as many instants as have space. */
function Axis({ line }: { line: PolicyLine }) {
  const end = placeOf(line.seconds, line)
  const instants = line.lanes
    .flatMap(({ steps, repeats }) => [...steps, ...repeats])
    .toSorted((a, b) => a - b)
  let last = 0
  const between = instants.filter(seconds => {
    const place = placeOf(seconds, line)
    if (place - last < APART || end - place < APART) return false
    last = place
    return true
  })
  const label = (seconds: number, anchor: 'middle' | 'end') => (
    <text x={`${placeOf(seconds, line)}%`} y="12" text-anchor={anchor}>
      {runLength(seconds * 1000)}
    </text>
  )
  return (
    <svg class="policy-axis" width="100%" height="16" aria-hidden="true">
      <text x="0" y="12">
        {instants[0] === 0 ? 'At once' : 'Down'}
      </text>
      {between.map(seconds => label(seconds, 'middle'))}
      {line.seconds === 0 ? null : label(line.seconds, line.untilSeconds === null ? 'end' : 'middle')}
    </svg>
  )
}

/**
 * The steps and repeats of a policy for one incident and one channel. Pure. Its clock does not run while the channel
 * is held or the incident is acknowledged. Instants and lengths in ms. Decision 0115.
 */
import { lengthOf, type Span, within, without } from '../time/spans.js'
import type { PolicyRules } from './policy.js'

/** How far a policy has got for a channel. */
export interface Progress {
  /** What the clock showed at `clockAt`. */
  clockMs: number
  clockAt: number
  /** How many steps have alerted this channel; those at the same time count once. */
  steps: number
  repeats: number
}

/** What decides whether a step or a repeat is due for a channel. */
export interface Look {
  progress: Progress
  /** For each step of the policy, whether it alerts this channel. */
  concerns: readonly boolean[]
  /** For how long the channel was held in these spans, see {@link counted}. Asked only if that matters. */
  heldMs(): number
  /** Until when it is held, if it is held now; else null. */
  heldUntil: number | null
  /** The latest acknowledgement; `to` is null if it has no end. */
  acknowledged: { from: number; to: number | null } | null
}

export interface Escalation {
  /** What to send now. */
  add: 'step' | 'repeat' | null
  progress: Progress
  /** When to look again; null: never. */
  lookAt: number | null
}

/** How long to wait at most before looking again whether a hold has ended that a step or repeat waits for. */
export const LOOK_AGAIN_MS = 60_000

/** Whether a policy does what is done without one: then nothing of it is stored for an incident. */
export function isPlainPolicy({ steps, repeat }: PolicyRules): boolean {
  return repeat === null && steps.every(({ after, channels }) => after === 0 && channels === 'check')
}

/**
 * For each step of a policy, whether it alerts a channel: linked to the check, or reached by these UUIDs. A policy names up to a thousand
 * channels, so what is returned answers for many of them.
 */
export function concernsBy({
  steps,
}: PolicyRules): (channel: { isLinked: boolean; names: ReadonlySet<string> }) => boolean[] {
  const named = steps.map(({ channels }) => (channels === 'check' ? null : new Set(channels)))
  return ({ isLinked, names }) =>
    named.map(uuids => (uuids === null ? isLinked : [...names].some(name => uuids.has(name))))
}

/** The progress of a channel when its incident opens. `isAlerted`: by the flip, which carries out the steps at once. */
export function firstLook(
  policy: PolicyRules,
  concerns: readonly boolean[],
  now: number,
): Omit<Escalation, 'add'> & { isAlerted: boolean } {
  const isAlerted = stepTimes(policy, concerns)[0] === 0
  const start = { clockMs: 0, clockAt: now, steps: isAlerted ? 1 : 0, repeats: 0 }
  const { progress, lookAt } = result(null, { policy, concerns }, start, now)
  return { progress, lookAt, isAlerted }
}

/**
 * What to send at `now`, and when to look again. However late it is asked, steps and repeats are the same, in the same
 * order and at least as far apart; a channel is sent one of them at a time.
 */
export function escalate(policy: PolicyRules, look: Look, now: number): Escalation {
  const { acknowledged, heldUntil, concerns } = look
  const rules = { policy, concerns }
  const recheckAt = heldUntil === null ? null : Math.min(Math.max(heldUntil, now + 1), now + LOOK_AGAIN_MS)
  const owes = owesRepeat(look, now)
  // Not the clock: for as long as it is owed, each look would ask about all the time since the acknowledgement.
  if (owes && recheckAt !== null) return { add: null, progress: look.progress, lookAt: recheckAt }
  const progress = { ...look.progress, clockMs: clockAt(look, now), clockAt: now }
  if (owes) return result('repeat', rules, afterOwedRepeat(rules, progress), now)
  if (acknowledged && acknowledged.from <= now && (acknowledged.to === null || acknowledged.to > now)) {
    return { add: null, progress, lookAt: acknowledged.to }
  }
  const next = nextOf(rules, progress)
  if (next === null || progress.clockMs < next.at) {
    const { lookAt } = result(null, rules, progress, now)
    return { add: null, progress, lookAt: lookAt && Math.max(lookAt, recheckAt ?? 0) }
  }
  // The rest of the time does not count: the next one is as far from this one as the policy says.
  const then = { ...progress, clockMs: next.at }
  if (recheckAt !== null) return { add: null, progress: then, lookAt: recheckAt }
  return result(next.kind, rules, { ...then, steps: next.steps, repeats: next.repeats }, now)
}

/** The progress with its clock set to `now`, before what decides about it is changed; not if a repeat is still owed. */
export function advance(look: Look, now: number): Progress {
  if (owesRepeat(look, now)) return look.progress
  return { ...look.progress, clockMs: clockAt(look, now), clockAt: now }
}

/** What the clock shows at `now`. */
function clockAt(look: Look, now: number): number {
  return look.progress.clockMs + lengthOf(counted(look, now)) - look.heldMs()
}

/** The time since the last look in which the incident was not acknowledged: the clock runs, unless the channel is held. */
export function counted(
  { progress, acknowledged }: Pick<Look, 'progress' | 'acknowledged'>,
  now: number,
): Span[] {
  const since = { from: progress.clockAt, to: Math.max(now, progress.clockAt) }
  const quiet = acknowledged && within({ from: acknowledged.from, to: acknowledged.to ?? since.to }, since)
  return without([since], quiet ? [quiet] : [])
}

/** Whether an acknowledgement has ended since the last look, for a channel that knows of the incident. */
function owesRepeat({ progress, acknowledged, concerns }: Look, now: number): boolean {
  const end = acknowledged?.to ?? null
  const hasEnded = end !== null && acknowledged!.from < end && end > progress.clockAt && end <= now
  return hasEnded && progress.steps > 0 && concerns.includes(true)
}

/** It is beside the repeats of the policy, but the next of them is as far from it as from any other. */
function afterOwedRepeat(rules: ChannelRules, progress: Progress): Progress {
  const { repeats } = progress
  const next = nextOf(rules, progress)
  if (next?.kind !== 'repeat') return progress
  return { ...progress, clockMs: repeatAt(rules.policy, repeats) }
}

/** A policy, and for each of its steps, whether it alerts the channel. */
interface ChannelRules {
  policy: PolicyRules
  concerns: readonly boolean[]
}

interface Next {
  kind: 'step' | 'repeat'
  /** When it is due by the clock. */
  at: number
  /** The progress after it. */
  steps: number
  repeats: number
}

/**
 * The next step or repeat for a channel; null if there is neither. Steps are counted for the channel alone, so whatever
 * is changed of the policy, one that was alerted as often as the steps do it by now is not alerted by them again.
 */
function nextOf({ policy, concerns }: ChannelRules, { steps, repeats }: Progress): Next | null {
  const times = stepTimes(policy, concerns)
  if (steps < times.length) return { kind: 'step', at: times[steps]!, steps: steps + 1, repeats }
  const { repeat } = policy
  if (times.length === 0 || repeat === null || repeats >= repeat.times) return null
  return { kind: 'repeat', at: repeatAt(policy, repeats + 1), steps, repeats: repeats + 1 }
}

/** When steps alert a channel, by the clock, in order. */
function stepTimes({ steps }: PolicyRules, concerns: readonly boolean[]): number[] {
  return [...new Set(steps.flatMap(({ after }, index) => (concerns[index] ? after * 1000 : [])))]
}

function repeatAt({ steps, repeat }: PolicyRules, count: number): number {
  return (steps.at(-1)!.after + count * repeat!.every) * 1000
}

function result(add: Escalation['add'], rules: ChannelRules, progress: Progress, now: number): Escalation {
  const next = nextOf(rules, progress)
  // The clock never runs faster than time, so nothing is due before that.
  return { add, progress, lookAt: next && now + Math.max(0, next.at - progress.clockMs) }
}

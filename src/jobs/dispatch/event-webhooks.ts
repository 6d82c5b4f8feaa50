/** Sends events to webhooks: those that answer promptly wait for no others, and projects take turns. Decisions 0121, 0103. */
import type { EventFeed } from '../../actions/events/event-feed.js'
import { type RequestPlace, type SendEventsDeps, sendEvents } from '../../actions/events/send-events.js'
import type { Changes } from '../../lib/changes.js'
import { newToken } from '../../lib/secrets/secrets.js'
import type { DueWebhook } from '../../storage/events/send-webhooks.js'
import type { StoreWith } from '../../storage/store.js'
import { Loop } from '../loop.js'
import { LIMITS, SendSlots, type Standing } from './slots/send-slots.js'
import { tookTooLong } from './slots/took-too-long.js'
import { Turns } from './turns.js'

/** Webhooks of one project that are sent to at once. */
const OF_PROJECT = 2

/**
 * The limits of requests, which are counted apart from alerts. More of them begin at once, so that 64 projects have a
 * turn in half a second even if all their receivers hang.
 */
export const REQUEST_LIMITS: typeof LIMITS = {
  ...LIMITS,
  prompt: { prompt: 128, late: 128, unknown: 128 },
  promptPerProject: OF_PROJECT,
  probesPerProject: OF_PROJECT,
  channel: { prompt: 1, late: 1, unknown: 1, timedOut: 1 },
}

/** The webhooks that one query returns. */
const PAGE = 1_000

/** The pause (ms) before transactions under way are asked for again, behind which events wait. */
const SOON_MS = 100

/** How often is asked whether there is any webhook, while there is none. */
const NONE_MS = 5_000

export interface EventWebhooksDeps extends SendEventsDeps {
  store: SendEventsDeps['store'] & StoreWith<'events.hasWebhooks' | 'events.dueWebhooks'>
  events: Pick<EventFeed, 'final' | 'waits'>
  changes: Changes
  worker: string
  onError(error: unknown): void
}

/** A webhook and its project, as the slots count them. */
const slotFor = ({ id, projectId }: DueWebhook) => ({
  channelId: id,
  projectId,
  alertClass: 'other' as const,
})

export function eventWebhooksJob(deps: EventWebhooksDeps, limits = REQUEST_LIMITS) {
  const { store, events, clock, onError } = deps
  const abort = new AbortController()
  const loop = new Loop(look, clock, onError)
  const slots = new SendSlots(
    () => performance.now(),
    () => loop.wake(),
    limits,
  )
  const turns = new Turns()
  /** The webhooks that are being sent to. */
  const underWay = new Map<number, { projectId: number; done: Promise<void> }>()
  /** The standings of those that got no place in the last pass. */
  let leftBehind: ReadonlySet<Standing> = new Set()
  let stopListening = () => {}
  /** Until then (of `performance.now()`) nothing is asked, because there was no webhook. */
  let noneUntil = 0

  async function look(): Promise<number | null> {
    if (performance.now() < noneUntil) return null
    if (!(await store.events.hasWebhooks())) {
      noneUntil = performance.now() + NONE_MS
      return null
    }
    const final = await events.final()
    begin(await findDue(final), final)
    return events.waits ? clock.now() + SOON_MS : null
  }

  async function findDue(final: number): Promise<DueWebhook[]> {
    const due: DueWebhook[] = []
    for (;;) {
      const not = [...underWayByProject()].filter(([, count]) => count >= OF_PROJECT).map(([id]) => id)
      const asked = { now: clock.now(), final, after: due.at(-1)?.id ?? 0, limit: PAGE, not }
      const page = await store.events.dueWebhooks(asked)
      due.push(...page)
      if (page.length < PAGE || abort.signal.aborted) return due
    }
  }

  /** Begins with those that there are places for, in the order of their turns. */
  function begin(due: readonly DueWebhook[], final: number): void {
    if (abort.signal.aborted) return
    for (const { id, answeredWithin } of due) slots.recall(id, answeredWithin)
    let waiting = turns.inOrder(due)
    const ofProject = underWayByProject()
    const mayBegin = ({ id, projectId }: DueWebhook) =>
      !underWay.has(id) && (ofProject.get(projectId) ?? 0) < OF_PROJECT
    // What a project does not use of its share goes to others in the next round.
    for (let before = -1; underWay.size > before; ) {
      before = underWay.size
      waiting = waiting.filter(mayBegin)
      const budget = slots.budget(waiting.map(slotFor))
      for (const webhook of waiting) {
        if (!mayBegin(webhook) || budget({ ...slotFor(webhook), most: 1 }) === 0) continue
        start(webhook, final)
        addTo(ofProject, webhook.projectId)
      }
    }
    leftBehind = new Set(waiting.map(({ id }) => slots.standingOf(id)))
  }

  function start(webhook: DueWebhook, final: number): void {
    const { id, projectId } = webhook
    turns.took(webhook)
    const place = placeOf(webhook)
    const worker = `${deps.worker} ${newToken().slice(0, 8)}`
    const done = sendEvents(deps, id, { worker, final, signal: abort.signal, place })
      .then(() => true)
      .catch(error => {
        // The next pass of the loop tries it again, after a second.
        if (!abort.signal.aborted) onError(error)
        return false
      })
      .then(isDone => {
        place.end()
        underWay.delete(id)
        // One that was cut off at once would be so again: it waits for the next pass.
        if (isDone && !place.wasCut()) loop.wake()
      })
    underWay.set(id, { projectId, done })
  }

  /** The place of a webhook, which is taken from now on, so that its first request has it. */
  function placeOf(webhook: DueWebhook): RequestPlace & { wasCut(): boolean; end(): void } {
    const about = slotFor(webhook)
    let slot = slots.begin(about, () => {})
    let wasCut = false
    const mayGoOn = () =>
      !leftBehind.has(slots.standingOf(webhook.id)) && slots.budget([])({ ...about, most: 1 }) === 1
    return {
      take(cutOff) {
        if (slot.lane === 'ended' && !mayGoOn()) return false
        // The time before the request is not its receiver's.
        slots.end(slot, null)
        slot = slots.begin(about, tookMs => cutOff(tookTooLong(tookMs)))
        // If there are too many, the one that is aborted may be this one: it is not sent, and stays due.
        wasCut = slot.lane === 'ended'
        return !wasCut
      },
      leave(arrived) {
        slots.end(slot, arrived)
        if (leftBehind.size > 0) loop.wake()
      },
      /** Whether a request was cut off before it was sent. */
      wasCut: () => wasCut,
      end: () => slots.end(slot, null),
    }
  }

  function underWayByProject(): Map<number, number> {
    const counts = new Map<number, number>()
    for (const { projectId } of underWay.values()) addTo(counts, projectId)
    return counts
  }

  return {
    start() {
      stopListening = deps.changes.on('checks', () => loop.wakeAt(clock.now() + 20))
      loop.start()
    },
    /** Aborts what is under way, which any process sends again. */
    async stop() {
      stopListening()
      abort.abort(new Error('Punctual is stopping'))
      await loop.stop()
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}

function addTo(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Polls services for messages to their bots and presses of buttons, if they cannot call this installation. */
import { setTimeout as sleep } from 'node:timers/promises'
import { answerBot, type BotDeps } from '../actions/channels/answer-bot.js'
import { DeliveryError, type Integration } from '../integrations/integration.js'
import type { Transports } from '../integrations/transports.js'
import type { Actor } from '../lib/actor.js'
import { actingStore } from '../storage/events/acting.js'

/** How long a service may hold a request open; the guarded client gives up after 30 s. */
const WAIT_SECONDS = 20
const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000

export interface HearDeps extends Omit<BotDeps, 'transports'> {
  integrations: readonly Integration[]
  /** Makes the transports; their exchanges end when `signal` aborts. */
  transports(signal: AbortSignal): Transports
  /** Called when polling or answering fails. */
  onTrouble(trouble: { kind: string; reason: string }): void
  onError(error: unknown): void
}

/** Who acts by a message to a bot, or a press of a button. */
const IN_CHAT: Actor = { kind: 'link', id: null, name: '', address: null }

/** Polls the bot of each kind that has to be polled, one request at a time. */
export function hearBotsJob(deps: HearDeps) {
  const controller = new AbortController()
  let listening: Promise<unknown> = Promise.resolve()
  return {
    start() {
      const asked = deps.integrations.filter(
        ({ setup }) => setup?.way === 'invite' && setup.poll.isWanted(deps.operator),
      )
      listening = Promise.all(asked.map(integration => listen(deps, integration, controller.signal)))
    },
    async stop() {
      controller.abort()
      await listening
    },
  }
}

async function listen(deps: HearDeps, integration: Integration, signal: AbortSignal): Promise<void> {
  let offset = 0
  let pauseMs = SHORTEST_PAUSE_MS
  while (!signal.aborted) {
    try {
      offset = await hearOnce(deps, integration, offset, signal)
      pauseMs = SHORTEST_PAUSE_MS
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof DeliveryError) deps.onTrouble({ kind: integration.kind, reason: error.message })
      else deps.onError(error)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}

async function hearOnce(
  deps: HearDeps,
  integration: Integration,
  offset: number,
  signal: AbortSignal,
): Promise<number> {
  const { setup } = integration
  if (setup?.way !== 'invite') return offset
  const transports = deps.transports(signal)
  const store = actingStore(deps.store, IN_CHAT)
  const heard = setup.poll.read(
    await transports.http(setup.poll.next(offset, WAIT_SECONDS, deps.operator)),
    offset,
  )
  for (const update of heard.updates) {
    // A chat that cannot be answered must not keep the others waiting.
    await answerBot({ ...deps, store, transports }, integration, update).catch(error => {
      if (signal.aborted || !(error instanceof DeliveryError)) throw error
      deps.onTrouble({ kind: integration.kind, reason: error.message })
    })
  }
  return heard.offset
}

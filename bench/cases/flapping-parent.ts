import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, Figure } from '../case.js'
import { latencyFigure } from '../latency-figure.js'
import type { Options } from '../options.js'
import { arrived, startReceiver } from '../receiver.js'
import { openSite } from '../site.js'

/** The checks of the first project, and how many of them alert all of its channels: the first, on which all others depend, and those after it. */
const CHECKS = 10_000
const LINKED = 300
const CHANNELS = 60
/** The alerts of the other project. */
const OTHERS = 150
const EVERY_MS = 50
/** How many clients let the first check fail and succeed, and others fail. */
const LANES = 4
const BEFORE_MS = 3_000
const WITHIN_MS = 120_000

export const flappingParent: Case = {
  name: 'flapping-parent',
  title:
    'A check with 10,000 dependants and 60 channels that flaps, and dependants that fail: ping to arrival of another project’s alerts',
  target: 'p99 under 1 s',
  remote: false,
  async run(options) {
    return [await figure('beside nothing', false, options), await figure('beside it', true, options)]
  },
}

async function figure(what: string, isLoud: boolean, options: Options): Promise<Figure> {
  const all: number[][] = []
  for (let run = 0; run < options.runs; run++) all.push(await latencies(isLoud, options))
  return latencyFigure(what, all)
}

async function latencies(isLoud: boolean, options: Options): Promise<number[]> {
  const receiver = await startReceiver()
  const channels = Array.from({ length: CHANNELS }, (_, place) => place)
  const site = await openSite(options, {
    checks: CHECKS + OTHERS + 1,
    // Their names cannot be resolved. Other checks of the project have a channel that is not used.
    webhooks: [...channels.map(unresolvable), receiver.webhook('unused'), receiver.webhook('hook')],
    webhookOf: number => (number < LINKED ? channels : number < CHECKS ? CHANNELS : CHANNELS + 1),
    projectOf: channel => (channel <= CHANNELS ? 1 : 2),
    parentOf: number => (number > 0 && number < CHECKS ? 0 : null),
  })
  const ping = async (number: number, action: '' | '/fail') => {
    const response = await fetch(`${site.origin}/ping/${site.checks[number]!.uuid}${action}`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a ping was answered ${response.status}`)
  }
  let isOver = false
  const lanes: Promise<void>[] = []
  const repeat = async (act: (turn: number) => Promise<void>) => {
    for (let turn = 0; !isOver; turn++) await act(turn)
  }
  try {
    for (let lane = 0; isLoud && lane < LANES; lane++) {
      lanes.push(
        repeat(turn => ping(0, turn % 2 === 0 ? '/fail' : '')),
        repeat(turn => ping(1 + ((turn * LANES + lane) % (LINKED - 1)), '/fail')),
      )
    }
    await sleep(BEFORE_MS)
    const sentAt = new Map<number, number>()
    const begun = performance.now()
    const sending: Promise<void>[] = []
    for (let place = 0; place < OTHERS; place++) {
      await sleep(Math.max(0, begun + place * EVERY_MS - performance.now()))
      sentAt.set(CHECKS + place, Date.now())
      sending.push(ping(CHECKS + place, '/fail'))
    }
    await Promise.all(sending)
    const arrivals = await arrived(receiver, ({ number }) => sentAt.has(number), OTHERS, WITHIN_MS)
    return arrivals.map(({ number, at }) => at - sentAt.get(number)!)
  } finally {
    isOver = true
    await Promise.all(lanes).finally(async () => {
      await site.stop()
      await receiver.stop()
    })
  }
}

function unresolvable(place: number): string {
  return JSON.stringify({
    url_down: `http://not-known-${place}.example.org/`,
    method_down: 'GET',
    url_up: '',
  })
}

import type { Case, Figure } from '../case.js'
import { latencyFigure } from '../latency-figure.js'
import { headStartMs, type Options } from '../options.js'
import { arrived, type Receiver, startReceiver } from '../receiver.js'
import { openSite } from '../site.js'

/** The alerts of the other project, one after the other, which begin just after the first project's. */
const OTHERS = 200
const EVERY_MS = 50
const AFTER_MS = 1_000
const HEAD_START_MS = 8_000
const WITHIN_MS = 120_000

/** What a project has whose checks all go down at once. */
interface Crowd {
  what: string
  checks: number
  /** The settings of its channels, and which of them each check alerts. */
  channels(receiver: Receiver): string[]
  channelsOf(number: number): readonly number[]
  kind: string
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

const CROWDS: readonly Crowd[] = [
  {
    what: 'beside 1,000 alerts behind 10 webhooks that hang',
    checks: 1_000,
    channels: receiver => times(10, () => receiver.webhook('hang')),
    channelsOf: number => [number % 10],
    kind: 'webhook',
  },
  {
    what: 'beside 1,000 checks that are down in 5 chat channels each',
    checks: 1_000,
    channels: receiver => times(5, index => receiver.chat(`chat${index}`)),
    channelsOf: () => times(5, index => index),
    kind: 'mattermost',
  },
]

export const fair: Case = {
  name: 'fair',
  title: 'Many alerts of one project at once: due time to arrival of another project’s alerts',
  target: 'p99 under 1 s',
  remote: false,
  async run(options) {
    const figures: Figure[] = []
    for (const crowd of CROWDS) figures.push(await figure(crowd, options))
    return figures
  },
}

async function figure(crowd: Crowd, options: Options): Promise<Figure> {
  const all: number[][] = []
  for (let run = 0; run < options.runs; run++) all.push(await latencies(crowd, options))
  return latencyFigure(crowd.what, all)
}

async function latencies(crowd: Crowd, options: Options): Promise<number[]> {
  const receiver = await startReceiver()
  const first = Date.now() + headStartMs(options, HEAD_START_MS)
  const { checks, kind } = crowd
  const channels = crowd.channels(receiver)
  const isOther = (number: number) => number >= checks
  const due = (number: number) => first + (isOther(number) ? AFTER_MS + (number - checks) * EVERY_MS : 0)
  const site = await openSite(options, {
    checks: checks + OTHERS + 1,
    // The last check is pinged to see whether the program has started.
    deadline: number => (number < checks + OTHERS ? due(number) : first + 86_400_000),
    webhooks: [...channels, receiver.webhook('hook')],
    kindOf: channel => (channel < channels.length ? kind : 'webhook'),
    webhookOf: number => (isOther(number) ? channels.length : crowd.channelsOf(number)),
    projectOf: channel => (channel < channels.length ? 1 : 2),
  })
  try {
    if (Date.now() > first) throw new Error('the first alert was due before the program had started')
    const arrivals = await arrived(receiver, ({ number }) => isOther(number), OTHERS, WITHIN_MS)
    return arrivals.map(({ number, at }) => at - due(number))
  } finally {
    await site.stop()
    await receiver.stop()
  }
}

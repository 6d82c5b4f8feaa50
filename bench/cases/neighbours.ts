import type { Case, Figure } from '../case.js'
import { startTenant, type TenantLoad } from '../load/tenant.js'
import { median, percentile } from '../median.js'
import type { Options } from '../options.js'
import { arrived, type Receiver, startReceiver } from '../receiver.js'
import { openSite, type Site } from '../site.js'

/** The checks of the project that asks for much. */
const CHECKS = 5_000
/** The other projects, of which one lets a job fail every `EVERY_MS`, in turn. */
const PROJECTS = 6
const EVERY_MS = 20
const WITHIN_MS = 120_000

type Does = Pick<TenantLoad, 'does' | 'clients'>

/** What one project does; null: nothing. */
const TENANTS: readonly (Does | null)[] = [
  null,
  { does: 'list', clients: 4 },
  { does: 'list', clients: 40 },
  { does: 'edit', clients: 60 },
  { does: 'churn', clients: 20 },
  { does: 'ping new', clients: 400 },
]

export const neighbours: Case = {
  name: 'neighbours',
  title:
    'Jobs of six projects that fail, 50 a second, beside a project that lists, edits or replaces its 5,000 checks all the time, or creates more by pings',
  target: 'alerts: p99 within a second of that beside nothing',
  remote: false,
  async run(options) {
    const runs: Measured[][] = []
    for (let run = 0; run < options.runs; run++) runs.push(await measureAll(options))
    return TENANTS.map((tenant, place) =>
      figure(
        tenant,
        runs.map(run => run[place]!),
      ),
    )
  },
}

/** Latencies (ms): of the alerts, from the ping to the arrival, and of the answers to the pings. */
interface Measured {
  alerts: number[]
  pings: number[]
  /** The requests of the tenant that were answered. */
  answered: number
}

function figure(tenant: Does | null, runs: readonly Measured[]): Figure {
  const of = (latencies: (one: Measured) => number[], share: number) =>
    median(runs.map(one => percentile(latencies(one), share)))
  const alerts = ({ alerts }: Measured) => alerts
  const pings = ({ pings }: Measured) => pings
  return {
    what: tenant
      ? `alert p99 beside ${tenant.clients} clients that ${tenant.does}`
      : 'alert p99 beside nothing',
    unit: 'ms',
    value: of(alerts, 0.99),
    also: {
      'median ms': of(alerts, 0.5),
      'ping median ms': of(pings, 0.5),
      'ping p99 ms': of(pings, 0.99),
      'its requests': median(runs.map(({ answered }) => answered)),
    },
  }
}

async function measureAll(options: Options): Promise<Measured[]> {
  const failing = Math.ceil((options.seconds * 1_000) / EVERY_MS)
  const receiver = await startReceiver()
  const projectOf = (number: number) => (number < CHECKS ? 0 : 1 + (number % PROJECTS))
  const site = await openSite(options, {
    checks: CHECKS + TENANTS.length * failing,
    webhooks: Array.from({ length: 1 + PROJECTS }, (_, place) =>
      receiver.webhook(place === 0 ? 'tenant' : 'hook'),
    ),
    webhookOf: projectOf,
    projectOf: webhook => webhook + 1,
  })
  try {
    const all: Measured[] = []
    for (const [place, tenant] of TENANTS.entries()) {
      all.push(await measure(site, receiver, tenant, CHECKS + place * failing, failing))
    }
    return all
  } finally {
    await site.stop()
    await receiver.stop()
  }
}

/** Lets the `count` checks from `first` on fail, one after the other. */
async function measure(
  { origin, key, pingKey, checks }: Site,
  receiver: Receiver,
  tenant: Does | null,
  first: number,
  count: number,
): Promise<Measured> {
  const own = checks.slice(0, CHECKS).map(({ uuid }) => uuid)
  const stop = tenant ? startTenant({ origin, key, pingKey, checks: own, ...tenant }) : async () => 0
  if (tenant) await sleep(1_000)
  const sentAt = new Map<number, number>()
  const pings: number[] = []
  const fail = async (number: number) => {
    sentAt.set(number, Date.now())
    const sent = performance.now()
    const response = await fetch(`${origin}/ping/${checks[number]!.uuid}/fail`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a ping was answered ${response.status}`)
    pings.push(performance.now() - sent)
  }
  const begun = performance.now()
  const sending: Promise<void>[] = []
  for (let number = first; number < first + count; number++) {
    await sleep(begun + (number - first) * EVERY_MS - performance.now())
    sending.push(fail(number))
  }
  await Promise.all(sending)
  const isOwn = ({ number }: { number: number }) => sentAt.has(number)
  const arrivals = await arrived(receiver, isOwn, count, WITHIN_MS)
  const answered = await stop()
  return { alerts: arrivals.map(({ number, at }) => at - sentAt.get(number)!), pings, answered }
}

async function sleep(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, Math.max(0, ms)))
}

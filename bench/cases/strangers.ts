import type { Case, Figure } from '../case.js'
import { loadPaced, type PacedLoad } from '../load/paced.js'
import { median } from '../median.js'
import type { Options } from '../options.js'
import { type Reader, signInTo } from '../sign-in.js'
import { openSite, type Site } from '../site.js'
import { openStreams, sendAttacks } from '../strangers.js'

const CHECKS = 1_000
const PINGS_A_SECOND = 200
const ATTACKERS = 3
const STREAMS = 400
/** Rounds for each run asked for, each quiet first and then beside the others. */
const ROUNDS_EACH = 3

export const strangers: Case = {
  name: 'strangers',
  title: `${PINGS_A_SECOND} pings a second while strangers send the most expensive requests known, and beside ${STREAMS} streams of one member`,
  target: 'ping p99 under three times the quiet one of the same run',
  remote: false,
  async run(options) {
    return [
      await measure(options, `${ATTACKERS} connections of strangers`, attack),
      await measure(options, `${STREAMS} streams of one member`, stream),
    ]
  },
}

/** Starts a load beside the pings; the returned function ends it. */
type Begin = (site: Site) => Promise<() => Promise<void>>

async function measure(options: Options, beside: string, begin: Begin): Promise<Figure> {
  const runs: { quiet: number; beside: number }[] = []
  const site = await openSite(
    options,
    { checks: CHECKS, pings: 10 },
    { EMAIL_MAIL_FROM_TMPL: '%s@bounces.example.org' },
  )
  try {
    const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
    const { seconds } = options
    const pings: PacedLoad = { origin: site.origin, paths, connections: 16, rate: PINGS_A_SECOND, seconds }
    // Things that are made once, such as the documents, are made here.
    const endWarmUp = await begin(site)
    await loadPaced(pings)
    await endWarmUp()
    for (let run = 0; run < options.runs * ROUNDS_EACH; run++) {
      const { p99: quiet } = await loadPaced(pings)
      const end = await begin(site)
      runs.push({ quiet, beside: (await loadPaced(pings)).p99 })
      await end()
    }
  } finally {
    await site.stop()
  }
  return {
    what: `ping p99 beside ${beside}, by the quiet one`,
    unit: 'times',
    value: median(runs.map(run => run.beside / run.quiet)),
    also: {
      'quiet p99 ms': median(runs.map(run => run.quiet)),
      'p99 ms': median(runs.map(run => run.beside)),
    },
  }
}

const attack: Begin = async ({ origin }) => {
  const over = new AbortController()
  const sent = sendAttacks(origin, ATTACKERS, over.signal)
  return async () => {
    over.abort()
    await sent
  }
}

const readers = new WeakMap<Site, Reader>()

const stream: Begin = async site => {
  const reader = readers.get(site) ?? (await signInTo(site))
  readers.set(site, reader)
  const { cookie, project } = reader
  const close = openStreams(
    `${site.origin}/projects/${project}/checks/live/`,
    `${cookie.name}=${cookie.value}`,
    STREAMS,
  )
  return async () => close()
}

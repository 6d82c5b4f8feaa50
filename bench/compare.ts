import { startBare } from './bare.js'
import type { Figure } from './case.js'
import { type Load, type Loaded, load } from './load/load.js'
import { median } from './median.js'
import type { Options } from './options.js'

/** How long a server is warmed up before it is measured. */
const WARM_UP_SECONDS = 2

/** A load without its duration. */
type Kind = Omit<Load, 'seconds'>

/** The rate at which a server answers `what`, and the rate at which a bare one answers the same bytes. */
export async function compareWithBare(options: Options, name: string, what: Kind): Promise<Figure> {
  const sample = await fetch(what.origin + what.paths[0], {
    method: what.method ?? 'GET',
    headers: what.headers ?? {},
    ...(what.body === undefined ? {} : { body: what.body }),
  })
  const type = sample.headers.get('Content-Type') ?? ''
  const bare = await startBare({ type, body: await sample.text() })
  try {
    return await compare(options, name, { ours: what, limit: { ...what, origin: bare.origin } })
  } finally {
    await bare.stop()
  }
}

/** The rate under a load and the rate under another: measured by turns, `options.runs` times each. */
export async function compare(
  options: Options,
  name: string,
  loads: { ours: Kind; limit: Kind },
): Promise<Figure> {
  const ours: Loaded[] = []
  const limits: Loaded[] = []
  await load({ ...loads.ours, seconds: WARM_UP_SECONDS })
  await load({ ...loads.limit, seconds: WARM_UP_SECONDS })
  for (let run = 0; run < options.runs; run++) {
    ours.push(await load({ ...loads.ours, seconds: options.seconds }))
    limits.push(await load({ ...loads.limit, seconds: options.seconds }))
  }
  return {
    what: name,
    unit: '/s',
    value: median(ours.map(({ rate }) => rate)),
    limit: median(limits.map(({ rate }) => rate)),
    ratio: median(ours.map(({ rate }, run) => rate / limits[run]!.rate)),
    also: {
      'p50 ms': median(ours.map(({ p50 }) => p50)),
      'p99 ms': median(ours.map(({ p99 }) => p99)),
      'max ms': median(ours.map(({ max }) => max)),
    },
  }
}

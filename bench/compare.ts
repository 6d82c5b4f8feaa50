import { startBare } from './bare.js'
import type { Figure } from './case.js'
import { type Load, type Loaded, load } from './load/load.js'
import { median } from './median.js'
import type { Options } from './options.js'
import { type ProcessorTimes, spentBetween } from './processor-time.js'

/** How long a server is warmed up before it is measured. */
const WARM_UP_SECONDS = 2

/** A load without its duration, and the processor time of the loaded server; empty if that is not known. */
type Kind = Omit<Load, 'seconds'> & { times(): ProcessorTimes }

/** The rate at which a server answers `what`, and the rate at which a bare server answers the same bytes. */
export async function compareWithBare(options: Options, name: string, what: Kind): Promise<Figure> {
  const sample = await fetch(what.origin + what.paths[0], {
    method: what.method ?? 'GET',
    headers: what.headers ?? {},
    ...(what.body === undefined ? {} : { body: what.body }),
  })
  const type = sample.headers.get('Content-Type') ?? ''
  const bare = await startBare({ type, body: await sample.text() })
  try {
    return await compare(options, name, { ours: what, limit: { ...what, ...bare } })
  } finally {
    await bare.stop()
  }
}

/** The rates under two loads, measured alternately, `options.runs` times each. */
export async function compare(
  options: Options,
  name: string,
  loads: { ours: Kind; limit: Kind },
): Promise<Figure> {
  const ours: Measured[] = []
  const limits: Measured[] = []
  await measure(loads.ours, WARM_UP_SECONDS)
  await measure(loads.limit, WARM_UP_SECONDS)
  for (let run = 0; run < options.runs; run++) {
    ours.push(await measure(loads.ours, options.seconds))
    limits.push(await measure(loads.limit, options.seconds))
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
      // The processor time of a remote server is not known.
      ...(loads.ours.times().size > 0 && { 'cpu µs': median(ours.map(({ processorUs }) => processorUs)) }),
      'limit’s cpu µs': median(limits.map(({ processorUs }) => processorUs)),
    },
  }
}

/** `processorUs`: processor time per answer, which other programs on the machine affect far less than the rate. */
type Measured = Loaded & { processorUs: number }

async function measure({ times, ...what }: Kind, seconds: number): Promise<Measured> {
  const before = times()
  const loaded = await load({ ...what, seconds })
  return { ...loaded, processorUs: spentBetween(before, times()) / (loaded.rate * seconds) }
}

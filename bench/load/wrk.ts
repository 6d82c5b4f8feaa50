import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputOf } from '../output.js'
import type { Load, Loaded } from './load.js'

/** Puts a load on a server with wrk, with one thread. */
export async function loadByWrk(what: Load): Promise<Loaded> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-wrk-'))
  try {
    const paths = join(folder, 'paths')
    const script = join(folder, 'load.lua')
    await writeFile(paths, what.paths.join('\n'))
    await writeFile(script, scriptOf(what, paths))
    const args = ['-t1', `-c${what.connections}`, `-d${what.seconds}s`, '--timeout', '30s', '-s', script]
    const output = await outputOf('wrk', [...args, what.origin])
    return JSON.parse(/^\{.*\}$/m.exec(output)![0])
  } finally {
    await rm(folder, { recursive: true })
  }
}

function scriptOf(
  { method = 'GET', body, headers, closing, rate, connections }: Load,
  paths: string,
): string {
  const all = { ...headers, ...(closing ? { Connection: 'close' } : {}) }
  // wrk pauses after each answer: on average long enough to give the wanted rate over all connections.
  const pause = rate === undefined ? 0 : (2000 * connections) / rate
  return `
local requests = {}
function init()
  wrk.method = ${quoted(method)}
  ${body === undefined ? '' : `wrk.body = ${quoted(body)}`}
  ${Object.entries(all)
    .map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`)
    .join('\n  ')}
  for path in io.lines(${quoted(paths)}) do requests[#requests + 1] = wrk.format(nil, path) end
end
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
${pause === 0 ? '' : `function delay() return math.random(0, ${Math.round(pause)}) end`}
function done(summary, latency)
  local e = summary.errors
  local bad = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('{"rate":%.1f,"p50":%.3f,"p99":%.3f,"max":%.3f,"bad":%d}\\n',
    summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000, bad))
end
`
}

/** A text as a Lua literal. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

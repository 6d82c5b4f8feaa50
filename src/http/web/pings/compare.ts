import { setImmediate } from 'node:timers/promises'
import type { LedgerRun } from '../../../core/pings/run-ledger.js'
import { isBinary } from '../../../core/text/output/hex-dump.js'
import { lineDiff } from '../../../core/text/output/line-diff.js'
import { plainLines } from '../../../core/text/output/plain-output.js'
import type { PingDetails } from '../../../storage/pings/ping-details.js'
import { outcomeWords } from '../../../views/components/pings/run-list.js'
import { ComparePage, type OutputDiff } from '../../../views/pages/pings/compare.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { availableBody } from './ping.js'

/** The number of runs to choose from. */
const CHOICES = 50

/** What is compared of an output: more takes too long. */
const MOST_BYTES = 50_000
const MOST_LINES = 2_000

/**
 * GET: two runs side by side, named by the pings that ended them, `?a=79&b=82`. Without `b` the last run; without `a` the
 * last success before it, or the run before it.
 */
export async function showCompare(c: WebContext): Promise<Response> {
  const { project, check: found } = await checkOf(c, c.req.param('uuid')!, 'read')
  const { store, clock } = c.var.deps
  const [page, { runs }, { check }] = await Promise.all([
    pageContext(c, project),
    store.pings.listRuns(project.id, { uuid: found.uuid }, { before: null, limit: CHOICES }),
    store.checks.facts(project.id, found.uuid, clock.now()),
  ])
  const ended = runs.filter(run => run.endedAt !== null)
  const params = new URL(c.req.url).searchParams
  const b = numberOf(params.get('b')) ?? lastPing(ended[0])
  const a = numberOf(params.get('a')) ?? (b === null ? null : before(ended, b))
  const choices = ended.map(run => ({ n: lastPing(run)!, at: run.endedAt!, words: outcomeWords(run) }))
  if (a === null || b === null) return await c.html(ComparePage({ page, check, choices, runs: null }))
  const [first, second] = await Promise.all([
    store.pings.details(project.id, found.uuid, a),
    store.pings.details(project.id, found.uuid, b),
  ])
  const diff = await diffOf(c, [first, second])
  return await c.html(ComparePage({ page, check, choices, runs: { a: first, b: second, diff } }))
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}

function lastPing(run: LedgerRun | undefined): number | null {
  return run?.pings.at(-1) ?? null
}

/** The run to compare run `b` with; `ended` is newest first. */
function before(ended: readonly LedgerRun[], b: number): number | null {
  const older = ended.filter(run => lastPing(run)! < b)
  return lastPing(older.find(run => run.outcome === 'success') ?? older[0])
}

async function diffOf(c: WebContext, runs: readonly PingDetails[]): Promise<OutputDiff> {
  const bodies = await Promise.all(runs.map(run => availableBody(c, run)))
  if (runs.some(({ bodySize }, index) => bodySize > 0 && bodies[index] === null)) return 'unavailable'
  const texts: string[][] = []
  let isCut = false
  for (const body of bodies) {
    if (body && isBinary(body)) return 'binary'
    const lines = body ? plainLines(new TextDecoder().decode(body.subarray(0, MOST_BYTES))) : []
    isCut ||= (body?.length ?? 0) > MOST_BYTES || lines.length > MOST_LINES
    texts.push(lines.slice(0, MOST_LINES))
    // Other work goes on between the steps.
    await setImmediate()
  }
  return { lines: lineDiff(texts[0]!, texts[1]!), isCut }
}

/** The runs of a check that have not finished. */
import type { Rules, State } from '../check.js'
import { tracksEachRun } from './rules.js'
import { NO_TRACKING, type TrackedRun, type Tracking } from './tracking.js'

/** The state without its computed values. */
export type Facts = Omit<State, 'dueAt' | 'alertAfter'>

/** The maximum number of unfinished runs that are remembered. A judged one is forgotten first, else the oldest. */
export const MAX_RUNS = 100

export function factsOf(state: State): Facts {
  return {
    status: state.status,
    statusSince: state.statusSince,
    nPings: state.nPings,
    lastPing: state.lastPing,
    lastStart: state.lastStart,
    lastStartRid: state.lastStartRid,
    lastDurationMs: state.lastDurationMs,
    tracking: state.tracking,
  }
}

/** The facts with part of the tracking replaced. */
export function tracked(facts: Facts, part: Partial<Tracking>): Facts {
  return { ...facts, tracking: { ...(facts.tracking ?? NO_TRACKING), ...part } }
}

/** What tells the runs that have not finished, with the setting. */
type Started = Pick<Facts, 'lastStart' | 'lastStartRid' | 'tracking'>
type Tracks = Pick<Rules, 'trackRuns'>

/** The unfinished runs, oldest first. With `latest` there is at most one, the one in versions 1 to 3 of the API. */
export function unfinishedRuns(facts: Started, rules: Tracks): readonly TrackedRun[] {
  const runs = facts.tracking?.runs ?? []
  if (tracksEachRun(rules)) return runs
  const { lastStart, lastStartRid } = facts
  if (lastStart === null) return []
  return [runs.find(run => run.at === lastStart) ?? { rid: lastStartRid, at: lastStart }]
}

/** The unfinished runs whose deadline has not passed. */
export function openRuns(facts: Started, rules: Tracks): readonly TrackedRun[] {
  return unfinishedRuns(facts, rules).filter(run => !run.judged)
}

/** The facts with other unfinished runs. With `each`, versions 1 to 3 of the API show the newest open run. */
export function withRuns(facts: Facts, rules: Rules, runs: readonly TrackedRun[]): Facts {
  if (tracksEachRun(rules)) {
    const newest = runs.findLast(run => !run.judged)
    return tracked({ ...facts, lastStart: newest?.at ?? null }, { runs: withinLimit(runs) })
  }
  const run = runs.at(-1)
  const noted = run && (run.stands || run.judged || run.counted || run.unsure || run.waited) ? [run] : []
  const known: Facts = {
    ...facts,
    lastStart: run?.at ?? null,
    lastStartRid: run ? run.rid : facts.lastStartRid,
  }
  return tracked(known, { runs: noted })
}

/** The facts with these runs judged and counted. */
export function withJudged(facts: Facts, rules: Rules, judged: readonly TrackedRun[]): Facts {
  if (judged.length === 0) return facts
  const runs = unfinishedRuns(facts, rules)
  const isJudged = (run: TrackedRun) => judged.some(one => one.at === run.at && one.rid === run.rid)
  return withRuns(
    facts,
    rules,
    runs.map(run => (isJudged(run) ? { ...run, judged: true, counted: true } : run)),
  )
}

function withinLimit(runs: readonly TrackedRun[]): readonly TrackedRun[] {
  if (runs.length <= MAX_RUNS) return runs
  const place = Math.max(
    0,
    runs.findIndex(run => run.judged),
  )
  return runs.toSpliced(place, 1)
}

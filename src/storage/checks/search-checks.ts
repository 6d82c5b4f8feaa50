import { sql } from 'kysely'
import { type Status, tagList } from '../../core/checks/check.js'
import { troubleOf } from '../../core/checks/check-list.js'
import { folded, matchFuzzily, matchWords } from '../../core/text/match-words.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { read } from '../method.js'
import { type ListedProject, shownState } from './list/list-items.js'
import { LISTED_COLUMNS } from './rows/check-rows.js'
import { shownNameOf } from './rows/shown-name.js'
import { leavingChecks } from './undos.js'

/** What checks are searched for. */
export interface CheckSearch {
  /** Folded words that name, slug, tags or the project's name have; see core/text/match-words.ts. */
  words: readonly string[]
  /** Folded beginnings of tags, each of which a check has. */
  tags: readonly string[]
  /** UUIDs of the checks that the reader used last, the latest first. They come first among equals. */
  recent: readonly string[]
  limit: number
}

/** A check that was found, with its state. */
export interface SearchedCheck {
  id: number
  uuid: string
  /** What pages call it, also if it has no name. */
  name: string
  /** The UUID of its project. */
  project: string
  status: Status
  running: boolean
  /** Since when it has been down, late or running long; null if it is none of them. */
  troubleSince: number | null
}

/** How much better a check is that the reader has just used. */
const RECENT = 0.5
/** States are read for more checks than are returned, because those in trouble come first among equals. */
const CANDIDATES = 50

/**
 * The checks of these projects that match, the best first: words as they are typed count more than mistyped or
 * abbreviated ones, which are only looked for if there are few others. Without words and tags: the checks that the reader
 * used last, then those that are down.
 */
export const search = read(
  async (
    db: Db,
    projects: readonly ListedProject[],
    asked: CheckSearch,
    now: number,
  ): Promise<SearchedCheck[]> => {
    if (projects.length === 0) return []
    const ids = projects.map(({ id }) => id)
    const used = await recency(db, ids, asked.recent)
    const isEmpty = asked.words.length + asked.tags.length === 0
    const scores = isEmpty ? await unasked(db, ids, used) : await matching(db, ids, asked, used)
    const best = [...scores].sort(([a, one], [b, two]) => two - one || a - b).slice(0, CANDIDATES)
    const items = await itemsOf(db, projects, new Map(best), now)
    items.sort((a, b) => b.score - a.score || troubleOf(a) - troubleOf(b) || a.id - b.id)
    return items.slice(0, asked.limit).map(item => {
      const { id, uuid, project, status, running, troubleSince } = item
      return { id, uuid, name: shownNameOf(item), project, status, running, troubleSince }
    })
  },
)

/** Scores by the ID of a check. */
type Scores = Map<number, number>

/** The scores of checks that were used last. */
async function recency(db: Db, ids: readonly number[], recent: readonly string[]): Promise<Scores> {
  const scores: Scores = new Map()
  if (recent.length === 0) return scores
  for (const some of chunks(ids, db.dialect.maxParameters - recent.length)) {
    const rows = await db.sql
      .selectFrom('checks')
      .select(['id', 'uuid'])
      .where('uuid', 'in', recent)
      .where('project_id', 'in', some)
      .execute()
    for (const { id, uuid } of rows) scores.set(id, RECENT * (1 - recent.indexOf(uuid) / recent.length))
  }
  return scores
}

async function unasked(db: Db, ids: readonly number[], used: Scores): Promise<Scores> {
  const scores = new Map(used)
  for (const some of chunks(ids, db.dialect.maxParameters - 1)) {
    const rows = await db.sql
      .selectFrom('checks')
      .select('id')
      .where('project_id', 'in', some)
      .where('status', '=', 'down')
      .orderBy('status_since', 'desc')
      .limit(CANDIDATES)
      .execute()
    for (const { id } of rows) if (!scores.has(id)) scores.set(id, 0)
  }
  return scores
}

async function matching(
  db: Db,
  ids: readonly number[],
  { words, tags, limit }: CheckSearch,
  used: Scores,
): Promise<Scores> {
  const scores: Scores = new Map()
  const others: [id: number, text: string][] = []
  const take = (id: number, score: number) => scores.set(id, score + (used.get(id) ?? 0))
  for (const [id, found, own] of await textsOf(db, ids, tags.length > 0)) {
    if (own !== undefined && !hasTags(own, tags)) continue
    const text = folded(found)
    const score = words.length === 0 ? 1 : matchWords(text, words)
    if (score > 0) take(id, score)
    else others.push([id, text])
  }
  if (scores.size >= limit) return scores
  for (const [id, text] of others) {
    const score = matchFuzzily(text, words)
    if (score > 0) take(id, score)
  }
  return scores
}

function hasTags(own: string, tags: readonly string[]): boolean {
  const list = tagList(folded(own))
  return tags.every(tag => list.some(one => one.startsWith(tag)))
}

/** The text by which each check is found, and on request its tags. Few columns: there may be ten thousand rows. */
async function textsOf(db: Db, ids: readonly number[], withTags: boolean) {
  const found: [id: number, text: string, tags?: string][] = []
  for (const some of chunks(ids, db.dialect.maxParameters - 1)) {
    const query = db.sql
      .selectFrom('check_details as d')
      .innerJoin('projects as p', 'p.id', 'd.project_id')
      .select('d.check_id')
      .select(sql<string>`d.name || ${'\n'} || d.slug || ' ' || d.tags || ' ' || p.name`.as('text'))
      .$if(withTags, one => one.select('d.tags'))
      .where('d.project_id', 'in', some)
      .compile()
    const rows = await db.dialect.arrays(query.sql, query.parameters)
    for (const row of rows) found.push(row as [number, string])
  }
  return found
}

async function itemsOf(db: Db, projects: readonly ListedProject[], scores: Scores, now: number) {
  const hold = await currentHold(db, now)
  const leaving = await leavingChecks(
    db,
    projects.map(({ id }) => id),
  )
  const uuids = new Map(projects.map(({ id, uuid }) => [id, uuid]))
  if (scores.size === 0) return []
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select([...LISTED_COLUMNS, 'c.project_id as projectId'])
    .where('c.id', 'in', [...scores.keys()])
    .execute()
  return rows
    .filter(({ uuid }) => !leaving.has(uuid))
    .map(row => ({
      ...row,
      ...shownState(row, now, hold),
      project: uuids.get(row.projectId)!,
      score: scores.get(row.id)!,
    }))
}

/** Which checks have what a person types, and how well. */
import { sql } from 'kysely'
import { tagList } from '../../../core/checks/check.js'
import { folded, matchFuzzily, matchWords } from '../../../core/text/match-words.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

/** What checks are searched for. */
export interface Sought {
  /** Folded words that name, slug, tags or the project's name have; see core/text/match-words.ts. */
  words: readonly string[]
  /** Folded beginnings of tags, each of which a check has. */
  tags: readonly string[]
  /** UUIDs of the checks that the reader used last, the latest first. They come first among equals. */
  recent: readonly string[]
}

/** How well a check matches: first the lower `tier`, then the higher `score`. */
export interface Match {
  tier: number
  score: number
}

/** By the ID of a check. */
export type Matches = Map<number, Match>

const [NAMED, TYPED, GUESSED] = [0, 1, 2]

/** How much better a check is that the reader has just used. */
const RECENT = 0.5
/** Without words so many are found that are down. */
const MOST_DOWN = 50
/** With as many checks that have the words as they are typed, no others are looked for. */
const ENOUGH = 8

/** The checks of the projects with these IDs that match. Without words and tags: those that were used last, and some that are down. */
export async function matchChecks(db: Db, ids: readonly number[], sought: Sought): Promise<Matches> {
  const used = await recency(db, ids, sought.recent)
  if (sought.words.length + sought.tags.length === 0) return await unasked(db, ids, used)
  return await matching(db, ids, sought, used)
}

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

/** Each check that was used has a tier of its own. */
async function unasked(db: Db, ids: readonly number[], used: Scores): Promise<Matches> {
  const found: Matches = new Map([...used].map(([id, score]) => [id, { tier: -score, score }]))
  for (const some of chunks(ids, db.dialect.maxParameters - 1)) {
    const rows = await db.sql
      .selectFrom('checks')
      .select('id')
      .where('project_id', 'in', some)
      .where('status', '=', 'down')
      .orderBy('status_since', 'desc')
      .limit(MOST_DOWN)
      .execute()
    for (const { id } of rows) if (!found.has(id)) found.set(id, { tier: 0, score: 0 })
  }
  return found
}

async function matching(
  db: Db,
  ids: readonly number[],
  { words, tags }: Sought,
  used: Scores,
): Promise<Matches> {
  const matches: Matches = new Map()
  const others: [id: number, text: string][] = []
  const take = (id: number, tier: number, score: number) =>
    matches.set(id, { tier, score: score + (used.get(id) ?? 0) })
  const name = `${words.join(' ')}\n`
  for (const [id, found, own] of await textsOf(db, ids, tags.length > 0)) {
    if (own !== undefined && !hasTags(own, tags)) continue
    const text = folded(found)
    const score = words.length === 0 ? 1 : matchWords(text, words)
    if (score > 0) take(id, words.length > 0 && text.startsWith(name) ? NAMED : TYPED, score)
    else others.push([id, text])
  }
  if (matches.size >= ENOUGH) return matches
  for (const [id, text] of others) {
    const score = matchFuzzily(text, words)
    if (score > 0) take(id, GUESSED, score)
  }
  return matches
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

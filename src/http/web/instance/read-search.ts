import { readSearch, type SearchQuery } from '../../../core/instance/search-query.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { folded, hasWords } from '../../../core/text/match-words.js'
import { isUuid } from '../../../core/text/uuid.js'
import type { ProjectEntry } from '../../../storage/people/access.js'
import { listedProjects } from '../access.js'
import type { WebContext } from '../context.js'
import { type ActionCheck, namesAction } from './check-actions.js'

/** What an address of the search asks for. */
export interface Asked {
  query: SearchQuery
  /** The words that name an action, as `pause` of `pause backup`, and the others. */
  verbs: readonly string[]
  words: readonly string[]
  /** The projects that the reader may see, and among them those that are searched. */
  projects: readonly ProjectEntry[]
  within: readonly ProjectEntry[]
  /** The check and the project where the reader is; null if none. */
  check: ActionCheck | null
  current: ProjectEntry | null
  /** The paths of the pages that the reader used last, the latest first. */
  recent: readonly string[]
  /** The words as they were typed. */
  typed: string
  /** The page of the list of all checks that are found, from 1; null: everything is asked for, and the first checks. */
  page: number | null
}

/** The most pages that a browser names as used last. */
const RECENT = 12
/** The shortest word that names an action where other things are searched too. */
const SHORTEST = 3

/** Parses the address of the search. A check or a project that the reader may not see is ignored. */
export async function readAsked(c: WebContext): Promise<Asked> {
  const params = new URL(c.req.url).searchParams
  const typed = params.get('q') ?? ''
  const query = readSearch(typed)
  const projects = await listedProjects(c, 'read')
  const check = await findNamed(c, projects, params.get('check') ?? '')
  const isVerb = query.only === 'actions' || (query.words[0]?.length ?? 0) >= SHORTEST
  const verbs = isVerb ? namesAction(query.words) : 0
  return {
    query,
    verbs: query.words.slice(0, verbs),
    words: query.words.slice(verbs),
    projects,
    within: projects.filter(one => hasWords(folded(projectLabel(one)), query.projects)),
    check,
    current: check?.of ?? projects.find(({ uuid }) => uuid === params.get('project')) ?? null,
    recent: (params.get('recent') ?? '').split(',').filter(Boolean).slice(0, RECENT),
    typed,
    page: params.get('show') === 'checks' ? pageOf(params.get('page')) : null,
  }
}

/** The end of the address of a page of all checks that are found. */
export function allChecks({ typed }: Pick<Asked, 'typed'>, page: number): string {
  const params = new URLSearchParams({ q: typed, show: 'checks' })
  if (page > 1) params.set('page', String(page))
  return `?${params}`
}

/** Some of the checks that are found, and the number of all. */
export interface Found {
  checks: ActionCheck[]
  count: number
}

/** Checks for the words, the tags and the projects; without them those used last, then those that are down. */
export async function findChecks(c: WebContext, asked: Asked, limit: number, skip = 0): Promise<Found> {
  const recent = asked.recent.flatMap(path => /^\/checks\/([0-9a-f-]{36})\//.exec(path)?.[1] ?? [])
  const { words, query } = asked
  return await search(c, asked.within, { words, tags: query.tags, recent, skip, limit })
}

/** Outputs are searched for texts that are as long. */
const SHORTEST_PHRASE = 3

/** Whether outputs are searched for what was typed. */
export function hasPhrase({ only, phrase }: SearchQuery): boolean {
  return only === null && phrase.length >= SHORTEST_PHRASE
}

function pageOf(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1
}

async function findNamed(c: WebContext, projects: readonly ProjectEntry[], uuid: string) {
  if (!isUuid(uuid)) return null
  const asked = { words: [], tags: [], recent: [uuid], skip: 0, limit: 1 }
  const [found] = (await search(c, projects, asked)).checks
  return found?.uuid === uuid ? found : null
}

type Search = Parameters<WebContext['var']['deps']['store']['checks']['search']>[1]

async function search(c: WebContext, projects: readonly ProjectEntry[], asked: Search): Promise<Found> {
  const { store, clock } = c.var.deps
  const { checks, count } = await store.checks.search(projects, asked, clock.now())
  return {
    checks: checks.map(one => ({ ...one, of: projects.find(({ uuid }) => uuid === one.project)! })),
    count,
  }
}

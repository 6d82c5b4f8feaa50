import { may } from '../../../core/people/role.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { folded, matchWords } from '../../../core/text/match-words.js'
import type { FoundGroup, FoundOption } from '../../../views/search-results.js'
import type { WebContext } from '../context.js'
import { library } from '../docs/library.js'
import { type ActionCheck, actionsOn } from './check-actions.js'
import { findPages } from './find-pages.js'
import { type Asked, allChecks, findChecks, hasPhrase } from './read-search.js'

/** The most results of each kind; `SUBJECTS`: the checks whose actions are shown if several are meant. */
const CHECKS = 8
const CHECKS_ONLY = 100
const ACTIONS = 10
const PAGES = 6
const DOCS = 3
const DOCS_ONLY = 12
const SUBJECTS = 3

/** What the reader may see and do that matches a search, in groups. */
export async function findOptions(c: WebContext, asked: Asked): Promise<FoundGroup[]> {
  const { query, check, verbs } = asked
  if (query.only === 'docs') return filled([{ title: 'Docs', options: await docs(c, asked, DOCS_ONLY) }])
  const { checks, count } = await findChecks(c, asked, CHECKS)
  const isAbout = asked.words.length + query.tags.length + query.projects.length > 0
  const subjects =
    isAbout || !check ? checks.slice(0, verbs.length > 0 ? SUBJECTS : isAbout ? 1 : 0) : [check]
  const options = [...(await actionsOn(c, subjects, verbs)), ...siteActions(asked)].slice(0, ACTIONS)
  const actions = {
    title: subjects.length === 1 ? `Actions for ${subjects[0]!.name}` : 'Actions',
    options,
  }
  if (query.only === 'actions') return filled([actions])
  const found: FoundGroup = { title: 'Checks', options: checks.map(one => checkOption(one, asked)) }
  if (isAbout && count > checks.length) {
    found.shown = `${checks.length} of ${count}`
    found.options.push({
      kind: 'page',
      label: `Show all ${count} checks`,
      path: `/search/${allChecks(asked, 1)}`,
    })
  }
  const pages = [...findPages(asked, PAGES), ...(await docs(c, asked, DOCS))]
  const isToAct = verbs.length > 0 || (check !== null && !isAbout)
  return filled([...(isToAct ? [actions, found] : [found, actions]), { title: 'Go to', options: pages }])
}

/** The option of the dialog that leads to a search of outputs, which takes too long while one types. */
export function outputsOption({ query, typed }: Asked): FoundGroup[] {
  if (!hasPhrase(query)) return []
  const path = `/search/?${new URLSearchParams({ q: typed })}#outputs`
  return [
    { title: 'In outputs', options: [{ kind: 'page', label: `Search outputs for “${query.phrase}”`, path }] },
  ]
}

/** A page of all checks that match, with the addresses of the pages before and after it. */
export async function findAllChecks(c: WebContext, asked: Asked & { page: number }) {
  const skip = (asked.page - 1) * CHECKS_ONLY
  const { checks, count } = await findChecks(c, asked, CHECKS_ONLY, skip)
  const shown = checks.length < count ? { shown: `${skip + 1}–${skip + checks.length} of ${count}` } : {}
  const group = { title: 'Checks', ...shown, options: checks.map(one => checkOption(one, asked)) }
  return {
    groups: filled([group]),
    previous: asked.page > 1 ? allChecks(asked, asked.page - 1) : null,
    next: skip + checks.length < count ? allChecks(asked, asked.page + 1) : null,
  }
}

function checkOption(check: ActionCheck, { current }: Asked): FoundOption {
  const { uuid, status, running, troubleSince, of } = check
  return {
    kind: 'check',
    label: check.name,
    ...(of.uuid === current?.uuid ? {} : { detail: projectLabel(of) }),
    path: `/checks/${uuid}/details/`,
    uuid,
    status,
    running,
    troubleSince,
  }
}

/** What can be done without a check, if it is asked for. */
function siteActions({ projects, current, query }: Asked): FoundOption[] {
  if (query.words.length === 0 && query.only !== 'actions') return []
  const writable = projects.filter(({ role }) => may(role, 'write'))
  const into =
    writable.find(one => one.uuid === current?.uuid) ?? (writable.length === 1 ? writable[0] : null)
  const all: FoundOption[] = [
    { kind: 'page', label: 'New project', path: '/projects/add/' },
    { kind: 'action', label: 'Sign out', path: '/accounts/logout/', leaves: true },
  ]
  if (into) {
    const path = `/projects/${into.uuid}/checks/add/`
    all.unshift({ kind: 'page', label: 'New check', detail: projectLabel(into), path })
  }
  return all.filter(({ label }) => query.words.length === 0 || matchWords(folded(label), query.words) > 0)
}

async function docs(c: WebContext, { query }: Asked, limit: number): Promise<FoundOption[]> {
  const text = query.words.join(' ')
  if (text.length < 3) return []
  const { search } = await library(c.var.deps.config.SITE_ROOT)
  const hits = search(text).slice(0, limit)
  return hits.map(({ title, heading, path, id }) => ({
    kind: 'page',
    label: heading || title,
    detail: heading ? `Docs, ${title}` : 'Docs',
    path: `/docs/${path}/${id ? `#${id}` : ''}`,
  }))
}

function filled(groups: readonly FoundGroup[]): FoundGroup[] {
  return groups.filter(({ options }) => options.length > 0)
}

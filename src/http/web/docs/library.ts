/** The documents that come with Punctual, as pages, and their search. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import { packageRoot } from '../../../lib/package-root.js'
import { makeDocument } from '../../api-document.js'
import { API_REFERENCES } from './api-references.js'
import { apiSections } from './api-sections.js'
import { type Rendered, renderMarkdown } from './render-markdown.js'
import { type Hit, searchOf } from './search.js'

export interface Doc extends Rendered {
  /** Its address after `/docs/`, without slashes at the ends. */
  path: string
}

/** The file of each document in docs/, in the order of the list. Its name in addresses may differ. */
const GUIDES: readonly { file: string; path: string }[] = [
  { file: 'pinging', path: 'pinging' },
  { file: 'examples', path: 'examples' },
  { file: 'schedules', path: 'schedules' },
  { file: 'api', path: 'management-api' },
  { file: 'differences', path: 'differences' },
  { file: 'command-line', path: 'command-line' },
  { file: 'mcp', path: 'mcp' },
  { file: 'self-hosting', path: 'self-hosting' },
  { file: 'glossary', path: 'glossary' },
  { file: 'architecture', path: 'architecture' },
]

export interface Library {
  docs: readonly Doc[]
  find(path: string): Doc | undefined
  search(query: string): Hit[]
}

const libraries = new Map<string, Promise<Library>>()

/** All documents for a site, read and rendered at the first request: in turns, because it takes a third of a second. */
export function library(siteRoot: string): Promise<Library> {
  const known = libraries.get(siteRoot)
  if (known) return known
  const made = inTurns(build(siteRoot))
  libraries.set(siteRoot, made)
  made.catch(() => libraries.delete(siteRoot))
  return made
}

function* build(siteRoot: string): Generator<void, Library> {
  const folder = join(packageRoot, 'docs')
  const integrations = readdirSync(join(folder, 'integrations'))
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => ({ file: `integrations/${name.slice(0, -3)}`, path: `integrations/${name.slice(0, -3)}` }))
  const sources = [...GUIDES, ...integrations].filter(({ file }) => existsSync(join(folder, `${file}.md`)))
  const base = new URL(siteRoot).pathname.replace(/\/$/, '')
  const docs = yield* mapped(sources, ({ file, path }): Doc => {
    const text = readFileSync(join(folder, `${file}.md`), 'utf8').replaceAll(EXAMPLE_SITE, siteRoot)
    return { path, ...renderMarkdown(text, href => addressOf(href, file, base)) }
  })
  const references = []
  for (const { path, title, api } of API_REFERENCES) {
    const document = yield* makeDocument(api, siteRoot, '', '')
    references.push({ path, title, sections: apiSections(document) })
  }
  const search = yield* searchOf([...docs, ...references])
  return { docs, find: path => docs.find(doc => doc.path === path), search }
}

/** The site in the examples is replaced with this one. */
const EXAMPLE_SITE = /https:\/\/(?:monitor|punctual)\.example\.(?:org|com)/g

/** The address in the product of a document's link; null if the product does not have its target. */
function addressOf(href: string, from: string, base: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  if (href.startsWith('/')) return base + href
  const { pathname, hash } = new URL(href, `http://docs/${from}.md`)
  const file = pathname.slice(1).replace(/\.md$/, '')
  const path =
    GUIDES.find(guide => guide.file === file)?.path ?? (/^integrations\/[a-z]+$/.test(file) ? file : null)
  return path === null ? null : `${base}/docs/${path}/${hash}`
}

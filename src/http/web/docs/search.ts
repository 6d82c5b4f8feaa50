import MiniSearch, { type SearchResult } from 'minisearch'
import type { Rendered, Section } from './render-markdown.js'
import { ourWords } from './search-words.js'

/** A section to search. */
type Searched = Pick<Rendered, 'title' | 'sections'> & { path: string }

/** A result of the search. */
export interface Hit {
  title: string
  heading: string
  /** After `/docs/`. */
  path: string
  id: string
  excerpt: string
}

interface Entry {
  id: string
  title: string
  heading: string
  text: string
}

const HITS = 20
const EXCERPT_LENGTH = 180

/**
 * Returns a search in documents, best result first. A result contains all words of the query; if there are none,
 * results with some of the words are returned. Each section is a step.
 */
export function* searchOf(docs: readonly Searched[]): Generator<void, (query: string) => Hit[]> {
  const index = yield* indexOf(docs)
  return query => {
    const words = ourWords(query)
    const all = index.search(words, { combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(words, { combineWith: 'OR' })
    return found.slice(0, HITS).flatMap(result => hitOf(docs, result))
  }
}

function* indexOf(docs: readonly Searched[]): Generator<void, MiniSearch<Entry>> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'text'],
    searchOptions: {
      boost: { title: 3, heading: 3 },
      prefix: term => term.length > 2,
      // A short word is always similar to another one.
      fuzzy: term => (term.length > 5 ? 0.15 : false),
      weights: { prefix: 0.3, fuzzy: 0.2 },
      boostDocument: weightOf,
    },
  })
  for (const { path, title, sections } of docs) {
    for (const { id, heading, text } of sections) {
      index.add({ id: `${path}#${id}`, title, heading, text })
      yield
    }
  }
  return index
}

/** The beginning of a page says more about its subject than its tables; few readers look for how things are built. */
function weightOf(id: string): number {
  if (id.startsWith('architecture#')) return 0.5
  if (/#(?:schema-|settings-of-the-operator$)/.test(id)) return 0.3
  return id.endsWith('#') ? 1.5 : 1
}

function hitOf(docs: readonly Searched[], { id: key, terms }: SearchResult): Hit[] {
  const [path, id] = String(key).split('#') as [string, string]
  const doc = docs.find(one => one.path === path)
  const section = doc?.sections.find(one => one.id === id)
  if (!doc || !section) return []
  const { title } = doc
  return [{ title, heading: section.heading, path, id, excerpt: excerpt(withoutHeading(section), terms) }]
}

/** For the search, a section's text also contains its heading. */
function withoutHeading({ heading, text }: Section): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.startsWith(heading) ? flat.slice(heading.length).trim() : flat
}

/** The words around the first match. */
function excerpt(flat: string, terms: readonly string[]): string {
  const lower = flat.toLowerCase()
  const first = Math.min(...terms.map(term => lower.indexOf(term)).filter(at => at >= 0), flat.length)
  const start = first === flat.length ? 0 : Math.max(0, flat.lastIndexOf(' ', Math.max(0, first - 60)) + 1)
  const piece = flat.slice(start, start + EXCERPT_LENGTH)
  return `${start > 0 ? '… ' : ''}${piece}${start + EXCERPT_LENGTH < flat.length ? ' …' : ''}`
}

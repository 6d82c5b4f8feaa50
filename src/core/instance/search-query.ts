import { folded, wordsOf } from '../text/match-words.js'

/** What a person looks for. */
export interface SearchQuery {
  /** Where: `>` at the start means actions only, `?` the documents only. */
  only: 'actions' | 'docs' | null
  /** The words, folded. */
  words: string[]
  /** The beginnings of tags (`#shop`), folded. */
  tags: string[]
  /** Words of a project's name (`@fleet`), folded. */
  projects: string[]
  /** What was typed without tags and projects, which outputs may have as it is. */
  phrase: string
}

/** The maximum length of a search, in characters, and of its words. */
const LENGTH = 100
const WORDS = 8

/** Parses what a person typed into the search of the whole site. */
export function readSearch(typed: string): SearchQuery {
  const text = typed.slice(0, LENGTH).trim()
  const only = text.startsWith('>') ? 'actions' : text.startsWith('?') ? 'docs' : null
  const rest = only ? text.slice(1) : text
  const all = wordsOf(rest).slice(0, WORDS)
  const marked = (mark: string) => all.flatMap(word => (word.startsWith(mark) ? [folded(word.slice(1))] : []))
  return {
    only,
    words: all.filter(word => !/^[#@]/.test(word)),
    tags: marked('#').filter(Boolean),
    projects: marked('@').filter(Boolean),
    phrase: rest
      .split(/\s+/)
      .filter(word => !/^[#@]/.test(word))
      .join(' ')
      .trim(),
  }
}

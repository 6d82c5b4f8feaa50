/** A project as a file describes it: objects by their keys. Decision 0122. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** In this order objects are created, because later ones name earlier ones. */
export const SECTIONS = ['channels', 'policies', 'checks', 'silences'] as const

export type Section = (typeof SECTIONS)[number]

/** The values of an object by the names that files use. */
export type Values = ReadonlyMap<string, Json>

/** An object of the project, with all of its values. */
export interface ConfigObject {
  /** The name of the file that made it; null: people or programs made it. */
  owner: string | null
  values: Values
}

export type Sections<T> = Readonly<Record<Section, ReadonlyMap<string, T>>>

/** What is in a project. */
export type ProjectConfig = Sections<ConfigObject>

/** What a file asks for: only the values that it has. */
export interface WantedConfig {
  objects: Sections<Values>
  /** From old keys to new ones. */
  moved: readonly Move[]
}

export interface Move {
  section: Section
  from: string
  to: string
}

/** A place in a file, from the outside in: `['checks', 'nightly-backup', 'grace']`. */
export type Place = readonly string[]

/** What is wrong with a file. */
export interface ConfigProblem {
  at: Place
  /** A sentence. */
  problem: string
}

/** An object for every section. */
export function bySection<T>(make: (section: Section) => T): Record<Section, T> {
  return Object.fromEntries(SECTIONS.map(section => [section, make(section)])) as Record<Section, T>
}
